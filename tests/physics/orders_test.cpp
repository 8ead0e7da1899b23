#include "tests/physics/known_motions.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

void check_vector(const Values& values, const std::string& sensor, const Vector3& expected, double tolerance) {
  const Vector3 found{{values.at(sensor + ".x"), values.at(sensor + ".y"), values.at(sensor + ".z")}};
  CAPTURE(sensor, found[0], found[1], found[2]);
  CHECK(norm(found - expected) <= tolerance * (1 + norm(expected)));
}

StudyChoices study(double end_time, std::vector<int> counts, double rho_inf = 0.8) {
  StudyChoices c;
  c.end_time = end_time;
  c.counts = std::move(counts);
  c.rho_inf = rho_inf;
  return c;
}

/// Order 2 with equal and with alternating steps, and a smooth start of the reaction.
void check_both(const KnownMotion& motion, StudyChoices choices, const std::string& reaction) {
  const std::vector<Errors> table = check_orders(motion, choices);
  if (!reaction.empty()) check_start(motion, reaction, table);
  choices.alternating = true;
  check_orders(motion, choices);
}

}  // namespace

TEST_CASE("The reference motions agree with the published figures", "[serial]") {
  // heavy top: three independent integrations; pendulum: elliptic functions; disc: closed form and an ODE
  const Values top = heavy_top().exact()(0.5);
  check_vector(top, "top.position", {{-0.7024682970565845, -0.021165184701921858, -0.7114002576517346}}, 1e-9);
  check_vector(top, "pivot.force", {{-523.2812435144019, -404.2061783202594, -357.3361764531799}}, 1e-8);
  const Values free = precession().exact()(5.0);
  CHECK(std::abs(free.at("body.orientation.w")) == Approx(0.630514145839).epsilon(1e-9));
  const Values bob = pendulum().exact()(1.0);
  check_vector(bob, "bob.position", {{0.9862917511318753, -0.1650108531255412, 0}}, 1e-10);
  check_vector(bob, "rod.force", 4.856269407484676 * Vector3{{0.9862917511318753, -0.1650108531255412, 0}}, 1e-9);
  const Values outer = double_pendulum().exact()(1.0);
  check_vector(outer, "outer.position", {{-1.4448188499434822, -1.3217944613814407, 0}}, 1e-9);
  CHECK(std::hypot(outer.at("upper.force.x"), outer.at("upper.force.y")) == Approx(2 * 20.81803943629435).epsilon(1e-9));
  const Values rod = revolute_pendulum().exact()(0.5);
  check_vector(rod, "rod.position", {{1.6608077537, 0, -1.1143238331}}, 1e-9);
  check_vector(rod, "hinge.force", {{13.2797181195, 0, -9.1492524041}}, 1e-9);
  const Values disc = general_disc().exact()(1.0);
  check_vector(disc, "disc.position", {{1.9331533105466603, 1.6423025636018214, 0.4801311463618902}}, 1e-8);
  check_vector(disc, "contact.force", {{-2.8118354614854546, 1.5703419256847106, -20.019475342167684}}, 1e-8);
  const Values steady = steady_disc().exact()(0.5);
  check_vector(steady, "disc.position", {{1.5437487240724823, 0.9808384346483229, 0.46984631039295416}}, 1e-9);
  check_vector(steady, "contact.force", {{3.956611088322212, 2.5138781758111715, -19.62}}, 1e-9);
}

TEST_CASE("The heavy top is of order 2 in motion, accelerations and reaction", "[serial]") {
  check_both(heavy_top(), study(0.25, {500, 1000, 2000}, 0.9), "force");
}

TEST_CASE("The heavy top has the errors of the method's publication", "[serial]") {
  // largest errors over one second at h = 1 ms, rho_inf 0.9: an independent implementation of the Lie group method
  const Errors e = measure_errors(heavy_top(), study(1, {}, 0.9), 1000);
  const KnownMotion motion = heavy_top();
  for (std::size_t i = 0; i < motion.quantities.size(); ++i)
    if (motion.quantities[i].name == "force") CHECK(e.all[i] == Approx(1.52).epsilon(0.02));
}

TEST_CASE("The free precession is of order 2 and needs its initial acceleration", "[serial]") {
  check_both(precession(), study(5, {250, 500, 1000}, 0.8), "");
  StudyChoices zero = study(5, {500, 1000}, 0.9);
  zero.start = "zero";
  const Errors coarse = measure_errors(precession(), zero, 500), fine = measure_errors(precession(), zero, 1000);
  CHECK(coarse.all[0] / fine.all[0] < 2.3);
}

TEST_CASE("The pendulum is of order 2 in motion, acceleration and tension", "[serial]") {
  check_both(pendulum(), study(1, {200, 400, 800}), "force");
}

TEST_CASE("The double pendulum is of order 2 in motion, accelerations and tensions", "[serial]") {
  check_both(double_pendulum(), study(1, {400, 800, 1600}), "upper force");
}

TEST_CASE("The revolute pendulum is of order 2 in motion, acceleration and joint force", "[serial]") {
  check_both(revolute_pendulum(), study(1, {200, 400, 800}), "force");
}

TEST_CASE("A disc that rolls steadily is of order 2 in motion, acceleration and contact force", "[serial]") {
  check_both(steady_disc(), study(1, {400, 800, 1600}), "force");
}

TEST_CASE("A disc that rolls and nutates is of order 2 in motion, acceleration and contact force", "[serial]") {
  check_both(general_disc(), study(1, {200, 400, 800}), "force");
}

TEST_CASE("Alternating steps without the updates lose an order", "[serial]") {
  for (const KnownMotion& motion : {heavy_top(), pendulum(), general_disc()}) {
    StudyChoices c = study(0.25, {}, 0.8);
    c.alternating = true;
    c.updates = "none";
    const Errors coarse = measure_errors(motion, c, 250), fine = measure_errors(motion, c, 500);
    INFO(motion.model.substr(0, 40));
    CHECK(std::log2(coarse.all.back() / fine.all.back()) < 1.3);
    CHECK(std::log2(coarse.all.front() / fine.all.front()) < 1.6);
  }
}

TEST_CASE("The reaction of the heavy top oscillates where the first acceleration or the method is of lower order", "[serial]") {
  const KnownMotion motion = heavy_top();
  StudyChoices c = study(0.1, {}, 0.9);
  c.start = "a0";
  const auto ratio = [&] { return measure_errors(motion, c, 200).first.back() / measure_errors(motion, c, 400).first.back(); };
  CHECK(ratio() < 3);
  // index 3: published and independent figures at h = 1 ms and 0.5 ms, order 1
  c.start = "derivative";
  c.integrator = "gen-alpha";
  const Errors coarse = measure_errors(motion, c, 100), fine = measure_errors(motion, c, 200);
  CHECK(coarse.all.back() == Approx(123).epsilon(0.05));
  CHECK(fine.all.back() == Approx(60.3).epsilon(0.05));
}

TEST_CASE("Constraints do not drift over ten thousand steps", "[serial]") {
  const auto worst = [](const KnownMotion& motion, double end_time, int count, double length, double speed) {
    const Trajectory run = run_model(
        MPI_COMM_SELF, motion.model + fmt::format("analysis: {{end_time: {}, step: {:.17g}, newton: {{tolerance: 1e-12}}}}\n",
                                                  end_time, end_time / count));
    CHECK(run.summary.steps == count);
    double largest = 0;
    for (const Values& v : run.values)
      largest = std::max({largest, v.at("drift.position") / length, v.at("drift.velocity") / speed});
    return largest;
  };
  CHECK(worst(heavy_top(), 5, 10000, 1, 4.6) < 1e-10);
  CHECK(worst(double_pendulum(), 10, 10000, 2, 5) < 1e-10);
}
