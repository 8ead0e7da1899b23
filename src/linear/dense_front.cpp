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

void DenseFront::forward(const std::vector<double>& left, const std::vector<double>& right, const std::vector<double>& b,
                         std::vector<double>& rest) {
  const std::size_t e = eliminated_.size(), r = rest_.size();
  right_hand_side_.assign(e + r, 0.0);
  const std::vector<double>* children[2] = {&left, &right};
  for (int c = 0; c < 2; ++c)
    for (std::size_t i = 0; i < places_[c].size(); ++i)
      right_hand_side_[static_cast<std::size_t>(places_[c][i])] += (*children[c])[i];
  for (std::size_t i = 0; i < e; ++i) right_hand_side_[i] += b[static_cast<std::size_t>(eliminated_[i])];
  rest.assign(right_hand_side_.begin() + static_cast<std::ptrdiff_t>(e), right_hand_side_.end());
  right_hand_side_.resize(e);
  if (e == 0) return;
  const auto ne = static_cast<PetscBLASInt>(e), nr = static_cast<PetscBLASInt>(r), single = PetscBLASInt(1);
  PetscBLASInt info = 0;
  LAPACKgetrs_("N", &ne, &single, f11_.data(), &ne, pivots_.data(), right_hand_side_.data(), &ne, &info);
  if (r == 0) return;
  const double minus = -1, one = 1;
  BLASgemv_("N", &nr, &ne, &minus, f21_.data(), &nr, right_hand_side_.data(), &single, &one, rest.data(), &single);
}

void DenseFront::backward(std::vector<double>& x) const {
  std::vector<double> solved = right_hand_side_, known(rest_.size());
  for (std::size_t i = 0; i < rest_.size(); ++i) known[i] = x[static_cast<std::size_t>(rest_[i])];
  if (!eliminated_.empty() && !rest_.empty()) {
    const auto ne = static_cast<PetscBLASInt>(eliminated_.size()), nr = static_cast<PetscBLASInt>(rest_.size()),
               single = PetscBLASInt(1);
    const double minus = -1, one = 1;
    BLASgemv_("N", &ne, &nr, &minus, f12_.data(), &ne, known.data(), &single, &one, solved.data(), &single);
  }
  for (std::size_t i = 0; i < eliminated_.size(); ++i) x[static_cast<std::size_t>(eliminated_[i])] = solved[i];
}

}  // namespace sinew

#endif
