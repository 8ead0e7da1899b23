#include "linear/hub_rows.hpp"

#include "base/index.hpp"
#include "base/joined_sets.hpp"
#include "linear/matrix_rows.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// A row is independent of others if this part of it, at least, is orthogonal to them: joints turn while a model moves, and what
/// is nearly dependent now may be so altogether then.
constexpr double independent_part = 0.1;
/// Of more dofs than this no dense matrix is made.
constexpr std::size_t most_dofs = 200;

/// What hangs together in the interior.
struct Component {
  std::vector<PetscInt> dofs, rows, hub_rows;
  PetscInt hub = -1;
  bool is_held = false;  ///< jointed to two hubs, or to the ground
};

class HubRows {
 public:
  explicit HubRows(const HubCut& cut)
      : cut_(cut), num_dofs_(static_cast<PetscInt>(cut.block_of_dof.size())), stays_(cut.is_boundary.size(), 0) {
    find_components();
    for (const Component& component : components_)
      if (component.hub >= 0) choose(component);
  }
  std::vector<char> take() { return std::move(stays_); }

 private:
  bool is_interior(PetscInt i) const { return !cut_.is_boundary[at(i)]; }
  std::size_t block_of(PetscInt dof) const { return at(cut_.block_of_dof[at(dof)]); }

  /// use(dof, value) of the interior.
  template <class Use>
  void for_interior(PetscInt i, const Use& use) const {
    for_entries(cut_.diagonal, i, [&](PetscInt j, PetscScalar value) {
      if (j < num_dofs_ && is_interior(j)) use(j, value);
    });
  }

  /// use(number of a hub that the row touches)
  template <class Use>
  void for_hubs(PetscInt row, const Use& use) const {
    for_entries(cut_.diagonal, row, [&](PetscInt j, PetscScalar) {
      if (j < num_dofs_ && cut_.hub[at(j)] >= 0) use(cut_.hub[at(j)]);
    });
    for_entries(cut_.off_diagonal, row, [&](PetscInt j, PetscScalar) { use(cut_.hub_of_ghost[at(j)]); });
  }

  void find_components() {
    if (num_dofs_ == 0) return;
    JoinedSets sets(at(cut_.block_of_dof.back()) + 1);
    const auto count = static_cast<PetscInt>(stays_.size());
    std::vector<PetscInt> first(stays_.size(), -1);
    for (PetscInt i = 0; i < count; ++i) {
      if (!is_interior(i)) continue;
      for_interior(i, [&](PetscInt j, double) {
        if (first[at(i)] < 0) first[at(i)] = j;
        sets.join(block_of(first[at(i)]), block_of(j));
      });
    }
    std::vector<std::size_t> number(at(cut_.block_of_dof.back()) + 1, none);
    for (PetscInt i = 0; i < count; ++i) {
      if (!is_interior(i) || first[at(i)] < 0) continue;
      std::size_t& place = number[sets.of(block_of(first[at(i)]))];
      if (place == none) {
        place = components_.size();
        components_.emplace_back();
      }
      i < num_dofs_ ? components_[place].dofs.push_back(i) : add_row(components_[place], i);
    }
  }

  void add_row(Component& component, PetscInt row) {
    bool touches_hub = false;
    for_hubs(row, [&](PetscInt hub) {
      component.is_held = component.is_held || (component.hub >= 0 && component.hub != hub);
      component.hub = hub;
      touches_hub = true;
    });
    (touches_hub ? component.hub_rows : component.rows).push_back(row);
    if (touches_hub) return;
    PetscInt block = -1;
    bool is_alone = true;
    for_interior(row, [&](PetscInt j, double) {
      is_alone = is_alone && (block < 0 || block == cut_.block_of_dof[at(j)]);
      block = cut_.block_of_dof[at(j)];
    });
    component.is_held = component.is_held || is_alone;
  }

  void choose(const Component& component) {
    if (!component.is_held) {
      for (const PetscInt row : component.hub_rows) stays_[at(row)] = 1;
    } else if (component.dofs.size() <= most_dofs) {
      choose_independent(component);
    }
  }

  /// By Gram and Schmidt's method, twice for what rounding leaves; columns are scaled by the diagonal of J, so that units fall
  /// out.
  void choose_independent(const Component& component) {
    std::vector<double> scale;
    for (const PetscInt i : component.dofs) {
      double diagonal = 0;
      for_interior(i, [&](PetscInt j, double value) { diagonal += j == i ? std::abs(value) : 0.0; });
      scale.push_back(diagonal > 0 ? 1 / std::sqrt(diagonal) : 1.0);
    }
    std::vector<std::vector<double>> basis;
    const auto add = [&](PetscInt row) {
      std::vector<double> v(component.dofs.size(), 0.0);
      for_interior(row, [&](PetscInt j, double value) {
        const auto k = std::lower_bound(component.dofs.begin(), component.dofs.end(), j) - component.dofs.begin();
        v[static_cast<std::size_t>(k)] = value * scale[static_cast<std::size_t>(k)];
      });
      const double size = norm(v);
      for (int pass = 0; pass < 2; ++pass)
        for (const std::vector<double>& b : basis) subtract(std::inner_product(v.begin(), v.end(), b.begin(), 0.0), b, v);
      const double left = norm(v);
      if (!(left > independent_part * size)) return false;
      for (double& x : v) x /= left;
      basis.push_back(std::move(v));
      return true;
    };
    for (const PetscInt row : component.rows) add(row);  // these stay in any case
    for (const PetscInt row : component.hub_rows) stays_[at(row)] = add(row);
  }

  static double norm(const std::vector<double>& v) { return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0)); }

  static void subtract(double part, const std::vector<double>& b, std::vector<double>& v) {
    for (std::size_t k = 0; k < v.size(); ++k) v[k] -= part * b[k];
  }

  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  const HubCut& cut_;
  PetscInt num_dofs_;
  std::vector<char> stays_;
  std::vector<Component> components_;
};

}  // namespace

std::vector<char> independent_hub_rows(const HubCut& cut) { return HubRows(cut).take(); }

}  // namespace sinew
