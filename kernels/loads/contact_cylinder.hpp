/// \file
/// A ball on a cylinder.
#pragma once

#include "kernels/loads/contact.hpp"

namespace sinew {

/// gap = |d| - R - r. The cylinder has no ends.
struct ContactCylinder : ContactAboutAxis<ContactCylinder> {
  static constexpr const char* name = "contact-cylinder";
  static constexpr const char* help = "push and friction between a ball and a cylinder";

  static constexpr auto fields() {
    return contact_fields<2>({{axis_field("axis", "axis of the cylinder, through the first place"), first_radius_field()}});
  }

  static Params make(const Setup& setup) { return make_about_axis(setup, setup.fields.number("first_radius")); }
};

}  // namespace sinew
