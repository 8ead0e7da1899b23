#include "partition/coordinate_bisection.hpp"

#include "partition/exchange.hpp"

#include <limits>

namespace sinew {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A set of nodes that shall be divided among some ranks, and the search for where to cut it.
struct Piece {
  int begin = 0, end = 1;  ///< ranks
  std::array<double, 3> lowest{infinity, infinity, infinity}, highest{-infinity, -infinity, -infinity};
  double wanted = 0;            ///< weight of the first half
  double below = 0, above = 0;  ///< the cut lies between
  int middle() const { return begin + (end - begin + 1) / 2; }
  int axis(int which) const {
    const auto extent = [this](int i) { return highest[static_cast<std::size_t>(i)] - lowest[static_cast<std::size_t>(i)]; };
    std::array<int, 3> axes{0, 1, 2};
    std::stable_sort(axes.begin(), axes.end(), [&](int a, int b) { return extent(a) > extent(b); });
    return axes[static_cast<std::size_t>(which)];
  }
  /// Where a node stands in the direction of the cut, from 0 to little more than 1; the others tell nodes side by side apart.
  double key(const std::array<double, 3>& place) const {
    double sum = 0, share = 1;
    for (int which = 0; which < 3; ++which, share *= 1e-5) {
      const auto i = static_cast<std::size_t>(axis(which));
      if (highest[i] > lowest[i]) sum += share * (place[i] - lowest[i]) / (highest[i] - lowest[i]);
    }
    return sum;
  }
};

/// All pieces of one level of the recursion are cut at once.
class Bisection {
 public:
  Bisection(MPI_Comm comm, const std::vector<std::array<double, 3>>& places, const std::vector<int>& weights)
      : comm_(comm), places_(places), weights_(weights), piece_(places.size(), 0), pieces_(1) {
    pieces_.front().end = comm_size(comm);
  }

  std::vector<int> run() {
    while (std::any_of(pieces_.begin(), pieces_.end(), [](const Piece& p) { return p.end - p.begin > 1; })) {
      measure();
      search();
      cut();
    }
    std::vector<int> parts;
    for (const int p : piece_) parts.push_back(pieces_[static_cast<std::size_t>(p)].begin);
    return parts;
  }

 private:
  Piece& piece_of(std::size_t node) { return pieces_[static_cast<std::size_t>(piece_[node])]; }

  void sum(std::vector<double>& values, MPI_Op operation) const {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, operation, comm_);
  }

  void measure() {
    std::vector<double> bounds(6 * pieces_.size(), infinity), weight(pieces_.size(), 0.0);
    for (std::size_t n = 0; n < places_.size(); ++n) {
      const auto p = static_cast<std::size_t>(piece_[n]);
      for (std::size_t i = 0; i < 3; ++i) {
        bounds[6 * p + i] = std::min(bounds[6 * p + i], places_[n][i]);
        bounds[6 * p + 3 + i] = std::min(bounds[6 * p + 3 + i], -places_[n][i]);
      }
      weight[p] += weights_[n];
    }
    sum(bounds, MPI_MIN);
    sum(weight, MPI_SUM);
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      Piece& piece = pieces_[p];
      for (std::size_t i = 0; i < 3; ++i) {
        piece.lowest[i] = bounds[6 * p + i];
        piece.highest[i] = -bounds[6 * p + 3 + i];
      }
      piece.wanted = weight[p] * (piece.middle() - piece.begin) / (piece.end - piece.begin);
      piece.below = 0;
      piece.above = 1.1;  // beyond all keys
    }
    keys_.clear();
    for (std::size_t n = 0; n < places_.size(); ++n) keys_.push_back(piece_of(n).key(places_[n]));
  }

  /// Halves the intervals in which the cuts lie until doubles tell no more apart.
  void search() {
    for (int i = 0; i < std::numeric_limits<double>::digits; ++i) {
      std::vector<double> before(pieces_.size(), 0.0);
      for (std::size_t n = 0; n < places_.size(); ++n) {
        const Piece& piece = piece_of(n);
        if (keys_[n] < (piece.below + piece.above) / 2) before[static_cast<std::size_t>(piece_[n])] += weights_[n];
      }
      sum(before, MPI_SUM);
      for (std::size_t p = 0; p < pieces_.size(); ++p) {
        Piece& piece = pieces_[p];
        (before[p] < piece.wanted ? piece.below : piece.above) = (piece.below + piece.above) / 2;
      }
    }
  }

  void cut() {
    std::vector<Piece> halves;
    std::vector<int> first_half;
    for (const Piece& piece : pieces_) {
      first_half.push_back(static_cast<int>(halves.size()));
      const bool is_cut = piece.end - piece.begin > 1;
      for (int half = 0; half < (is_cut ? 2 : 1); ++half) {
        Piece& part = halves.emplace_back();
        part.begin = half == 0 ? piece.begin : piece.middle();
        part.end = half == 0 && is_cut ? piece.middle() : piece.end;
      }
    }
    for (std::size_t n = 0; n < places_.size(); ++n) {
      const Piece& piece = piece_of(n);
      const bool is_second = piece.end - piece.begin > 1 && !(keys_[n] < piece.above);
      piece_[n] = first_half[static_cast<std::size_t>(piece_[n])] + (is_second ? 1 : 0);
    }
    pieces_ = std::move(halves);
  }

  MPI_Comm comm_;
  const std::vector<std::array<double, 3>>& places_;
  const std::vector<int>& weights_;
  std::vector<int> piece_;
  std::vector<Piece> pieces_;
  std::vector<double> keys_;
};

}  // namespace

std::vector<int> bisect_coordinates(MPI_Comm comm, const std::vector<std::array<double, 3>>& places,
                                    const std::vector<int>& weights) {
  return Bisection(comm, places, weights).run();
}

}  // namespace sinew
