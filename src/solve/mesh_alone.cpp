#include "solve/mesh_alone.hpp"

#include "kernels/joints/fixed.hpp"
#include "model/reduced_body.hpp"

#include <utility>
#include <variant>

namespace sinew {

Model mesh_alone(const Model& model, int body) {
  const BodyItem& item = model.bodies[static_cast<std::size_t>(body)];
  const ReducedBody& reduced = *item.body().reduced();
  const Indices first = item.repeat.indices(0);
  Model mesh;
  mesh.source = model.source;
  mesh.materials = model.materials;
  BodyItem alone;
  alone.name = NamePattern(model.body_name(body, 0));
  alone.mark = item.mark;
  for (const NamedPoint& point : item.points) {
    const Vec3<double> place = evaluate(std::get<VectorExpression>(point.place), first);
    alone.points.push_back({NamePattern(point.name.expand(first)), VectorExpression{place[0], place[1], place[2]}, point.mark});
  }
  alone.content = reduced.whole;
  mesh.body_names.add(alone.name, alone.repeat);
  mesh.point_names.emplace_back(alone.points);
  for (const InterfaceItem& interface : reduced.interfaces) {
    JointItem joint;
    joint.name = NamePattern("interface " + interface.name);
    joint.mark = interface.mark;
    joint.type = joint.word = Fixed::name;
    joint.places = {PlaceItem{}, place_of(interface, alone.name.text())};
    mesh.joint_names.add(joint.name, joint.repeat);
    mesh.joints.push_back(std::move(joint));
  }
  mesh.bodies.push_back(std::move(alone));
  return mesh;
}

}  // namespace sinew
