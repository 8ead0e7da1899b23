#include "solve/settled_shapes.hpp"

#include "base/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// What is larger than this part of the largest is nearly as large: far from what rounding tells apart.
constexpr double nearly = 0.9;

/// What shapes `first` to `last` - 1 have in the leading degree of freedom.
std::vector<double> at_leading_dof(MPI_Comm comm, const NumberedDofs& dofs, const std::vector<VecHandle>& shapes,
                                   std::size_t first, std::size_t last) {
  std::vector<double> squares(dofs.places.size(), 0.0);
  for (std::size_t k = first; k < last; ++k) {
    const VecRead x(shapes[k]);
    for (std::size_t i = 0; i < squares.size(); ++i) squares[i] += x.data()[dofs.places[i]] * x.data()[dofs.places[i]];
  }
  const auto most = std::max_element(squares.begin(), squares.end());
  const double largest = largest_of_all(comm, most == squares.end() ? 0.0 : *most);
  std::int64_t leading = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < squares.size(); ++i)
    if (squares[i] >= nearly * nearly * largest) leading = std::min(leading, dofs.numbers[i]);
  MPI_Allreduce(MPI_IN_PLACE, &leading, 1, MPI_INT64_T, MPI_MIN, comm);
  std::vector<double> values(last - first, 0.0);
  const auto own = std::find(dofs.numbers.begin(), dofs.numbers.end(), leading);
  for (std::size_t k = first; k < last && own != dofs.numbers.end(); ++k)
    values[k - first] = VecRead(shapes[k]).data()[dofs.places[static_cast<std::size_t>(own - dofs.numbers.begin())]];
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM, comm);
  return values;
}

}  // namespace

void settle_shapes(MPI_Comm comm, const NumberedDofs& dofs, std::vector<VecHandle>& shapes, std::size_t first, std::size_t last) {
  for (std::size_t k = first; k < last; ++k) {
    const std::vector<double> there = at_leading_dof(comm, dofs, shapes, k, last);
    double along = there[0];
    for (std::size_t j = k + 1; j < last; ++j) {
      const double size = std::hypot(along, there[j - k]), cosine = along / size, sine = there[j - k] / size;
      const VecHandle before = duplicate(shapes[k]);
      petsc(VecCopy(shapes[k], before));
      petsc(VecAXPBY(shapes[k], sine, cosine, shapes[j]));
      petsc(VecAXPBY(shapes[j], -sine, cosine, before));
      along = size;
    }
    if (along < 0) petsc(VecScale(shapes[k], -1.0));
  }
}

}  // namespace sinew
