/// \file
/// The one description of an element, joint or force from which its input keys, checks, defaults, generic tests and reference
/// page are made. Host code.
#pragma once

#include "kernels/contract.hpp"

#include <array>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace sinew {

/// What a key of the model file holds.
enum class FieldType {
  number,     ///< one number
  vector,     ///< three numbers
  direction,  ///< three numbers, not all zero; handed on with length 1
  signal,     ///< an expression of t (number); becomes the element's next signal
  matrix6,    ///< 6 diagonal entries, or 36 by rows; handed on as 36
  flags,      ///< some of x, y, z; handed on as three numbers 0 or 1
  signal3,    ///< three expressions of t (or numbers); become the element's next three signals
  inertia,    ///< 3 principal values, or 3x3; handed on as 9 by rows
  feedback,   ///< an expression of t, sensors and controls; becomes the element's next signal, set anew at every state
  relation,   ///< an expression of t, sensors and controls; becomes the joint's program, and the time its next signal
  table,      ///< rows of two numbers; handed on one after the other
  points      ///< places, rows of three numbers; likewise
};

/// How many signals a key makes.
constexpr int signals_of(FieldType type) {
  if (type == FieldType::signal3) return 3;
  return type == FieldType::signal || type == FieldType::feedback || type == FieldType::relation ? 1 : 0;
}

/// What a number must be.
enum class FieldCheck { any, positive, nonnegative };

/// One key of an item of the model file.
struct FieldSpec {
  const char* name;
  FieldType type;
  const char* unit;  ///< for the reference page, "1" for pure numbers
  bool required;
  const char* default_text;  ///< for the reference page; what `make` does when the key is absent
  FieldCheck check;
  const char* help;  ///< one line
};

/// A quantity that sensors record of a force or of a section.
struct MeasureSpec {
  const char* name;
  int components;    ///< 1, or 3: x, y, z
  const char* unit;  ///< for the reference page
  const char* help;  ///< one line
  bool is_again = false;  ///< tells in other axes what another one tells: recorded only where it is asked for
};

/// How many numbers a list of them stands for.
template <class Specs>
constexpr int count_measured(const Specs& specs) {
  int count = 0;
  for (const MeasureSpec& spec : specs) count += spec.components;
  return count;
}

/// Values of an item's keys, numbers only, after units, expressions and checks.
class FieldValues {
 public:
  void set(const std::string& name, std::vector<double> value) { values_[name] = std::move(value); }
  bool has(const std::string& name) const { return values_.count(name) != 0; }

  double number(const std::string& name, double fallback) const { return has(name) ? values_.at(name).at(0) : fallback; }
  double number(const std::string& name) const { return at(name).at(0); }
  Vec3<double> vector(const std::string& name) const {
    const auto& v = at(name);
    return Vec3<double>{{v.at(0), v.at(1), v.at(2)}};
  }
  const std::vector<double>& at(const std::string& name) const {
    const auto it = values_.find(name);
    if (it == values_.end()) throw std::logic_error("no value for field '" + name + "'");
    return it->second;
  }

 private:
  std::map<std::string, std::vector<double>> values_;
};

/// A place of the model, seen from the node that carries it. The fixed ground is a frame at the origin.
struct Place {
  Frame<double> frame;  ///< the node's initial frame; R = I for a point
  Vec3<double> point;   ///< the place in the node's axes, zero for a point
  bool is_ground = false;
  bool can_turn = true;    ///< false for a point (a cable's end, a point mass): no orientation, no moment
  bool is_scalar = false;  ///< no place in space but one number, the first of `frame.x`

  /// The place in the global frame at the start.
  Vec3<double> position() const { return frame.x + frame.R * point; }
  /// A global direction in the node's axes.
  Vec3<double> local(const Vec3<double>& direction) const { return transpose_times(frame.R, direction); }
};

/// What `make` gets: the places that a joint or force connects, in order, and the values of its keys.
/// It throws std::invalid_argument with a sentence for the user when they do not fit together.
struct Setup {
  std::vector<Place> places;
  FieldValues fields;
};

/// Two unit vectors that complete the unit vector `e` to a right-handed triad (a, b, e).
inline std::array<Vec3<double>, 2> complete_triad(const Vec3<double>& e) {
  const int k = math::fabs(e[0]) < 0.6 ? 0 : (math::fabs(e[1]) < 0.6 ? 1 : 2);
  Vec3<double> a;
  a[k] = 1;
  a = a - dot(a, e) * e;
  a = (1 / norm(a)) * a;
  return {a, cross(e, a)};
}

}  // namespace sinew
