/// \file
/// Host-side steps that the `make` functions of joints and forces share: what kind of place a row needs, and how the directions
/// of the model file become body-fixed directions.
#pragma once

#include "kernels/describe.hpp"

namespace sinew {

/// True where a direction can be fixed to the place: it turns, or it is the ground.
inline bool has_axes(const Place& place) { return place.is_ground || place.can_turn; }

/// Throws unless there are `count` places.
inline void require_places(const Setup& setup, int count, const char* who) {
  if (static_cast<int>(setup.places.size()) != count)
    throw std::invalid_argument(std::string("a ") + who + " connects " + std::to_string(count) + " place" +
                                (count == 1 ? "" : "s") + ", not " + std::to_string(setup.places.size()));
}

/// Throws unless there are two places that can turn; `instead` says which joint suits a point.
inline void require_two_frames(const Setup& setup, const char* who, const char* instead) {
  require_places(setup, 2, who);
  for (int i = 0; i < 2; ++i)
    if (!has_axes(setup.places[i]))
      throw std::invalid_argument(std::string("a ") + who + " needs two places that can turn, but its " +
                                  (i == 0 ? "first" : "second") + " place is a point without orientation: " + instead);
}

/// Two places coincide where their distance is no larger than this part of the coordinates that they are computed from: some
/// hundred roundings of these.
inline constexpr double coincident_part = 1e-13;

/// Initial distance of the two places, m; exactly zero where they coincide up to rounding.
inline double initial_distance(const Setup& setup) {
  const Place &first = setup.places[0], &second = setup.places[1];
  const double d = norm(second.position() - first.position());
  const double size = norm(first.frame.x) + norm(first.point) + norm(second.frame.x) + norm(second.point);
  return d <= coincident_part * size ? 0.0 : d;
}

/// Throws unless directions can be fixed to the first place. A point may stand there opposite the ground, where the direction
/// stays as it is.
inline void require_first_frame(const Setup& setup, const char* who) {
  require_places(setup, 2, who);
  if (!has_axes(setup.places[0]) && !setup.places[1].is_ground)
    throw std::invalid_argument(std::string("the direction of a ") + who +
                                " moves with its first place, but that is a point without orientation: name the place of a "
                                "body that can turn, or the ground, first");
}

/// Throws where the ground stands second: there is what rolls on the plane through the first place.
inline void require_roller(const Setup& setup, const char* who) {
  if (setup.places[1].is_ground)
    throw std::invalid_argument(std::string("the first place of a ") + who +
                                " is a point of the plane and the second one what rolls on it: name the ground first");
}

/// Row pair i, i+1: the small rotation of the second body against the first about two directions across the axis `e`. The rows
/// are -(v1 . e2) and u1 . e2 with (u, v, e) right-handed.
template <class Params>
void keep_axes_parallel(const Setup& setup, const Vec3<double>& e, int i, Params& p) {
  const auto across = complete_triad(e);
  p.first[i] = setup.places[0].local(across[1]);
  p.second[i] = setup.places[1].local(-e);
  p.first[i + 1] = setup.places[0].local(across[0]);
  p.second[i + 1] = setup.places[1].local(e);
}

/// Rows i to i+2: the small rotation of the second body against the first about e[0], e[1] and e[2], a right-handed triad.
template <class Params>
void keep_orientation(const Setup& setup, const std::array<Vec3<double>, 3>& e, int i, Params& p) {
  for (int k = 0; k < 3; ++k) {
    p.first[i + k] = setup.places[0].local(e[(k + 2) % 3]);
    p.second[i + k] = setup.places[1].local(e[(k + 1) % 3]);
  }
}

/// The global axes as a triad.
inline std::array<Vec3<double>, 3> global_triad() {
  return {Vec3<double>{{1, 0, 0}}, Vec3<double>{{0, 1, 0}}, Vec3<double>{{0, 0, 1}}};
}

/// The description of a key that holds a unit direction in the global frame at the start, moving with the first place's body.
constexpr FieldSpec axis_field(const char* name, const char* help) {
  return {name, FieldType::direction, "1", true, "", FieldCheck::any, help};
}

}  // namespace sinew
