// Rotation vectors of matrices, their turns and tangent operators, up to half a turn.

#include "kernels/elements/sample.hpp"
#include "kernels/lie/rotation_vector.hpp"
#include "tests/catch.hpp"
#include "tests/kernels/elements/element_checks.hpp"

namespace sinew {
namespace {

TEST_CASE("Rotation vectors of matrices turn back into them, up to half a turn", "[serial]") {
  Sampler sample(5);
  for (const double angle : {0.0, 1e-12, 1e-6, 1e-3, 0.1, 0.2, 0.3, 0.49, 0.51, 1.0, 2.0, 3.0, 3.14159}) {
    for (int k = 0; k < 20; ++k) {
      Vec3<double> axis = sample.vector(1);
      axis = (1 / norm(axis)) * axis;
      const Vec3<double> theta = angle * axis;
      const RotationVector<double> turn(theta);
      CHECK(norm(rotation_vector(turn.matrix()) - theta) < 1e-14 * (1 + angle));
      const Vec3<double> u = sample.vector(1);
      CHECK(norm(turn.turn(u) - rotation(theta) * u) < 1e-15);
      CHECK(norm(turn.tangent(u) - exp_tangent(theta) * u) < 1e-14);
      if (angle < 3.1) CHECK(norm(turn.tangent(turn.inverse_tangent(u)) - u) < 1e-13);
      CHECK(norm(turn.turn(turn.tangent(u)) - turn.tangent_transposed(u)) < 1e-14);
    }
  }
}

}  // namespace
}  // namespace sinew
