#include "model/reduced_body.hpp"

#include <cstddef>

namespace sinew {

namespace {

void put(const Vec3<double>& v, std::vector<double>& out) { out.insert(out.end(), v.data, v.data + 3); }

/// Takes numbers from a list, and knows when there are too few.
class NumberSource {
 public:
  explicit NumberSource(const std::vector<double>& list) : list_(list) {}

  double number() { return next_ < list_.size() ? list_[next_++] : lack(); }
  Vec3<double> vector() {
    const double x = number(), y = number(), z = number();
    return {{x, y, z}};
  }
  /// How many of something follow, none where the list cannot hold them.
  std::size_t count() {
    const double n = number();
    return n >= 0 && n <= static_cast<double>(list_.size()) ? static_cast<std::size_t>(n) : static_cast<std::size_t>(lack());
  }
  bool is_used_up() const { return !lacks_ && next_ == list_.size(); }

 private:
  double lack() {
    lacks_ = true;
    return 0;
  }

  const std::vector<double>& list_;
  std::size_t next_ = 0;
  bool lacks_ = false;
};

}  // namespace

PlaceItem place_of(const InterfaceItem& interface, const std::string& body) {
  PlaceItem place;
  place.kind = PlaceItem::Kind::body;
  place.mark = interface.mark;
  place.text = body + "." + interface.name;
  place.body = NamePattern(body);
  place.tail = PlaceItem::Tail::name;
  place.tail_name = NamePattern(interface.name);
  return place;
}

std::vector<double> numbers_of(const ModalShapes& shapes) {
  std::vector<double> list{shapes.mass};
  put(shapes.centre, list);
  for (int i = 0; i < 9; ++i) list.push_back(shapes.inertia(i / 3, i % 3));
  for (int i = 0; i < 36; ++i) list.push_back(shapes.drag(i / 6, i % 6));
  list.push_back(static_cast<double>(shapes.unknowns));
  list.push_back(static_cast<double>(shapes.places.size()));
  for (const Vec3<double>& place : shapes.places) put(place, list);
  list.push_back(static_cast<double>(shapes.shapes.size()));
  for (const ModalShapes::Shape& shape : shapes.shapes) {
    list.push_back(shape.omega);
    for (std::size_t i = 0; i < shapes.places.size(); ++i) {
      put(shape.displacements[i], list);
      put(shape.turns[i], list);
    }
  }
  list.push_back(static_cast<double>(shapes.numbers.size()));
  list.insert(list.end(), shapes.numbers.begin(), shapes.numbers.end());
  return list;
}

std::optional<ModalShapes> shapes_from_numbers(const std::vector<double>& list) {
  NumberSource source(list);
  ModalShapes found;
  found.mass = source.number();
  found.centre = source.vector();
  for (int i = 0; i < 9; ++i) found.inertia(i / 3, i % 3) = source.number();
  for (int i = 0; i < 36; ++i) found.drag(i / 6, i % 6) = source.number();
  found.unknowns = static_cast<std::int64_t>(source.number());
  found.places.resize(source.count());
  for (Vec3<double>& place : found.places) place = source.vector();
  found.shapes.resize(source.count());
  for (ModalShapes::Shape& shape : found.shapes) {
    shape.omega = source.number();
    for (std::size_t i = 0; i < found.places.size(); ++i) {
      shape.displacements.push_back(source.vector());
      shape.turns.push_back(source.vector());
    }
  }
  found.numbers.resize(source.count());
  for (double& number : found.numbers) number = source.number();
  if (!source.is_used_up()) return {};
  return found;
}

}  // namespace sinew
