#pragma once

#include "bodies/beam.hpp"
#include "bodies/cable.hpp"
#include "bodies/point_mass.hpp"
#include "bodies/rigid.hpp"
#include "model/model.hpp"

namespace sinew::test {

/// The class behind an entry of `bodies`.
template <class Item>
const Item& item_of(const Model& model, int body) {
  return dynamic_cast<const Item&>(model.body_at(body));
}

// One of the bodies that an entry stands for, as plain numbers.

inline RigidBodyInstance rigid_body_instance(const Model& model, int body, std::int64_t instance) {
  return item_of<RigidBodyItem>(model, body).numbers(OneBody{model, body, instance}.indices());
}

inline PointMassInstance point_mass_instance(const Model& model, int body, std::int64_t instance) {
  return item_of<PointMassItem>(model, body).numbers(OneBody{model, body, instance}.indices());
}

inline CableInstance cable_instance(const Model& model, int body, std::int64_t instance) {
  return item_of<CableItem>(model, body).numbers(model, OneBody{model, body, instance}.indices());
}

inline BeamInstance beam_instance(const Model& model, int body, std::int64_t instance) {
  return item_of<BeamItem>(model, body).numbers({model, body, instance});
}

}  // namespace sinew::test
