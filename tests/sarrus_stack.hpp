/// \file
/// A model of many storeys whose sway has a stiffness as small as rounding.
#pragma once

#include <string>

namespace sinew::test {

/// Storeys of Sarrus' linkage, two pairs of legs with hinges each, on springs of their natural length: one redundant row a
/// storey. The sigma of its sway is 5.6e-4 / storeys^4. All falls freely but for the lowest storeys, which the lowest spring
/// catches.
inline std::string sarrus_stack(int storeys) {
  const auto family = [](const std::string& name, const std::string& place, const std::string& matrix) {
    return "  \"" + name +
           "{k}\": {repeat: {k: 1..N}, type: rigid, mass: 0.5, inertia: [3.125e-4, 0.0104, 0.0104], position: " + place +
           ",\n          orientation: {matrix: " + matrix + "}, points: {a: [-0.25, 0, 0], b: [0.25, 0, 0]}}\n";
  };
  const auto legs = [](const std::string& leg, const std::string& foot, const std::string& axis) {
    const std::string hinge = "type: revolute, axis: " + axis + ", connect: ";
    return "  a" + leg + "1: {" + hinge + "[" + foot + ", l" + leg + "1.a]}\n" +  //
           "  \"a" + leg + "{k}\": {repeat: {k: 2..N}, " + hinge + "[\"p{k-1}." + leg + "\", \"l" + leg + "{k}.a\"]}\n" +
           "  \"b" + leg + "{k}\": {repeat: {k: 1..N}, " + hinge + "[\"l" + leg + "{k}.b\", \"u" + leg + "{k}.a\"]}\n" + "  \"c" +
           leg + "{k}\": {repeat: {k: 1..N}, " + hinge + "[\"u" + leg + "{k}.b\", \"p{k}." + leg + "\"]}\n";
  };
  return "sinew: 1\nconstants: {N: " + std::to_string(storeys) + "}\ngravity: [0, 0, -9.81]\nbodies:\n" +
         "  \"p{k}\": {repeat: {k: 1..N}, type: rigid, mass: 5, inertia: [0.2, 0.2, 0.4], position: [0, 0, 0.8*k],\n" +
         "          points: {x: [0.3, 0, 0], y: [0, 0.3, 0]}}\n" +
         family("lx", "[0.45, 0, 0.8*k-0.6]", "[[0.6, 0, -0.8], [0, 1, 0], [0.8, 0, 0.6]]") +
         family("ux", "[0.45, 0, 0.8*k-0.2]", "[[-0.6, 0, 0.8], [0, -1, 0], [0.8, 0, 0.6]]") +
         family("ly", "[0, 0.45, 0.8*k-0.6]", "[[0, -1, 0], [0.6, 0, -0.8], [0.8, 0, 0.6]]") +
         family("uy", "[0, 0.45, 0.8*k-0.2]", "[[0, 1, 0], [-0.6, 0, 0.8], [0.8, 0, 0.6]]") +  //
         "joints:\n" + legs("x", "[0.3, 0, 0]", "[0, 1, 0]") + legs("y", "[0, 0.3, 0]", "[1, 0, 0]") +
         "forces:\n  s1: {type: spring-damper, connect: [ground, p1], stiffness: 3e4, damping: 100, length: 0.8}\n" +
         "  \"s{k}\": {repeat: {k: 2..N}, type: spring-damper, connect: [\"p{k-1}\", \"p{k}\"], stiffness: 3e4, damping: 100,\n" +
         "          length: 0.8}\n" + "sensors:\n  top: {type: point, of: p" + std::to_string(storeys) +
         ", record: [position]}\n" +
         "  loaded: {type: joint, of: cx3, record: [moment]}\n  falling: {type: joint, of: cx16, record: [moment]}\n" +
         "analysis: {end_time: 0.04, step: 0.02}\n";
}

}  // namespace sinew::test
