/// \file
/// Work vectors for those who need them at different times.
#pragma once

#include "base/petsc.hpp"

#include <functional>
#include <utility>
#include <vector>

namespace sinew {

/// Lends vectors of one layout, as many as are out at a time; what comes back is lent again and stays allocated until then. Their
/// numbers are those that the last borrower left.
class VectorPool {
 public:
  /// `make`: a vector of the layout; it is called by all ranks.
  explicit VectorPool(std::function<VecHandle()> make) : make_(std::move(make)) {}
  VectorPool(const VectorPool&) = delete;
  VectorPool& operator=(const VectorPool&) = delete;

  /// A borrowed vector; it goes back where this ends, which must be before the pool does. Null when nothing is borrowed.
  class Loan {
   public:
    Loan() = default;
    Loan(VectorPool& pool, VecHandle vector) : pool_(&pool), vector_(std::move(vector)) {}
    Loan(Loan&&) = default;
    Loan& operator=(Loan&& other) noexcept {
      std::swap(pool_, other.pool_);
      std::swap(vector_, other.vector_);
      other.give_back();
      return *this;
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() { give_back(); }

    void give_back() {
      if (vector_) pool_->idle_.push_back(std::move(vector_));
    }
    operator PetscVec() const { return vector_; }  // NOLINT: as of VecHandle
    PetscVec get() const { return vector_; }
    explicit operator bool() const { return static_cast<bool>(vector_); }

   private:
    VectorPool* pool_ = nullptr;
    VecHandle vector_;
  };

  /// Collective where all that there are have been lent.
  Loan borrow() {
    if (idle_.empty()) return {*this, make_()};
    VecHandle vector = std::move(idle_.back());
    idle_.pop_back();
    return {*this, std::move(vector)};
  }
  /// Vectors that are not lent.
  std::size_t num_idle() const { return idle_.size(); }

 private:
  std::function<VecHandle()> make_;
  std::vector<VecHandle> idle_;
};

}  // namespace sinew
