/// \file
/// A ball against another.
#pragma once

#include "kernels/loads/contact.hpp"

namespace sinew {

/// gap = |c - p1| - R - r.
struct ContactSphere : Contact<ContactSphere> {
  static constexpr const char* name = "contact-sphere";
  static constexpr const char* help = "push and friction between two balls";

  static constexpr auto fields() { return contact_fields<1>({{first_radius_field()}}); }

  static Params make(const Setup& setup) { return make_contact(setup, setup.fields.number("first_radius")); }

  template <class S>
  KOKKOS_INLINE_FUNCTION static Touch<S> touch(const Params& p, const Frame<S> (&f)[2]) {
    return touch_round(Vec3<S>(place_of(f[1], p.point2) - place_of(f[0], p.point1)), p.first_radius, p.radius);
  }
};

}  // namespace sinew
