/// \file
/// LU factors of a KKT matrix by NVIDIA's cuDSS, on the device that element loops run on.
#pragma once

#include "base/petsc.hpp"
#include "linear/matrix_rows.hpp"
#include "system/kkt_unknowns.hpp"

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

/// The same as TreeFactors, with its interface, of a whole matrix: those of one rank. The order of the unknowns is cuDSS's own
/// and kept from one factorisation to the next, as is what it has found out about large pivots: pivots are sought within small
/// blocks alone, and those that are too small are replaced. So the first solution with any factors has to be looked at. The
/// pattern and the entries are copied to the device, these once a factorisation, and vectors once a solution each way. What cuDSS
/// reports as an error (no room, no device) counts as factors that do not exist.
class CudssFactors {
 public:
  CudssFactors();
  ~CudssFactors();
  CudssFactors(CudssFactors&&) noexcept;
  CudssFactors& operator=(CudssFactors&&) noexcept;

  /// Must come first, once. False where some unknowns are to be kept: several ranks share the matrix.
  bool analyse(const SparseRows&, const KktUnknowns&, const std::vector<PetscInt>& kept = {});
  /// The pattern without factors: for another matrix of it, before its `factorise`.
  CudssFactors without_numbers() const;
  /// The next factorisation orders and scales anew.
  void forget_pivots();
  /// False: there are no factors. Nothing else is of use then.
  bool factorise(const SparseRows&);
  /// Not known, which is not less than anything.
  double growth() const { return std::numeric_limits<double>::quiet_NaN(); }
  /// Of nothing kept.
  const std::vector<double>& complement() const { return complement_; }

  /// Solves for one right-hand side or two (two_sides.hpp); `backward` hands the solution over.
  template <class Sides>
  void forward(const Sides& b, typename Sides::Number* rest);
  template <class Sides>
  void backward(const typename Sides::Number* kept, const Sides& x);

  /// See TreeFactors.
  bool has_another_way() const { return false; }
  CudssFactors another_way() const { return {}; }
  /// Two right-hand sides cost little more than one.
  bool is_divided() const { return true; }
  /// For people: version, entries of the factors, pivots replaced.
  std::string describe() const;

 private:
  class Columns;
  struct Pattern;
  struct Session;
  std::shared_ptr<const Pattern> pattern_;
  std::unique_ptr<Session> session_;
  std::vector<double> complement_;
};

/// The version of the library, such as 1.0.0; empty where Sinew was built without it.
std::string cudss_version();

}  // namespace sinew
