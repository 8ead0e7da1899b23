/// \file
/// A ball in a tube.
#pragma once

#include "kernels/loads/contact.hpp"

namespace sinew {

/// As ContactCylinder with the ball inside: gap = R - r - |d|, R the radius of the bore.
struct ContactTube : Contact<ContactTube> {
  static constexpr const char* name = "contact-tube";
  static constexpr const char* help = "push and friction between a ball and a tube that it is in";

  static constexpr auto fields() {
    return contact_fields<2>({{axis_field("axis", "axis of the tube, through the first place"),
                               {"bore", FieldType::number, "m", true, "", FieldCheck::positive, "inner radius of the tube"}}});
  }

  static Params make(const Setup& setup) {
    require_first_frame(setup, "contact with a tube");
    Params p = make_contact(setup, "contact");
    p.axis = setup.places[0].local(setup.fields.vector("axis"));
    p.first_radius = -setup.fields.number("bore");
    if (!(p.radius + p.first_radius < 0))
      throw std::invalid_argument("the ball does not go into the bore: its `radius` is smaller");
    place_of_forces(setup, p);
    return p;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static Touch<S> touch(const Params& p, const Frame<S> (&f)[2]) {
    return touch_about_axis(p, f);
  }
};

}  // namespace sinew
