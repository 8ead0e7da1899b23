// The order in which the interior of a part is eliminated: what it fills in chains of bodies and joints.

#include "linear/leaf_order.hpp"

#include "tests/catch.hpp"

#include <set>

using namespace sinew;

namespace {

#ifdef SINEW_HAVE_KLU

constexpr int dofs = 6, rows = 3;

/// A chain of rods of 6 dofs, joined by 3 rows each, which couple all dofs of both: a part of a longer one, whose joints at its
/// first and last rod, where it has them, belong to the boundary.
class RodChain {
 public:
  RodChain(int count, bool has_first_cut, bool has_last_cut) {
    const int interior = count * dofs + (count - 1) * rows;
    std::vector<std::set<int>> columns(static_cast<std::size_t>(interior));
    matrix.num_interior = interior;
    for (int l = 0; l < interior; ++l) matrix.is_dof.push_back(l < count * dofs ? 1 : 0);
    const auto couple = [&](int a, int b) {
      columns[static_cast<std::size_t>(a)].insert(b);
      columns[static_cast<std::size_t>(b)].insert(a);
    };
    const auto join = [&](int first_row, int rod) {
      for (int r = first_row; r < first_row + rows; ++r)
        for (int d = rod * dofs; d < (rod + 1) * dofs; ++d) couple(r, d);
    };
    for (int rod = 0; rod < count; ++rod)
      for (int a = rod * dofs; a < (rod + 1) * dofs; ++a)
        for (int b = rod * dofs; b < (rod + 1) * dofs; ++b) couple(a, b);
    for (int joint = 0; joint + 1 < count; ++joint) {
      join(count * dofs + joint * rows, joint);
      join(count * dofs + joint * rows, joint + 1);
    }
    for (const int rod : {has_first_cut ? 0 : -1, has_last_cut ? count - 1 : -1}) {
      if (rod < 0) continue;
      const int first = static_cast<int>(columns.size());
      columns.resize(columns.size() + rows);
      matrix.is_dof.resize(columns.size(), 0);
      join(first, rod);
    }
    matrix.starts.push_back(0);
    for (const std::set<int>& column : columns) {
      matrix.rows.insert(matrix.rows.end(), column.begin(), column.end());
      matrix.starts.push_back(static_cast<int>(matrix.rows.size()));
    }
  }

  LeafMatrix matrix;
};

/// Entries of L and U when a matrix is eliminated in an order, unknown by unknown.
double filled(const LeafMatrix& matrix, const std::vector<int>& sequence) {
  std::vector<std::set<int>> left(static_cast<std::size_t>(matrix.size()));
  for (std::size_t l = 0; l < left.size(); ++l)
    left[l].insert(matrix.rows.begin() + matrix.starts[l], matrix.rows.begin() + matrix.starts[l + 1]);
  double entries = 0;
  for (const int l : sequence) {
    std::set<int> others = left[static_cast<std::size_t>(l)];
    others.erase(l);
    entries += 2 * static_cast<double>(others.size()) + 1;
    for (const int i : others) {
      left[static_cast<std::size_t>(i)].insert(others.begin(), others.end());
      left[static_cast<std::size_t>(i)].erase(l);
    }
  }
  return entries;
}

/// Entries of L and U, a rod.
double entries_of(const RodChain& chain, int count) {
  const LeafOrder order = order_leaf(chain.matrix, [](int k) { return 1.0 + 0.01 * (k % 7); });
  CHECK(order.sequence.size() == static_cast<std::size_t>(chain.matrix.num_interior));
  CHECK(std::set<int>(order.sequence.begin(), order.sequence.end()).size() == order.sequence.size());
  return order.entries / count;
}

#endif

}  // namespace

#ifdef SINEW_HAVE_KLU

TEST_CASE("a part of a chain between two cuts fills no more than its bodies and joints ask for", "[serial]") {
  constexpr int count = 200;
  // From an end: a rod with one neighbour left is 36 entries and twice 6 x 3, its joint 9 and twice 3 x 6.
  CHECK(entries_of(RodChain(count, false, false), count) < 1.12 * 117);
  CHECK(entries_of(RodChain(count, false, true), count) < 1.12 * 117);
  // Between its two joints a rod is 36 and twice 6 x 6, a joint with the next one and the first cut 9 and twice 3 x 6.
  CHECK(entries_of(RodChain(count, true, true), count) < 1.01 * 153);
}

TEST_CASE("the entries of an order are those that its elimination fills", "[serial]") {
  for (const int count : {2, 5, 12})
    for (const bool has_first_cut : {false, true})
      for (const bool has_last_cut : {false, true}) {
        const LeafMatrix matrix = RodChain(count, has_first_cut, has_last_cut).matrix;
        for (const bool wants_pairs : {false, true}) {
          const LeafOrder order = order_leaf(
              matrix, [](int k) { return 1.0 + 0.01 * (k % 7); }, wants_pairs);
          CHECK(order.entries == filled(matrix, order.sequence));
        }
      }
}

TEST_CASE("a part of one unknown beside one of the boundary has an order", "[serial]") {
  LeafMatrix matrix;
  matrix.num_interior = 1;
  matrix.is_dof = {1, 1};
  matrix.starts = {0, 2, 3};
  matrix.rows = {0, 1, 0};
  CHECK(order_leaf(matrix, [](int) { return 1.0; }).sequence == std::vector<int>{0});
}

#endif
