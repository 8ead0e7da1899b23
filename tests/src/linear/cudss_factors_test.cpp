// Factors by cuDSS, the library's place taken by dense LU on the host: what is called, and in which order.

#ifndef SINEW_HAVE_CUDSS  // else stand_in/ must not hide the library
#define SINEW_HAVE_CUDSS
#include "linear/cudss_factors.cpp"

#include "tests/catch.hpp"

using namespace sinew;

namespace {

/// [K G^T; G 0] of a chain of three points that one row ties: nothing stands on the diagonal of the row.
struct Chain {
  std::vector<PetscInt> starts{0, 3, 6, 9, 11}, columns{0, 1, 3, 0, 1, 2, 1, 2, 3, 0, 2};
  std::vector<PetscScalar> values;
  explicit Chain(double k) : values{k, -1, 1, -1, k, -1, -1, k, -1, 1, -1} {}

  SparseRows rows() const {
    SparseRows rows;
    rows.n = rows.num_first = 4;
    rows.starts = starts.data();
    rows.columns = columns.data();
    rows.values = {values.data(), 11, nullptr};
    return rows;
  }
  /// The largest entry of b - A x.
  double residual(const double* b, const double* x) const {
    double largest = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      double left = b[i];
      for (auto k = static_cast<std::size_t>(starts[i]); k < static_cast<std::size_t>(starts[i + 1]); ++k)
        left -= values[k] * x[columns[k]];
      largest = std::max(largest, std::abs(left));
    }
    return largest;
  }
};

}  // namespace

TEST_CASE("cuDSS orders once, refactorises, and solves for one side and for two", "[serial]") {
  cudss_stand_in::calls = {};
  {
    const Chain first(4), second(5);
    CudssFactors factors;
    REQUIRE(factors.analyse(first.rows(), KktUnknowns()));
    const double b[] = {1, 2, 3, 4}, c[] = {-1, 0, 2, 1};
    double x[4], y[4];
    for (const Chain* chain : {&first, &second}) {
      REQUIRE(factors.factorise(chain->rows()));
      factors.forward(OneSide<const PetscScalar>{b}, nullptr);
      factors.backward(nullptr, OneSide<PetscScalar>{x});
      CHECK(chain->residual(b, x) < 1e-14);
      factors.forward(TwoSides<const PetscScalar>{b, c}, nullptr);
      factors.backward(nullptr, TwoSides<PetscScalar>{x, y});
      CHECK(chain->residual(b, x) < 1e-14);
      CHECK(chain->residual(c, y) < 1e-14);
    }
    CHECK(cudss_stand_in::calls.analyses == 1);
    CHECK(cudss_stand_in::calls.factorisations == 1);
    CHECK(cudss_stand_in::calls.refactorisations == 1);
    CHECK(cudss_stand_in::calls.solutions == 4);

    CudssFactors others = factors.without_numbers();
    REQUIRE(others.factorise(second.rows()));
    others.forward(OneSide<const PetscScalar>{c}, nullptr);
    others.backward(nullptr, OneSide<PetscScalar>{y});
    CHECK(second.residual(c, y) < 1e-14);

    factors.forget_pivots();
    REQUIRE(factors.factorise(first.rows()));
    CHECK(cudss_stand_in::calls.analyses == 3);
  }
  CHECK(cudss_stand_in::calls.objects == 0);
}

TEST_CASE("cuDSS: a singular matrix has no factors, the next one has; parts of ranks are refused", "[serial]") {
  const Chain regular(4);
  Chain singular(0);
  std::fill(singular.values.begin(), singular.values.end(), 0.0);
  CudssFactors factors;
  REQUIRE(factors.analyse(regular.rows(), KktUnknowns()));
  CHECK(factors.factorise(regular.rows()));
  CHECK_FALSE(factors.factorise(singular.rows()));
  CHECK(factors.factorise(regular.rows()));
  CHECK_FALSE(CudssFactors().analyse(regular.rows(), KktUnknowns(), {3}));
}

#else

#include "tests/catch.hpp"

#include <algorithm>
TEST_CASE("cuDSS orders once, refactorises, and solves for one side and for two", "[serial]") { SUCCEED(); }

#endif
