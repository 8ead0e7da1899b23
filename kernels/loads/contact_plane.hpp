/// \file
/// A ball on a plane.
#pragma once

#include "kernels/loads/contact.hpp"

namespace sinew {

/// The plane passes through the first place and is carried by its body; gap = n . (c - p1) - r. Behind it all is solid.
struct ContactPlane : Contact<ContactPlane> {
  static constexpr const char* name = "contact-plane";
  static constexpr const char* help = "push and friction between a ball and a plane";

  static constexpr auto fields() { return contact_fields<1>({{axis_field("normal", "normal of the plane, towards the ball")}}); }

  static Params make(const Setup& setup) {
    require_first_frame(setup, "contact with a plane");
    Params p = make_contact(setup, 0);
    p.axis = setup.places[0].local(setup.fields.vector("normal"));
    return p;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static Touch<S> touch(const Params& p, const Frame<S> (&f)[2]) {
    const Vec3<S> n = f[0].R * p.axis;
    return {n, dot(n, place_of(f[1], p.point2) - place_of(f[0], p.point1)) - p.radius};
  }
};

}  // namespace sinew
