#include "linear/cudss_factors.hpp"

#ifdef SINEW_HAVE_CUDSS

#include "base/device_array.hpp"
#include "kernels/sweep/family.hpp"
#include "linear/two_sides.hpp"

#include <cudss.h>
#include <fmt/format.h>

#include <cstdint>

namespace sinew {

namespace {

bool is_done(cudssStatus_t status) { return status == CUDSS_STATUS_SUCCESS; }

constexpr cudaDataType_t index_type = sizeof(PetscInt) == 8 ? CUDA_R_64I : CUDA_R_32I;

}  // namespace

/// A vector, or two side by side, as cuDSS knows it.
class CudssFactors::Columns {
 public:
  Columns(const std::string& label, std::ptrdiff_t n, int count) : numbers_(uninitialised<double>(label, n * count)) {
    is_made_ = is_done(cudssMatrixCreateDn(&matrix_, n, count, n, numbers_.data(), CUDA_R_64F, CUDSS_LAYOUT_COL_MAJOR));
  }
  ~Columns() {
    if (is_made_) cudssMatrixDestroy(matrix_);
  }
  Columns(const Columns&) = delete;
  Columns& operator=(const Columns&) = delete;
  bool is_made() const { return is_made_; }
  const cudssMatrix_t& matrix() const { return matrix_; }
  const DeviceArray<double>& numbers() const { return numbers_; }

 private:
  DeviceArray<double> numbers_;
  cudssMatrix_t matrix_ = nullptr;
  bool is_made_ = false;
};

struct CudssFactors::Pattern {
  std::ptrdiff_t n = 0, count = 0;
  DeviceArray<PetscInt> starts, columns;
};

/// What cuDSS has of one matrix. Made in the order of the members; what could not be made is null.
struct CudssFactors::Session {
  explicit Session(const Pattern& p) : entries(uninitialised<double>("cudss.entries", p.count)) {
    if (!is_done(cudssCreate(&handle))) return;
#ifdef KOKKOS_ENABLE_CUDA
    // After what Kokkos has in its queue, and before what comes next.
    if (!is_done(cudssSetStream(handle, ExecutionSpace().cuda_stream()))) return;
#endif
    if (!is_done(cudssConfigCreate(&config)) || !is_done(cudssDataCreate(handle, &data))) return;
    is_made =
        is_done(cudssMatrixCreateCsr(&matrix, p.n, p.n, p.count, p.starts.data(), nullptr, p.columns.data(), entries.data(),
                                     index_type, index_type, CUDA_R_64F, CUDSS_MTYPE_GENERAL, CUDSS_MVIEW_FULL, CUDSS_BASE_ZERO));
  }
  ~Session() {
    if (matrix) cudssMatrixDestroy(matrix);
    if (data) cudssDataDestroy(handle, data);
    if (config) cudssConfigDestroy(config);
    if (handle) cudssDestroy(handle);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  bool execute(int phase, const cudssMatrix_t& x, const cudssMatrix_t& b) const {
    return is_done(cudssExecute(handle, phase, config, data, matrix, x, b));
  }
  /// A number that cuDSS says of the factors; below 0 where it does not.
  template <class T>
  T found(cudssDataParam_t what) const {
    T number = -1;
    std::size_t written = 0;
    return is_done(cudssDataGet(handle, data, what, &number, sizeof number, &written)) ? number : T(-1);
  }

  DeviceArray<double> entries;
  cudssHandle_t handle = nullptr;
  cudssConfig_t config = nullptr;
  cudssData_t data = nullptr;
  cudssMatrix_t matrix = nullptr;
  bool is_made = false, is_analysed = false, is_factorised = false;
  std::unique_ptr<Columns> right[2], solution[2];  ///< of one side and of two
};

CudssFactors::CudssFactors() = default;
CudssFactors::~CudssFactors() = default;
CudssFactors::CudssFactors(CudssFactors&&) noexcept = default;
CudssFactors& CudssFactors::operator=(CudssFactors&&) noexcept = default;

bool CudssFactors::analyse(const SparseRows& A, const KktUnknowns&, const std::vector<PetscInt>& kept) {
  if (!kept.empty() || A.more_starts || A.num_first != A.n) return false;
  Pattern pattern;
  pattern.n = A.n;
  pattern.count = A.starts[A.n];
  pattern.starts = copied_to_device("cudss.starts", A.starts, pattern.n + 1);
  pattern.columns = copied_to_device("cudss.columns", A.columns, pattern.count);
  pattern_ = std::make_shared<const Pattern>(std::move(pattern));
  return true;
}

CudssFactors CudssFactors::without_numbers() const {
  CudssFactors other;
  other.pattern_ = pattern_;
  return other;
}

void CudssFactors::forget_pivots() { session_.reset(); }

bool CudssFactors::factorise(const SparseRows& A) {
  if (!session_) session_ = std::make_unique<Session>(*pattern_);
  Session& s = *session_;
  if (!s.is_made) return false;
  const auto count = static_cast<std::size_t>(pattern_->count);
  Kokkos::deep_copy(s.entries, HostNumbers<const double>(A.values.first, count));
  for (int sides = 1; sides <= 2; ++sides)
    for (std::unique_ptr<Columns>* columns : {s.right, s.solution}) {
      if (!columns[sides - 1]) columns[sides - 1] = std::make_unique<Columns>("cudss.columns", pattern_->n, sides);
      if (!columns[sides - 1]->is_made()) return false;
    }
  const cudssMatrix_t &x = s.solution[0]->matrix(), &b = s.right[0]->matrix();
  if (!s.is_analysed && !(s.is_analysed = s.execute(CUDSS_PHASE_ANALYSIS, x, b))) return false;
  const int phase = s.is_factorised ? CUDSS_PHASE_REFACTORIZATION : CUDSS_PHASE_FACTORIZATION;
  s.is_factorised = s.execute(phase, x, b);
  Kokkos::fence();
  return s.is_factorised && s.found<int>(CUDSS_DATA_INFO) <= 0;
}

template <class Sides>
void CudssFactors::forward(const Sides& b, typename Sides::Number* /*rest*/) {
  constexpr int sides = sides_of<typename Sides::Number>;
  const Session& s = *session_;
  const Columns &right = *s.right[sides - 1], &solution = *s.solution[sides - 1];
  const auto numbers = Kokkos::create_mirror_view(right.numbers());
  for (std::ptrdiff_t i = 0; i < pattern_->n; ++i)
    put(b[i], &numbers(static_cast<std::size_t>(i)), pattern_->n);  // one side behind the other
  Kokkos::deep_copy(right.numbers(), numbers);
  // What fails leaves no solution, which whoever looks at it finds out.
  if (!s.execute(CUDSS_PHASE_SOLVE, solution.matrix(), right.matrix()))
    Kokkos::deep_copy(solution.numbers(), std::numeric_limits<double>::quiet_NaN());
  Kokkos::fence();
}

template <class Sides>
void CudssFactors::backward(const typename Sides::Number* /*kept*/, const Sides& x) {
  using Number = typename Sides::Number;
  const DeviceArray<double>& solution = session_->solution[sides_of<Number> - 1]->numbers();
  const auto numbers = Kokkos::create_mirror_view_and_copy(HostSpace(), solution);
  for (std::ptrdiff_t i = 0; i < pattern_->n; ++i) {
    Number number;
    take(&numbers(static_cast<std::size_t>(i)), number, pattern_->n);
    x.set(i, number);
  }
}

template void CudssFactors::forward(const OneSide<const PetscScalar>&, double*);
template void CudssFactors::forward(const TwoSides<const PetscScalar>&, Two*);
template void CudssFactors::backward(const double*, const OneSide<PetscScalar>&);
template void CudssFactors::backward(const Two*, const TwoSides<PetscScalar>&);

std::string CudssFactors::describe() const {
  const std::string name = fmt::format("cuDSS {}", cudss_version());
  if (!session_ || !session_->is_factorised) return name;
  return fmt::format("{}, {:.3g} entries, {} pivots replaced", name,
                     static_cast<double>(session_->found<std::int64_t>(CUDSS_DATA_LU_NNZ)),
                     session_->found<int>(CUDSS_DATA_NPIVOTS));
}

}  // namespace sinew

#endif
