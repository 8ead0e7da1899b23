#include "linear/solver_chain.hpp"
#include "linear/solver_notes.hpp"
#include "tests/catch.hpp"

#include <vector>

using namespace sinew;

namespace {

/// Does what it is told to, and counts.
struct StandIn {
  std::string name;
  bool factorises = true, solves = true;
  int factorisations = 0, solutions = 0;
};

class Told final : public KktSolver {
 public:
  explicit Told(StandIn& told) : told_(told) {}
  bool factorise(PetscMat) override { return ++told_.factorisations, told_.factorises; }
  bool solve(PetscVec, PetscVec) override { return ++told_.solutions, told_.solves; }
  std::string describe() const override { return told_.name; }

 private:
  StandIn& told_;
};

SolverChain chain_of(std::vector<StandIn>& all) {
  return SolverChain([&all](PetscMat) {
    SolverChain::Candidates candidates;
    for (StandIn& told : all) candidates.push_back(std::make_unique<Told>(told));
    return candidates;
  });
}

std::vector<StandIn> two() { return {{"trees"}, {"mumps"}}; }

}  // namespace

TEST_CASE("the next solver takes the place of one that fails, and the first is asked again ever more seldom", "[serial]") {
  std::vector<StandIn> all = two();
  SolverChain chain = chain_of(all);
  all[0].factorises = false;
  std::vector<int> attempts;  // before which factorisations the first was asked
  for (int k = 1; k <= 40; ++k) {
    const int before = all[0].factorisations;
    CHECK(chain.factorise(nullptr));
    CHECK(chain.solve(nullptr, nullptr));
    if (all[0].factorisations > before) attempts.push_back(k);
  }
  CHECK(attempts == std::vector<int>{1, 3, 6, 11, 20, 37});
  CHECK(chain.describe() == "mumps");
  CHECK(chain.detours() == "40 of 40 factorisations by mumps, as trees failed");
}

TEST_CASE("a solver that failed once serves again when it can", "[serial]") {
  std::vector<StandIn> all = two();
  SolverChain chain = chain_of(all);
  for (int k = 0; k < 20; ++k) {
    all[0].factorises = k != 5;
    CHECK(chain.factorise(nullptr));
    CHECK(chain.solve(nullptr, nullptr));
  }
  CHECK(chain.describe() == "trees");
  CHECK(chain.detours() == "2 of 20 factorisations by mumps, as trees failed");
}

TEST_CASE("a solution that is none is sought with the next solver's factors", "[serial]") {
  std::vector<StandIn> all = two();
  SolverChain chain = chain_of(all);
  CHECK(!chain.solve(nullptr, nullptr));  // nothing has been factorised
  all[0].solves = false;
  CHECK(chain.factorise(nullptr));
  CHECK(chain.solve(nullptr, nullptr));
  CHECK(all[1].factorisations == 1);
  all[1].solves = false;
  CHECK(!chain.solve(nullptr, nullptr));  // nobody is left
  all[0].solves = true;
  CHECK(chain.factorise(nullptr));  // by the second, whose turn it still is
  CHECK(!chain.solve(nullptr, nullptr));
  CHECK(chain.factorise(nullptr));
  CHECK(chain.solve(nullptr, nullptr));
  CHECK(chain.describe() == "trees");
}

TEST_CASE("where all solvers fail the last is asked first with the next matrix", "[serial]") {
  std::vector<StandIn> all = two();
  SolverChain chain = chain_of(all);
  all[0].factorises = all[1].factorises = false;
  CHECK(!chain.factorise(nullptr));
  CHECK(!chain.solve(nullptr, nullptr));
  CHECK(chain.detours().empty());
  all[1].factorises = true;
  CHECK(chain.factorise(nullptr));
  CHECK(all[0].factorisations == 1);
  CHECK(chain.detours() == "1 of 2 factorisations by mumps, as trees failed");
}

TEST_CASE("who reads the notes on solvers is told which needed another in their place for long", "[serial]") {
  const std::string before = detours_of_solvers();
  note_solver("test_plain_", [] { return SolverNote{"trees", {}, {}, 0}; });
  CHECK(detours_of_solvers() == before);
  const auto detour = [](double seconds) {
    return [seconds] { return SolverNote{"mumps", {}, "1 of 2 factorisations by mumps, as trees failed", seconds}; };
  };
  note_solver("test_detour_", detour(0.1));
  CHECK(detours_of_solvers() == before);
  note_solver("test_detour_", detour(3));
  const std::string line = "linear solver test_detour_: 1 of 2 factorisations by mumps, as trees failed\n";
  CHECK(detours_of_solvers().find(line) != std::string::npos);
  CHECK(solver_notes().at("test_detour_").solver == "mumps");
}
