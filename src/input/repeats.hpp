/// \file
/// The key `repeat`: one entry of the model file that makes many items.
///
/// The usual entry becomes one item with a Repeat: whatever differs between its instances is an expression of the indices or a
/// name with braces, however many there are. What instances of an item share, the reader asks for as a constant: numbers of
/// elements and what else says how large an instance is, names of materials, sections, files and tables. Where that uses an
/// index, the entry is written out: it becomes an item for every value of that index, which is then a constant of the item's
/// numbers, and stands in the item's name. Indices behind the last one that is needed so stay those of a Repeat. Written out are
/// also the first indices of more than a Repeat has, and those that the range of a later one uses.
#pragma once

#include "input/section_readers.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sinew {

/// Takes an item that was read into the model; empty where there is none to take.
using AddItem = std::function<void()>;
/// That for an item of a list with its names; `sound`: whether those of the list are to be checked further. All must outlive it.
template <class Item>
AddItem add_to(std::vector<Item>& items, NameTable& names, std::vector<bool>& sound, Item item, bool is_sound) {
  return [&items, &names, &sound, item = std::move(item), is_sound]() mutable {
    sound.push_back(is_sound);
    names.add(item.name, item.repeat);
    items.push_back(std::move(item));
  };
}
/// Reads an item whose repeat is known from an entry, whose key is the item's name.
using ReadItem = AddItem (*)(const DocumentEntry& entry, const Repeat& repeat, ReadContext& context);

/// An entry is written out into this many items at most: each has a description of its own, on every rank.
constexpr std::int64_t max_written_out = 10000;

/// Reads an entry of bodies, joints, forces, controls or sensors (`kind`: in the singular) and adds its items to the model, in
/// the order of their indices, the last index fastest.
void read_repeated(const DocumentEntry& entry, const std::string& kind, ReadContext& context, ReadItem read);

}  // namespace sinew
