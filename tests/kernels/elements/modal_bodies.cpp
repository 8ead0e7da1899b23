// A body of a few shapes against the particles that it stands for.
#include "kernels/elements/modal_body.hpp"
#include "tests/catch.hpp"
#include "tests/kernels/generic/one_element.hpp"

using namespace sinew;
using namespace sinew::trial;

namespace {

/// Particles about their centre of mass, and shapes that are orthogonal to each other and to rigid motions.
class Particles {
 public:
  Particles(unsigned seed, int shapes) {
    Sampler sample(seed);
    Vec3<double> centre;
    for (int i = 0; i < 9; ++i) {
      particles_.push_back({sample.uniform(0.1, 0.3), sample.vector(1), {}});
      mass_ += particles_.back().mass;
      centre += particles_.back().mass * particles_.back().place;
    }
    for (ModalBody::Particle& p : particles_) p.place -= (1 / mass_) * centre;
    std::vector<Field> known;
    for (int k = 0; k < 6; ++k) {
      Vec3<double> axis;
      axis[k % 3] = 1;
      Field rigid;
      for (const ModalBody::Particle& p : particles_) rigid.push_back(k < 3 ? axis : cross(axis, p.place));
      known.push_back(orthogonal(rigid, known));
    }
    for (int k = 0; k < shapes; ++k) {
      Field shape;
      for (std::size_t i = 0; i < particles_.size(); ++i) shape.push_back(sample.vector(0.5));
      known.push_back(orthogonal(shape, known));
      shapes_.push_back(known.back());
      for (std::size_t i = 0; i < particles_.size(); ++i) particles_[i].shapes.push_back(shapes_.back()[i]);
    }
  }

  std::vector<double> params() const {
    ModalBody::Params p{mass_, {}, {}};
    for (const ModalBody::Particle& one : particles_)
      p.inertia = p.inertia + one.mass * (dot(one.place, one.place) * identity<double, 3>() - outer(one.place, one.place));
    std::vector<ModalBody::Shape> alone;
    std::vector<Mat3<double>> B, D;
    for (std::size_t j = 0; j < shapes_.size(); ++j) {
      alone.push_back({product(shapes_[j], shapes_[j]), 5});
      B.push_back(integral([j](const ModalBody::Particle& one) { return outer(one.place, one.shapes[j]); }));
      for (std::size_t k = j; k < shapes_.size(); ++k)
        D.push_back(integral([j, k](const ModalBody::Particle& one) { return outer(one.shapes[j], one.shapes[k]); }));
    }
    std::vector<double> words = packed(p);
    const std::vector<double> undamped((6 + shapes_.size()) * (6 + shapes_.size()), 0.0);
    const std::vector<double> numbers = ModalBody::numbers(alone, B, D, undamped);
    words.insert(words.end(), numbers.begin(), numbers.end());
    return words;
  }

  /// Sum of 1/2 m |x'|^2.
  double kinetic_energy(const ElementState& s) const {
    const Mat3<double> R = s.frame(0).R;
    double sum = 0;
    for (const ModalBody::Particle& one : particles_) {
      Vec3<double> arm = one.place, rate;
      for (std::size_t k = 0; k < shapes_.size(); ++k) {
        arm += s.x[k + 1][0] * one.shapes[k];
        rate += s.z[k + 1].v[0] * one.shapes[k];
      }
      const Vec3<double> velocity = s.z[0].v + R * (cross(s.z[0].omega, arm) + rate);
      sum += 0.5 * one.mass * dot(velocity, velocity);
    }
    return sum;
  }

 private:
  using Field = std::vector<Vec3<double>>;

  double product(const Field& a, const Field& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += particles_[i].mass * dot(a[i], b[i]);
    return sum;
  }
  Field orthogonal(Field field, const std::vector<Field>& known) const {
    for (int round = 0; round < 2; ++round)
      for (const Field& other : known) {
        const double along = product(field, other) / product(other, other);
        for (std::size_t i = 0; i < field.size(); ++i) field[i] -= along * other[i];
      }
    return field;
  }
  template <class Density>
  Mat3<double> integral(const Density& density) const {
    Mat3<double> sum;
    for (const ModalBody::Particle& one : particles_) sum = sum + one.mass * density(one);
    return sum;
  }

  std::vector<ModalBody::Particle> particles_;
  std::vector<Field> shapes_;
  double mass_ = 0;
};

}  // namespace

TEST_CASE("a body of shapes has the kinetic energy of its particles", "[serial]") {
  const ElementEntry entry = make_element_entry<ModalBody>();
  for (unsigned seed = 0; seed < 6; ++seed) {
    const int shapes = 1 + static_cast<int>(seed % 4);
    INFO("seed " << seed << ", shapes " << shapes);
    const Particles particles(seed, shapes);
    const OneElement element(entry, particles.params(), 1 + shapes);
    Setup setup;
    setup.places.resize(static_cast<std::size_t>(1 + shapes));
    ElementState state = random_state(entry, setup, seed);
    const std::vector<double> M = element.projection(state);
    const auto D = static_cast<std::size_t>(element.dofs());
    double twice = 0;
    for (std::size_t i = 0; i < D; ++i)
      for (std::size_t j = 0; j < D; ++j)
        twice += state.velocity(static_cast<int>(i)) * M[i * D + j] * state.velocity(static_cast<int>(j));
    CHECK(0.5 * twice == Approx(particles.kinetic_energy(state)).epsilon(1e-12));
  }
}
