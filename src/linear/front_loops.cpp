#include "linear/front_loops.hpp"

#include <type_traits>

namespace sinew {

namespace {

using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
using Member = Policy::member_type;

/// On the host a team is one thread, and its loops are plain ones, which compilers vectorise.
constexpr bool has_teams = !std::is_same_v<MemorySpace, HostSpace>;

/// Columns that are eliminated together. One refactorisation on one core, ms, with 4, 8, 16: 4000 rods 5.1, 3.3, 3.6; 4000 cable
/// elements 7.3, 4.6, 4.6; net of 30 x 30 cables 40, 39, 42; net of 40 x 40 rods 19.5, 14.5, 14.1.
constexpr int panel_width = 8;

Policy teams(int count) { return has_teams ? Policy(count, Kokkos::AUTO) : Policy(count, 1); }

/// body(i) for i < count, then all of the team have done so.
template <class Body>
KOKKOS_INLINE_FUNCTION void share(const Member& team, int count, const Body& body) {
  if constexpr (has_teams) {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), body);
    team.team_barrier();
  } else {
    for (int i = 0; i < count; ++i) body(i);
  }
}

/// One of the team does it, and the others wait.
template <class Body>
KOKKOS_INLINE_FUNCTION void once(const Member& team, const Body& body) {
  Kokkos::single(Kokkos::PerTeam(team), body);
  if constexpr (has_teams) team.team_barrier();
}

/// y -= F x for as many columns as stay in registers, on the host. They do not overlap.
template <int Count, int Sides>
KOKKOS_INLINE_FUNCTION void take_columns(const double* F, std::ptrdiff_t stride, int rows, const double* numbers, double* y) {
  double x[Count * Sides];
  for (int c = 0; c < Count * Sides; ++c) x[c] = numbers[c];
#ifdef KOKKOS_ENABLE_PRAGMA_IVDEP
#pragma ivdep
#elif defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC ivdep
#endif
  for (int i = 0; i < rows; ++i)
    for (int s = 0; s < Sides; ++s) {
      double sum = 0;
      for (int c = 0; c < Count; ++c) sum += F[c * stride + i] * x[c * Sides + s];
      y[i * Sides + s] -= sum;
    }
}

/// y -= F x
template <int Sides>
KOKKOS_INLINE_FUNCTION void take_product(const Member& team, const double* F, std::ptrdiff_t stride, int rows, int columns,
                                         const double* x, double* y) {
  if constexpr (has_teams) {
    share(team, rows * Sides, [&](int k) {
      const int i = k / Sides, s = k % Sides;
      double sum = 0;
      for (int c = 0; c < columns; ++c) sum += F[c * stride + i] * x[c * Sides + s];
      y[k] -= sum;
    });
  } else {
    int c = 0;
    for (; c + 4 <= columns; c += 4) take_columns<4, Sides>(F + c * stride, stride, rows, x + c * Sides, y);
    for (; c < columns; ++c) take_columns<1, Sides>(F + c * stride, stride, rows, x + c * Sides, y);
  }
}

/// A front of the table, with the loops of its team.
class Front {
 public:
  KOKKOS_INLINE_FUNCTION Front(const FrontTable& table, const FrontNumbers& numbers, int t)
      : n_(table.size(t)),
        e_(table.eliminated(t)),
        a_(numbers.matrices.data() + table.matrix(t)),
        scale_(numbers.scale.data() + table.first(t)),
        order_(numbers.order.data() + table.first(t)),
        row_of_(numbers.row_of.data() + table.first(t)) {}

  KOKKOS_INLINE_FUNCTION int size() const { return n_; }
  KOKKOS_INLINE_FUNCTION int eliminated() const { return e_; }
  KOKKOS_INLINE_FUNCTION int row_of(int place) const { return place < e_ ? row_of_[place] : place; }

  /// Adds what a child has left.
  KOKKOS_INLINE_FUNCTION void add(const Member& team, const Front& child, const int* place) const {
    const int left = child.n_ - child.e_, from = child.n_, to = n_;
    const double* S = child.at(child.e_, child.e_);
    double* const a = a_;
    if constexpr (has_teams) {
      share(team, left * left, [=](int k) {
        const int i = k % left, j = k / left;
        a[place[i] + static_cast<std::ptrdiff_t>(place[j]) * to] += S[i + static_cast<std::ptrdiff_t>(j) * from];
      });
    } else {
      for (int j = 0; j < left; ++j) {
        double* const column = a + static_cast<std::ptrdiff_t>(place[j]) * to;
        for (int i = 0; i < left; ++i) column[place[i]] += S[i + static_cast<std::ptrdiff_t>(j) * from];
      }
    }
  }

  /// The largest number in L, or -1.
  KOKKOS_INLINE_FUNCTION double factorise(const Member& team) const {
    find_scales(team);
    int p = 0;
    bool is_regular = true;
    while (is_regular && p + panel_width <= e_) {
      is_regular = eliminate<panel_width>(team, p);
      p += panel_width;
    }
    while (is_regular && p + 2 <= e_) {
      is_regular = eliminate<2>(team, p);
      p += 2;
    }
    if (is_regular && p < e_) is_regular = eliminate<1>(team, p);
    const int* const order = order_;
    int* const row_of = row_of_;
    share(team, e_, [=](int k) { row_of[order[k]] = k; });
    return is_regular ? growth(team) : -1.0;
  }

  /// y := L^-1 y of the eliminated, and what it takes from the rest.
  template <int Sides>
  KOKKOS_INLINE_FUNCTION void solve_lower(const Member& team, double* y) const {
    for (int p = 0; p < e_; p += panel_width) {
      const int end = e_ < p + panel_width ? e_ : p + panel_width;
      once(team, [&]() {
        for (int k = p; k < end; ++k)
          for (int i = k + 1; i < end; ++i)
            for (int s = 0; s < Sides; ++s) y[i * Sides + s] -= *at(i, k) * y[k * Sides + s];
      });
      take_product<Sides>(team, at(end, p), n_, n_ - end, end - p, y + p * Sides, y + end * Sides);
    }
  }

  /// y := U^-1 (y - F12 of what is known of the rest).
  template <int Sides>
  KOKKOS_INLINE_FUNCTION void solve_upper(const Member& team, double* y) const {
    take_product<Sides>(team, at(0, e_), n_, e_, n_ - e_, y + e_ * Sides, y);
    for (int end = e_; end > 0;) {
      const int p = end > panel_width ? end - panel_width : 0;
      once(team, [&]() {
        for (int k = end - 1; k >= p; --k)
          for (int s = 0; s < Sides; ++s) {
            y[k * Sides + s] /= *at(k, k);
            for (int i = p; i < k; ++i) y[i * Sides + s] -= *at(i, k) * y[k * Sides + s];
          }
      });
      take_product<Sides>(team, at(0, p), n_, p, end - p, y + p * Sides, y);
      end = p;
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION double* at(int i, int j) const { return a_ + i + static_cast<std::ptrdiff_t>(j) * n_; }

  KOKKOS_INLINE_FUNCTION void find_scales(const Member& team) const {
    double* const scale = scale_;
    int* const order = order_;
    const auto largest_of = [this](int i) {
      double largest = 0;
      for (int j = 0; j < n_; ++j) largest = math::fabs(*at(i, j)) > largest ? math::fabs(*at(i, j)) : largest;
      return largest;
    };
    share(team, e_, [=](int i) {
      const double largest = largest_of(i);
      scale[i] = largest > 0 ? 1 / largest : 0;
      order[i] = i;
    });
  }

  /// Of the rows from k on: the one whose number in column k is the largest for its row; -1 where all are zero.
  KOKKOS_INLINE_FUNCTION int find_pivot(const Member& team, int k) const {
    const auto size = [this, k](int i) { return math::fabs(*at(i, k)) * scale_[i]; };
    if constexpr (has_teams) {
      using Largest = Kokkos::MaxLoc<double, int>;
      Largest::value_type best;
      Kokkos::parallel_reduce(
          Kokkos::TeamThreadRange(team, k, e_),
          [&](int i, Largest::value_type& own) {
            if (size(i) > own.val) own = {size(i), i};
          },
          Largest(best));
      return best.val > 0 ? best.loc : -1;
    } else {
      int best = -1;
      double largest = 0;
      for (int i = k; i < e_; ++i)
        if (size(i) > largest) {
          largest = size(i);
          best = i;
        }
      return best;
    }
  }

  /// LU of W columns from p on, and the rows of their pivots and what they take from all that is behind them.
  template <int W>
  KOKKOS_INLINE_FUNCTION bool eliminate(const Member& team, int p) const {
    for (int k = p; k < p + W; ++k) {
      const int pivot = find_pivot(team, k);
      if (pivot < 0) return false;
      if constexpr (has_teams) team.team_barrier();
      if (pivot != k) swap_rows(team, k, pivot);
      const double inverse = 1 / *at(k, k);
      double* const lower = at(0, k);
      share(team, n_ - k - 1, [=](int i) { lower[k + 1 + i] *= inverse; });
      for (int j = k + 1; j < p + W; ++j) {
        double* const column = at(0, j);
        const double u = column[k];
        share(team, n_ - k - 1, [=](int i) { column[k + 1 + i] -= lower[k + 1 + i] * u; });
      }
    }
    solve_rows<W>(team, p);
    take_panel<W>(team, p);
    return true;
  }

  KOKKOS_INLINE_FUNCTION void swap_rows(const Member& team, int k, int pivot) const {
    share(team, n_, [this, k, pivot](int j) { swap(*at(k, j), *at(pivot, j)); });
    once(team, [&]() {
      swap(scale_[k], scale_[pivot]);
      swap(order_[k], order_[pivot]);
    });
  }

  template <class T>
  KOKKOS_INLINE_FUNCTION static void swap(T& a, T& b) {
    const T kept = a;
    a = b;
    b = kept;
  }

  /// The rows of W pivots in all columns behind theirs.
  template <int W>
  KOKKOS_INLINE_FUNCTION void solve_rows(const Member& team, int p) const {
    share(team, n_ - p - W, [this, p](int c) {
      double* const u = at(p, p + W + c);
      for (int k = 1; k < W; ++k)
        for (int m = 0; m < k; ++m) u[k] -= *at(p + k, p + m) * u[m];
    });
  }

  /// What W pivots take from all rows and columns behind theirs.
  template <int W>
  KOKKOS_INLINE_FUNCTION void take_panel(const Member& team, int p) const {
    const int first = p + W, left = n_ - first;
    const std::ptrdiff_t stride = n_;
    const double* const L = at(first, p);
    if constexpr (has_teams) {
      share(team, left * left, [=, this](int k) {
        const int i = k % left, j = first + k / left;
        double sum = 0;
        for (int c = 0; c < W; ++c) sum += L[i + c * stride] * *at(p + c, j);
        *at(first + i, j) -= sum;
      });
    } else {
      for (int j = first; j < n_; ++j) take_columns<W, 1>(L, stride, left, at(p, j), at(first, j));
    }
  }

  KOKKOS_INLINE_FUNCTION double growth(const Member& team) const {
    const auto largest_of = [this](int k) {
      double largest = 0;
      for (int i = k + 1; i < n_; ++i) largest = math::fabs(*at(i, k)) > largest ? math::fabs(*at(i, k)) : largest;
      return largest;
    };
    double largest = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, e_),
        [&](int k, double& most) {
          const double own = largest_of(k);
          if (!(own <= most)) most = own;
        },
        Kokkos::Max<double>(largest));
    return largest < 0 ? 0 : largest;
  }

  int n_, e_;
  double* a_;
  double* scale_;
  int *order_, *row_of_;
};

struct Factorisation {
  FrontTable table;
  FrontNumbers numbers;
  int begin;
  KOKKOS_INLINE_FUNCTION void operator()(const Member& team) const {
    const int t = begin + team.league_rank();
    const Front front(table, numbers, t);
    for (int child = 2 * t; table.has_children(t) && child < 2 * t + 2; ++child) {
      const Front below(table, numbers, child);
      front.add(team, below, table.place_above.data() + table.first(child) + below.eliminated());
    }
    const double growth = front.factorise(team);
    once(team, [&]() { numbers.growth(t) = growth; });
  }
};

/// What solutions know of their fronts: number i of side s stands at i * Sides + s.
template <int Sides>
struct Solution {
  FrontTable table;
  FrontNumbers numbers;
  int begin;
  DeviceArray<double> by_unknown, work;
  KOKKOS_INLINE_FUNCTION int front_of(const Member& team) const { return begin + team.league_rank(); }
  /// Of the unknowns of a front.
  KOKKOS_INLINE_FUNCTION double* work_of(int t) const { return work.data() + table.first(t) * Sides; }
  /// The numbers of the i-th of them, in b or x.
  KOKKOS_INLINE_FUNCTION double* of_unknown(int t, int i) const {
    return by_unknown.data() + static_cast<std::ptrdiff_t>(table.unknown(table.first(t) + i)) * Sides;
  }
};

template <int Sides>
struct Forward : Solution<Sides> {
  KOKKOS_INLINE_FUNCTION void operator()(const Member& team) const {
    const int t = this->front_of(team);
    const Front front(this->table, this->numbers, t);
    double* const y = this->work_of(t);
    share(team, front.size() * Sides, [&](int k) {
      const int i = k / Sides, s = k % Sides;
      y[front.row_of(i) * Sides + s] = i < front.eliminated() ? this->of_unknown(t, i)[s] : 0.0;
    });
    for (int child = 2 * t; this->table.has_children(t) && child < 2 * t + 2; ++child) {
      const Front below(this->table, this->numbers, child);
      const int* const place = this->table.place_above.data() + this->table.first(child) + below.eliminated();
      const double* const left = this->work_of(child) + below.eliminated() * Sides;
      share(team, (below.size() - below.eliminated()) * Sides,
            [=](int k) { y[front.row_of(place[k / Sides]) * Sides + k % Sides] += left[k]; });
    }
    front.template solve_lower<Sides>(team, y);
  }
};

template <int Sides>
struct Backward : Solution<Sides> {
  KOKKOS_INLINE_FUNCTION void operator()(const Member& team) const {
    const int t = this->front_of(team);
    const Front front(this->table, this->numbers, t);
    const int e = front.eliminated();
    double* const y = this->work_of(t);
    share(team, (front.size() - e) * Sides, [&](int k) { y[e * Sides + k] = this->of_unknown(t, e + k / Sides)[k % Sides]; });
    front.template solve_upper<Sides>(team, y);
    share(team, e * Sides, [&](int k) { this->of_unknown(t, k / Sides)[k % Sides] = y[k]; });
  }
};

struct Scatter {
  DeviceArray<std::ptrdiff_t> places;
  DeviceArray<double> numbers, values;
  KOKKOS_INLINE_FUNCTION void operator()(const std::ptrdiff_t k) const { values(places(k)) = numbers(k); }
};

}  // namespace

void factorise_fronts(const FrontTable& table, const FrontNumbers& numbers, int begin, int end) {
  Kokkos::parallel_for("sinew::factorise_fronts", teams(end - begin), Factorisation{table, numbers, begin});
}

void forward_fronts(const FrontTable& table, const FrontNumbers& numbers, int begin, int end, int sides,
                    const DeviceArray<double>& b, const DeviceArray<double>& work) {
  if (sides == 1)
    Kokkos::parallel_for("sinew::forward_fronts", teams(end - begin), Forward<1>{{table, numbers, begin, b, work}});
  else
    Kokkos::parallel_for("sinew::forward_fronts", teams(end - begin), Forward<2>{{table, numbers, begin, b, work}});
}

void backward_fronts(const FrontTable& table, const FrontNumbers& numbers, int begin, int end, int sides,
                     const DeviceArray<double>& work, const DeviceArray<double>& x) {
  if (sides == 1)
    Kokkos::parallel_for("sinew::backward_fronts", teams(end - begin), Backward<1>{{table, numbers, begin, x, work}});
  else
    Kokkos::parallel_for("sinew::backward_fronts", teams(end - begin), Backward<2>{{table, numbers, begin, x, work}});
}

void scatter_numbers(const DeviceArray<std::ptrdiff_t>& places, const DeviceArray<double>& numbers,
                     const DeviceArray<double>& values) {
  using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::ptrdiff_t>>;
  Kokkos::parallel_for("sinew::scatter_numbers", Range(0, static_cast<std::ptrdiff_t>(places.extent(0))),
                       Scatter{places, numbers, values});
}

}  // namespace sinew
