// What is particular to beams: strains, their rates, objectivity, integration along the line, mass, sections.

#include "kernels/directional.hpp"
#include "kernels/elements/beam.hpp"

#include "tests/catch.hpp"
#include "tests/kernels/elements/element_checks.hpp"

#include <algorithm>
#include <vector>

namespace sinew {
namespace {

constexpr double pi = 3.14159265358979323846;

/// Runs the body for beams of two, three and four nodes, of either viscosity; its argument carries the type.
template <class Body>
void for_every_order(Body body) {
  body(Beam<2>{});
  body(Beam<3>{});
  body(Beam<4>{});
  body(Beam<2, BeamViscosity::by_component>{});
  body(Beam<3, BeamViscosity::by_component>{});
  body(Beam<4, BeamViscosity::by_component>{});
}

template <class B>
typename B::Params without_viscosity(typename B::Params p) {
  if constexpr (B::by_component) {
    for (auto& D : p.viscosity) D = {};
  } else {
    p.tau = 0;
  }
  return p;
}

/// Every frame moved by the same rigid motion, x -> Q x + d.
template <class States>
States moved_rigidly(States z, const Mat3<double>& Q, const Vec3<double>& d) {
  for (auto& frame : z.frame) {
    frame.x = Q * frame.x + d;
    frame.R = Q * frame.R;
  }
  return z;
}

/// Nodes at `size` from where they are, with random velocities.
template <class States>
States shaken(States z, Sampler& sample, double size) {
  for (auto& frame : z.frame) {
    frame.x += sample.vector(size);
    frame.R = frame.R * rotation(sample.vector(size));
  }
  for (auto& twist : z.twist) twist = {sample.vector(1), sample.vector(1)};
  return z;
}

template <class B>
NodeForces<double, NodeKind::frame, B::num_nodes> forces_in(const typename B::Params& p, const Environment& env,
                                                            const typename B::States& z) {
  NodeForces<double, NodeKind::frame, B::num_nodes> f;
  B::force(p, env, nullptr, z, f);
  return f;
}

template <class B>
NodeForces<double, NodeKind::frame, B::num_nodes> forces(const typename B::Params& p, const typename B::States& z) {
  return forces_in<B>(p, Environment{}, z);
}

template <class B>
double largest_of(const NodeForces<double, NodeKind::frame, B::num_nodes>& f) {
  double m = 0;
  for (const auto& w : f.f)
    for (const double size : {norm(w.force), norm(w.moment)}) m = size <= m ? m : size;
  return m;
}

template <class B>
Vec<double, 6> strain(const typename B::Params& p, const typename B::States& z, int q) {
  const typename B::template Turns<double> turns(z.frame);
  const typename B::template Section<double> s(turns, z.frame, B::Line::shapes(B::Line::point(q)), p.metric[q]);
  return s.strain();
}

TEST_CASE("A beam at its reference is free of stress, and a rigid motion leaves it so", "[serial]") {
  for_every_order([](auto beam) {
    using B = decltype(beam);
    for (unsigned seed = 0; seed < 8; ++seed) {
      Sampler sample(seed);
      const auto p = B::example(seed);
      const auto z = B::example_reference(p);
      CHECK(largest_of<B>(forces<B>(p, z)) < 1e-12);
      for (const double size : {0.1, 1.0, 2.5}) {
        const auto moved = moved_rigidly(z, rotation(sample.vector(size)), sample.vector(10));
        CHECK(largest_of<B>(forces<B>(p, moved)) < 1e-12 * 30);
      }
    }
  });
}

TEST_CASE("Strains of a beam do not see a rigid motion laid over any deformation", "[serial]") {
  for_every_order([](auto beam) {
    using B = decltype(beam);
    for (unsigned seed = 0; seed < 8; ++seed) {
      Sampler sample(seed);
      const auto p = B::example(seed);
      const auto z = shaken(B::example_reference(p), sample, 0.4);
      const auto moved = moved_rigidly(z, rotation(sample.vector(3)), sample.vector(2));
      for (int q = 0; q < B::num_points; ++q) {
        const Vec<double, 6> difference = strain<B>(p, moved, q) - strain<B>(p, z, q);
        CHECK(norm(difference) < 1e-13);
      }
    }
  });
}

TEST_CASE("A line of constant curvature and torsion has exactly these strains of turning", "[serial]") {
  for_every_order([](auto beam) {
    using B = decltype(beam);
    for (const double angle : {1e-9, 1e-3, 0.4, 2.0, 2.9}) {
      Frame<double> frames[B::num_nodes];
      const Vec3<double> k{{0.48 * angle, -0.6 * angle, 0.64 * angle}};
      for (int a = 0; a < B::num_nodes; ++a) {
        frames[a].x[0] = B::Line::node(a);
        frames[a].R = rotation(B::Line::node(a) * k);
      }
      typename B::Params p;
      B::set_reference(frames, p);
      for (int q = 0; q < B::num_points; ++q)
        for (int i = 0; i < 3; ++i) CHECK(p.reference[q][3 + i] == Approx(k[i]).epsilon(1e-12));
    }
  });
}

TEST_CASE("The rates of a beam's strains are the rates at which they change", "[serial]") {
  for_every_order([](auto beam) {
    using B = decltype(beam);
    for (unsigned seed = 0; seed < 8; ++seed) {
      Sampler sample(seed);
      const auto p = B::example(seed);
      const auto z = shaken(B::example_reference(p), sample, 0.4);
      const auto after = [&z](double t) {
        auto y = z;
        for (int a = 0; a < B::num_nodes; ++a) {
          y.frame[a].x += t * z.twist[a].v;
          y.frame[a].R = y.frame[a].R * rotation(t * z.twist[a].omega);
        }
        return y;
      };
      const typename B::template Turns<double> turns(z.frame);
      constexpr double h = 1e-5;
      for (int q = 0; q < B::num_points; ++q) {
        const double xi = B::Line::point(q);
        const typename B::template Section<double> s(turns, z.frame, B::Line::shapes(xi), p.metric[q]);
        const Vec<double, 6> rate = B::strain_rate(turns, s, z.twist, B::Line::shapes(xi), p.metric[q]);
        const Vec<double, 6> differences = (1 / (2 * h)) * (strain<B>(p, after(h), q) - strain<B>(p, after(-h), q));
        CHECK(norm(rate - differences) < 1e-8 * (1 + norm(rate)));
      }
    }
  });
}

// The motion between the two states is a long one, along which strains are far from linear.
TEST_CASE("Stresses of a beam that are extrapolated are those of strains to first order, whatever the motion", "[serial]") {
  for_every_order([](auto beam) {
    using B = decltype(beam);
    for (unsigned seed = 0; seed < 8; ++seed) {
      Sampler sample(seed);
      const auto p = B::example(seed);
      const auto before = shaken(B::example_reference(p), sample, 0.4);
      auto now = before;
      for (int a = 0; a < B::num_nodes; ++a) {
        now.frame[a].x += before.twist[a].v;
        now.frame[a].R = now.frame[a].R * rotation(before.twist[a].omega);
      }
      auto extrapolated = p;
      B::extrapolate(extrapolated, before, now);
      const typename B::template Turns<double> turns(before.frame);
      for (int q = 0; q < B::num_points; ++q) {
        const double xi = B::Line::point(q);
        const typename B::template Section<double> s(turns, before.frame, B::Line::shapes(xi), p.metric[q]);
        const Vec<double, 6> first =
            strain<B>(p, before, q) - p.reference[q] + B::strain_rate(turns, s, before.twist, B::Line::shapes(xi), p.metric[q]);
        CHECK(norm(strain<B>(extrapolated, now, q) - extrapolated.reference[q] - first) < 1e-12 * (1 + norm(first)));
      }
    }
  });
}

TEST_CASE("Viscosity of a beam takes power, and none from a rigid motion", "[serial]") {
  for_every_order([](auto beam) {
    using B = decltype(beam);
    Sampler sample(3);
    auto p = B::example(2);
    p.alpha = 0;
    for (int a = 0; a < B::num_nodes; ++a) {
      p.mass[a] = 0;
      p.inertia[a] = {};
    }
    auto z = shaken(B::example_reference(p), sample, 0.3);
    const auto elastic = [&] { return forces<B>(without_viscosity<B>(p), z); };
    const auto power = [&] {
      const auto viscous = forces<B>(p, z), without = elastic();
      double sum = 0;
      for (int a = 0; a < B::num_nodes; ++a)
        sum += dot(viscous.f[a].force - without.f[a].force, z.twist[a].v) +
               dot(viscous.f[a].moment - without.f[a].moment, z.twist[a].omega);
      return sum;
    };
    CHECK(power() < -1e-3);
    const Vec3<double> omega = sample.vector(1), v = sample.vector(1);
    for (int a = 0; a < B::num_nodes; ++a) z.twist[a] = {v + cross(omega, z.frame[a].x), transpose_times(z.frame[a].R, omega)};
    CHECK(std::abs(power()) < 1e-13);
    CHECK(std::abs(largest_of<B>(forces<B>(p, z)) - largest_of<B>(elastic())) < 1e-11);
  });
}

TEST_CASE("A beam's mass and first moments are those of its line", "[serial]") {
  for_every_order([](auto beam) {
    using B = decltype(beam);
    typename B::Params p;
    Frame<double> frames[B::num_nodes];
    for (int a = 0; a < B::num_nodes; ++a) frames[a].x[0] = 3 * B::Line::node(a);
    B::set_reference(frames, p);
    typename B::Matter matter;
    matter.mass = 2;
    double mass = 0, first = 0, second = 0;
    for (int a = 0; a < B::num_nodes; ++a) {
      B::set_inertia(a, matter, {}, 3 * B::Line::node_weight(a), p);
      mass += p.mass[a];
      first += p.mass[a] * frames[a].x[0];
      second += p.mass[a] * frames[a].x[0] * frames[a].x[0];
    }
    CHECK(mass == Approx(6));
    CHECK(first == Approx(9));
    if (B::num_nodes > 2) CHECK(second == Approx(18));  // Lobatto's rule of two points is exact to the first moment
  });
}

TEST_CASE("A beam's tangent by hand is that of dual numbers", "[serial]") {
  for_every_order([](auto beam) {
    using B = decltype(beam);
    constexpr int D = B::num_dofs;
    for (unsigned seed = 0; seed < 6; ++seed)
      for (const double size : {1e-3, 0.3, 1.0}) {
        Sampler sample(seed);
        const auto p = B::example(seed);  // every other one is viscous
        const auto z = shaken(B::example_reference(p), sample, size);
        const Environment env{0, {{1, -2, 3}}};
        Mat<double, D> hand, dual;
        B::tangent(p, env, nullptr, z, 0.7, 1.3, hand);
        add_dual_tangent<B, NodeKind::frame, B::num_nodes>(p, env, nullptr, z, nullptr, 0.7, 1.3, dual);
        double largest = 0, difference = 0;
        for (int i = 0; i < D; ++i)
          for (int j = 0; j < D; ++j) {
            largest = std::max(largest, std::abs(dual(i, j)));
            difference = std::max(difference, std::abs(hand(i, j) - dual(i, j)));
          }
        INFO(B::name << ", seed " << seed << ", size " << size);
        CHECK(difference < 1e-13 * largest);
      }
  });
}

TEST_CASE("Beams in lanes have the forces and the tangents that each has alone", "[serial]") {
  for_every_order([](auto beam) {
    using B = decltype(beam);
    constexpr int D = B::num_dofs, words = sizeof(typename B::Params) / sizeof(double);
    constexpr int numbers = sizeof(typename B::States) / sizeof(double);
    // turns below and above the angle where sums give way to sines, and viscous ones among others
    for (const double size : {1e-3, 0.25, 1.0})
      for (const bool is_viscous : {false, true}) {
        std::vector<typename B::Params> params;
        std::vector<typename B::States> states;
        typename B::template ParamsOf<Lanes> p;
        NodeStates<Lanes, NodeKind::frame, B::num_nodes> z;
        double row[lane_count];
        for (int l = 0; l < lane_count; ++l) {
          const auto seed = static_cast<unsigned>(l);
          Sampler sample(seed + 20);
          params.push_back(B::example(seed));
          if (!is_viscous) params.back() = without_viscosity<B>(params.back());
          states.push_back(shaken(B::example_reference(params.back()), sample, l % 2 == 0 ? size : 0.1 * size));
        }
        for (int i = 0; i < words; ++i) {
          for (int l = 0; l < lane_count; ++l) row[l] = reinterpret_cast<const double*>(&params[l])[i];
          reinterpret_cast<Lanes*>(&p)[i] = Lanes(row);
        }
        for (int i = 0; i < numbers; ++i) {
          for (int l = 0; l < lane_count; ++l) row[l] = reinterpret_cast<const double*>(&states[l])[i];
          reinterpret_cast<Lanes*>(&z)[i] = Lanes(row);
        }
        const Environment env{0, {{1, -2, 3}}};
        NodeForces<Lanes, NodeKind::frame, B::num_nodes> f;
        B::force(p, env, nullptr, z, f);
        Mat<Lanes, D> J;
        B::tangent(p, env, nullptr, z, 0.7, 1.3, J);
        for (int l = 0; l < lane_count; ++l) {
          INFO(B::name << ", size " << size << ", lane " << l);
          const auto alone = forces_in<B>(params[l], env, states[l]);
          for (int a = 0; a < B::num_nodes; ++a)
            for (int c = 0; c < 3; ++c) {
              f.f[a].moment[c].store(row);
              CHECK(row[l] == Approx(alone.f[a].moment[c]).epsilon(1e-11).margin(1e-11));
              f.f[a].force[c].store(row);
              CHECK(row[l] == Approx(alone.f[a].force[c]).epsilon(1e-11).margin(1e-11));
            }
          Mat<double, D> one;
          B::tangent(params[l], env, nullptr, states[l], 0.7, 1.3, one);
          double largest = 0, difference = 0;
          for (int i = 0; i < D; ++i)
            for (int j = 0; j < D; ++j) {
              J(i, j).store(row);
              largest = std::max(largest, std::abs(one(i, j)));
              difference = std::max(difference, std::abs(row[l] - one(i, j)));
            }
          CHECK(difference < 1e-13 * largest);
        }
      }
  });
}

TEST_CASE("Stiffness and mass of a beam do not depend on the line that its sections are described about", "[serial]") {
  // Two descriptions of one beam: nodes on its line, or at c from there. Moved as one rigid motion of each section moves them,
  // both have the same energy, and forces that are the same about the same places.
  for_every_order([](auto beam) {
    using B = decltype(beam);
    Sampler sample(11);
    const auto first = B::example(1);
    const Vec3<double> c{{0.02, 0.3, -0.2}};
    const auto line = B::example_reference(first);
    auto second = first;
    Vec3<double> centre[B::num_nodes];
    for (auto& one : centre) one = c;
    B::set_reference(line.frame, centre, second);
    Mat<double, 6> C;
    for (int q = 0; q < B::num_points; ++q) {
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) C(i, j) = first.stiffness[q](i, j);
      B::set_stiffness(q, C, second);
    }
    // turned alike everywhere, places interpolate in the same way on both lines
    auto z = line;
    const Mat3<double> Q = rotation(sample.vector(2));
    for (auto& frame : z.frame) frame = {Q * frame.x + sample.vector(0.2), Q * frame.R};
    auto y = z;
    for (auto& frame : y.frame) frame.x += frame.R * c;
    CHECK(B::strain_energy(second, y) == Approx(B::strain_energy(first, z)).epsilon(1e-12));
    // about its centre a section has the inertia that Steiner's rule leaves
    typename B::Matter matter;
    matter.mass = 3;
    matter.first_moment = 3.0 * c;
    const Mat3<double> J = Mat3<double>{{{5, 0.1, 0}, {0.1, 4, 0.2}, {0, 0.2, 3}}};
    matter.second_moments = J;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) matter.second_moments(i, j) += 3.0 * ((i == j ? dot(c, c) : 0.0) - c[i] * c[j]);
    B::set_inertia(0, matter, c, 2, second);
    CHECK(second.mass[0] == Approx(6));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) CHECK(second.inertia[0](i, j) == Approx(2 * J(i, j)).margin(1e-13));
  });
}

TEST_CASE("The sections of a beam carry what holds its ends in balance", "[serial]") {
  for_every_order([](auto beam) {
    using B = decltype(beam);
    // a quarter of a circle under pure bending: the same moment everywhere, no force
    typename B::Params p;
    Frame<double> frames[B::num_nodes];
    for (int a = 0; a < B::num_nodes; ++a) frames[a].x[0] = B::Line::node(a);
    B::set_reference(frames, p);
    for (auto& C : p.stiffness)
      for (int i = 0; i < 6; ++i) C(i, i) = i < 3 ? 0.0 : 1.0 + i;
    typename B::States z;
    for (int a = 0; a < B::num_nodes; ++a) {
      z.frame[a] = frames[a];
      z.frame[a].R = rotation({{0, 0, pi / 2 * B::Line::node(a)}});
    }
    for (const double xi : {0.0, 0.3, 1.0}) {
      double out[13];
      B::measure_section(p, z, xi, out);
      for (int i = 0; i < 3; ++i) {
        CHECK(std::abs(out[i]) < 1e-14);
        CHECK(out[3 + i] == Approx(i == 2 ? 6 * pi / 2 : 0).margin(1e-12));
        CHECK(out[10 + i] == Approx(i == 2 ? pi / 2 : 0).margin(1e-12));
      }
    }
  });
}

TEST_CASE("A beam whose ends turn against each other by half a turn is degenerate", "[serial]") {
  for_every_order([](auto beam) {
    using B = decltype(beam);
    const auto p = B::example(1);
    auto z = B::example_reference(p);
    CHECK(B::check(p, z) == Verdict::ok);
    z.frame[B::num_nodes - 1].R = z.frame[B::pivot >= 0 ? B::pivot : B::left].R * rotation({{0, pi, 0}});
    CHECK(B::check(p, z) == Verdict::degenerate);
    z.frame[0].x[1] = std::nan("");
    CHECK(B::check(p, z) == Verdict::not_finite);
  });
}

}  // namespace
}  // namespace sinew
