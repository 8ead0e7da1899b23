#include "base/vector_pool.hpp"

#include "tests/catch.hpp"

using namespace sinew;

namespace {

VecHandle make_vector() {
  VecHandle v;
  petsc(VecCreateSeq(PETSC_COMM_SELF, 3, v.address()));
  return v;
}

}  // namespace

TEST_CASE("a pool of vectors makes as many as are lent at a time, and lends them again", "[serial]") {
  VectorPool pool(make_vector);
  PetscVec first = nullptr;
  {
    const VectorPool::Loan a = pool.borrow();
    first = a;
    CHECK(pool.num_idle() == 0);
  }
  CHECK(pool.num_idle() == 1);
  const VectorPool::Loan again = pool.borrow();
  CHECK(again.get() == first);
  {
    const VectorPool::Loan b = pool.borrow();
    CHECK(b.get() != first);
  }
  CHECK(pool.num_idle() == 1);
}

TEST_CASE("a loan that is moved, replaced or given back returns every vector once", "[serial]") {
  VectorPool pool(make_vector);
  VectorPool::Loan held = pool.borrow();
  const PetscVec first = held;
  VectorPool::Loan other = std::move(held);
  CHECK(other.get() == first);
  CHECK_FALSE(static_cast<bool>(held));
  other = pool.borrow();
  CHECK(other.get() != first);
  CHECK(pool.num_idle() == 1);
  other.give_back();
  other.give_back();
  CHECK_FALSE(static_cast<bool>(other));
  CHECK(pool.num_idle() == 2);
}
