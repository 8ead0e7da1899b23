/// \file
/// A ball in a tube.
#pragma once

#include "kernels/loads/contact.hpp"

namespace sinew {

/// gap = R - r - |d|, R the radius of the bore. The tube has no ends.
struct ContactTube : ContactAboutAxis<ContactTube> {
  static constexpr const char* name = "contact-tube";
  static constexpr const char* help = "push and friction between a ball and a tube that it is in";

  static constexpr auto fields() {
    return contact_fields<2>({{axis_field("axis", "axis of the tube, through the first place"),
                               {"bore", FieldType::number, "m", true, "", FieldCheck::positive, "inner radius of the tube"}}});
  }

  static Params make(const Setup& setup) {
    const double bore = setup.fields.number("bore");
    if (!(setup.fields.number("radius", 0) < bore))
      throw std::invalid_argument("the ball does not go into the bore: its `radius` is smaller");
    return make_about_axis(setup, -bore);
  }
};

}  // namespace sinew
