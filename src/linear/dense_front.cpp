#include "linear/dense_front.hpp"

#ifdef SINEW_HAVE_KLU  // what they need comes with it

#include <petscblaslapack.h>

#include <algorithm>

namespace sinew {

namespace {

std::vector<int> places_of(const std::vector<int>& numbers, const std::vector<int>& eliminated, const std::vector<int>& rest) {
  std::vector<int> places;
  for (const int u : numbers) {
    const auto found = std::lower_bound(eliminated.begin(), eliminated.end(), u);
    if (found != eliminated.end() && *found == u)
      places.push_back(static_cast<int>(found - eliminated.begin()));
    else
      places.push_back(static_cast<int>(eliminated.size() +
                                        static_cast<std::size_t>(std::lower_bound(rest.begin(), rest.end(), u) - rest.begin())));
  }
  return places;
}

}  // namespace

DenseFront::DenseFront(const std::vector<int>& eliminated, const std::vector<int>& rest, const std::vector<int>& left,
                       const std::vector<int>& right)
    : eliminated_(eliminated),
      rest_(rest),
      places_{places_of(left, eliminated, rest), places_of(right, eliminated, rest)},
      pivots_(eliminated.size()) {}

DenseFront DenseFront::without_numbers() const {
  DenseFront copy;
  copy.eliminated_ = eliminated_;
  copy.rest_ = rest_;
  for (int c = 0; c < 2; ++c) copy.places_[c] = places_[c];
  copy.pivots_.resize(pivots_.size());
  return copy;
}

bool DenseFront::factorise(const std::vector<double>& left, const std::vector<double>& right) {
  const std::size_t e = eliminated_.size(), r = rest_.size();
  f11_.assign(e * e, 0.0);
  f12_.assign(e * r, 0.0);
  f21_.assign(r * e, 0.0);
  f22_.assign(r * r, 0.0);
  const std::vector<double>* children[2] = {&left, &right};
  for (int c = 0; c < 2; ++c) {
    const std::vector<int>& places = places_[c];
    const double* value = children[c]->data();
    for (const int at_column : places) {
      const auto j = static_cast<std::size_t>(at_column);
      double* upper = j < e ? f11_.data() + j * e : f12_.data() + (j - e) * e;
      double* lower = (j < e ? f21_.data() + j * r : f22_.data() + (j - e) * r) - e;
      for (const int at_row : places) {
        const auto i = static_cast<std::size_t>(at_row);
        (i < e ? upper : lower)[i] += *value++;
      }
    }
  }
  if (e == 0) return true;
  const auto ne = static_cast<PetscBLASInt>(e), nr = static_cast<PetscBLASInt>(r);
  PetscBLASInt info = 0;
  LAPACKgetrf_(&ne, &ne, f11_.data(), &ne, pivots_.data(), &info);
  if (info != 0) return false;
  if (r == 0) return true;
  const double minus = -1, one = 1;
  LAPACKgetrs_("N", &ne, &nr, f11_.data(), &ne, pivots_.data(), f12_.data(), &ne, &info);
  BLASgemm_("N", "N", &nr, &nr, &ne, &minus, f21_.data(), &nr, f12_.data(), &ne, &one, f22_.data(), &nr);
  return info == 0;
}

namespace {

/// So many columns of a dense matrix are taken together: what they are taken from is read and written once for all.
constexpr std::size_t columns_together = 4;

/// y -= F x, F by columns of which `stride` numbers lie between two.
template <class Number>
void take_product(const double* F, std::size_t stride, std::size_t rows, std::size_t columns, const Number* x, Number* y) {
  std::size_t j = 0;
  for (; j + columns_together <= columns; j += columns_together) {
    const double *a = F + j * stride, *b = a + stride, *c = b + stride, *d = c + stride;
    const Number of_a = x[j], of_b = x[j + 1], of_c = x[j + 2], of_d = x[j + 3];
    for (std::size_t i = 0; i < rows; ++i) y[i] -= a[i] * of_a + b[i] * of_b + (c[i] * of_c + d[i] * of_d);
  }
  for (; j < columns; ++j) {
    const double* a = F + j * stride;
    const Number of_a = x[j];
    for (std::size_t i = 0; i < rows; ++i) y[i] -= a[i] * of_a;
  }
}

/// y := U^-1 L^-1 P y with the factors of LAPACK. It and BLAS copy factors into an order of their own first, which is as much
/// work as a solution.
template <class Number>
void solve_dense(const std::vector<double>& LU, const std::vector<PetscBLASInt>& pivots, Number* y) {
  const std::size_t n = pivots.size();
  const double* F = LU.data();
  for (std::size_t i = 0; i < n; ++i) std::swap(y[i], y[static_cast<std::size_t>(pivots[i]) - 1]);
  for (std::size_t first = 0; first < n; first += columns_together) {
    const std::size_t end = std::min(n, first + columns_together);
    for (std::size_t j = first; j < end; ++j) take_product(F + j * n + j + 1, n, end - j - 1, 1, y + j, y + j + 1);
    take_product(F + first * n + end, n, n - end, end - first, y + first, y + end);
  }
  for (std::size_t end = n; end > 0;) {
    const std::size_t first = end > columns_together ? end - columns_together : 0;
    for (std::size_t j = end; j-- > first;) {
      y[j] *= 1 / F[j * n + j];
      take_product(F + j * n + first, n, j - first, 1, y + j, y + first);
    }
    take_product(F + first * n, n, first, end - first, y + first, y);
    end = first;
  }
}

}  // namespace

template <class Number>
void DenseFront::forward(const std::vector<Number>& left, const std::vector<Number>& right, const std::vector<Number>& b,
                         std::vector<Number>& rest) {
  const std::size_t e = eliminated_.size(), r = rest_.size();
  std::vector<Number>& own = of_kind<Number>(right_hand_side_, two_right_hand_sides_);
  own.assign(e, Number{});
  rest.assign(r, Number{});
  for (std::size_t i = 0; i < e; ++i) own[i] = b[static_cast<std::size_t>(eliminated_[i])];
  const std::vector<Number>* children[2] = {&left, &right};
  for (int c = 0; c < 2; ++c)
    for (std::size_t i = 0; i < places_[c].size(); ++i) {
      const auto place = static_cast<std::size_t>(places_[c][i]);
      (place < e ? own[place] : rest[place - e]) += (*children[c])[i];
    }
  solve_dense(f11_, pivots_, own.data());
  take_product(f21_.data(), r, r, e, own.data(), rest.data());
}

template <class Number>
void DenseFront::backward(std::vector<Number>& x) const {
  std::vector<Number> solved = of_kind<Number>(right_hand_side_, two_right_hand_sides_), known(rest_.size());
  for (std::size_t i = 0; i < rest_.size(); ++i) known[i] = x[static_cast<std::size_t>(rest_[i])];
  take_product(f12_.data(), solved.size(), solved.size(), known.size(), known.data(), solved.data());
  for (std::size_t i = 0; i < eliminated_.size(); ++i) x[static_cast<std::size_t>(eliminated_[i])] = solved[i];
}

template void DenseFront::forward(const std::vector<double>&, const std::vector<double>&, const std::vector<double>&,
                                  std::vector<double>&);
template void DenseFront::forward(const std::vector<Two>&, const std::vector<Two>&, const std::vector<Two>&, std::vector<Two>&);
template void DenseFront::backward(std::vector<double>&) const;
template void DenseFront::backward(std::vector<Two>&) const;

}  // namespace sinew

#endif
