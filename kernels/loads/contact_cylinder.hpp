/// \file
/// A ball on a cylinder.
#pragma once

#include "kernels/loads/contact.hpp"

namespace sinew {

/// The axis e passes through the first place and is carried by its body; d = (I - e e^T)(c - p1), gap = |d| - R - r. The cylinder
/// has no ends.
struct ContactCylinder : Contact<ContactCylinder> {
  static constexpr const char* name = "contact-cylinder";
  static constexpr const char* help = "push and friction between a ball and a cylinder";

  static constexpr auto fields() {
    return contact_fields<2>({{axis_field("axis", "axis of the cylinder, through the first place"), first_radius_field()}});
  }

  static Params make(const Setup& setup) {
    require_first_frame(setup, "contact with a cylinder");
    Params p = make_contact(setup, "contact");
    p.axis = setup.places[0].local(setup.fields.vector("axis"));
    p.first_radius = setup.fields.number("first_radius");
    place_of_forces(setup, p);
    return p;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static Touch<S> touch(const Params& p, const Frame<S> (&f)[2]) {
    return touch_about_axis(p, f);
  }
};

}  // namespace sinew
