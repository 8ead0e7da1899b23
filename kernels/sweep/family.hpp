/// \file
/// A family: all elements of one type on a rank. One virtual call per family and sweep; the loops inside are Kokkos kernels.
#pragma once

#include "kernels/sweep/slots.hpp"
#include "kernels/sweep/state.hpp"

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

/// Who a family's elements are, as plain host data.
struct FamilyData {
  int size = 0;
  int nodes_per_element = 0;   ///< where the struct leaves it open (FamilyShape::is_open)
  std::vector<int> nodes;      ///< size x nodes_per_element, local node numbers
  std::vector<int> rows;       ///< first local constraint row of each element; empty without constraints and multipliers
  std::vector<double> params;  ///< every element's Params, and behind them its own numbers: as many as the others have
};

/// Shape of a family's elements.
struct FamilyShape {
  int nodes_per_element = 0;
  bool is_open = false;  ///< the struct leaves their number open; this is a family of those that have so many
  int num_dofs = 0;      ///< of all its nodes
  NodeKind (*node_kind)(int node) = nullptr;  ///< as what it sees its nodes; other kinds seen as frames leave dofs unused
  int position_rows = 0;
  int velocity_rows = 0;
  int num_multipliers = 0;  ///< of a force in a joint that reads the joint's multipliers: so many from FamilyData::rows on
  int num_signals = 0;
  int num_kinks = 0;     ///< see Family::kinks
  bool is_held = false;  ///< the force jumps at kinks: see Family::hold
  bool has_mass = false;
  bool has_branches = false;      ///< a joint whose rows hold where the joint may not be: see Family::check_branches
  bool has_check = false;         ///< an element may be at fault: `Family::check` is worth a sweep
  bool is_solid = false;          ///< three-dimensional continuum: factors of its matrices fill fast
  bool is_load = false;           ///< a prescribed load, which the load factor of statics scales
  bool has_history = false;       ///< elements remember something of states of the past: see Family::commit
  bool follows_turns = false;     ///< an angle is followed with all its turns: see Family::fastest_turn
  bool shows_turns = false;       ///< of an angle that a joint's rows know up to whole turns another coordinate shows them all
  bool passes_by = false;         ///< the force may act only while places are near to each other: see Family::soonest_pass
  bool prescribes_angle = false;  ///< the position row is an angle less its signal, and says nothing of whole turns
  bool is_analytic = false;       ///< an entry of a matrix that is zero in states without any symmetry is zero in all states
  int block = 1;                  ///< elements of a block of slots, see SlotLayout
  int tangent_block = 1;          ///< likewise, of those that `tangent` fills
  /// Whether the entry of that row and column, numbered as in Coupling, may differ from zero; null where nothing is declared.
  bool (*couples)(int row, int column) = nullptr;
  bool (*couples_of_list)(int nodes, int row, int column) = nullptr;  ///< the same, where the number of nodes is open
  /// Whether a node is a scalar, wherever it is seen as a frame; null where none is.
  bool (*is_scalar)(int node) = nullptr;
  /// Whether a node is no place but a vector, which a rigid translation leaves as it is; null where none is.
  bool (*is_slope)(int node) = nullptr;
  /// What a degenerate element is, the end of a sentence: "has no direction, for its places coincide".
  const char* degenerate = "is degenerate";
  /// What it means that an element has gone beyond what it is meant for, likewise; null where none can.
  const char* outgrown = nullptr;

  int dofs() const { return num_dofs; }
  bool declares_couplings() const { return couples != nullptr || couples_of_list != nullptr; }
  bool is_declared(int row, int column) const {
    return couples != nullptr ? couples(row, column) : couples_of_list(nodes_per_element, row, column);
  }
  /// The first of the three dofs of a rotation that a dof belongs to, -1 where it belongs to none.
  int first_of_turn(int dof) const;
  /// Whether an element sees a node as something that turns.
  bool has_turns() const;
  int rows() const { return position_rows + velocity_rows; }
  /// Rows whose multipliers its forces depend on: its own, or those of the joint that it is in.
  int coupled_rows() const { return rows() + num_multipliers; }
};

/// Which matrix is assembled: the full tangent [J G^T; G 0], or the projection matrix [M G^T; G 0].
enum class MatrixKind { tangent, projection };

/// Strain energy and potential energy of gravity, J.
struct Energy {
  double strain = 0, potential = 0;
};

/// First element that a sweep found fault with. One reduction by the smallest `code` finds element and verdict.
struct Finding {
  Verdict verdict = Verdict::ok;
  int element = -1;

  KOKKOS_INLINE_FUNCTION static long long code(int element, Verdict verdict) {
    return static_cast<long long>(element) * 16 + static_cast<int>(verdict);
  }
  /// Of the smallest code among `size` elements; `code(size, ok)` or more where none is at fault.
  static Finding of(long long smallest, int size) {
    if (smallest >= code(size, Verdict::ok)) return {};
    return {static_cast<Verdict>(smallest % 16), static_cast<int>(smallest / 16)};
  }
};

/// Elements first ... last - 1 of a family.
struct ElementRange {
  int first = 0, last = 0;
  int size() const { return last - first; }
};

/// Row and column of an entry of an element's matrix: numbers among the element's unknowns, its dofs and then its rows.
struct Coupling {
  int row = 0, column = 0;
};

class Family {
 public:
  Family(std::string name, FamilyShape shape, FamilyData data);
  virtual ~Family() = default;
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  const std::string& name() const { return name_; }
  const FamilyShape& shape() const { return shape_; }
  const FamilyData& data() const { return data_; }
  int size() const { return data_.size; }
  ElementRange all() const { return {0, data_.size}; }
  /// Parameters and own numbers of an element: where they are, and how many.
  const double* params_of(int e) const { return data_.params.data() + static_cast<std::ptrdiff_t>(params_per_element()) * e; }
  int params_per_element() const {
    return size() == 0 ? 0 : static_cast<int>(data_.params.size() / static_cast<std::size_t>(size()));
  }

  /// Values of element e's signals and of their first and second time derivatives: table[e][3 k + order]. Host data, size x 3 K.
  void set_signals(const std::vector<double>& table);

  // What sweeps fill lies as these say, so many numbers an element.
  SlotLayout force_slots() const { return {size(), shape_.dofs(), shape_.block}; }
  SlotLayout row_slots() const { return {size(), shape_.rows(), shape_.block}; }
  SlotLayout entry_slots(MatrixKind kind, ElementRange range) const {
    return {range.size(), entries_per_element(kind), kind == MatrixKind::tangent ? shape_.tangent_block : shape_.block};
  }
  SlotLayout curvature_slots(ElementRange range) const { return {range.size(), shape_.rows() * shape_.dofs(), shape_.block}; }

  /// Generalised forces f(t, q, v), for joints -G^T lambda, of forces that read multipliers f(t, q, v, lambda): fills
  /// `force_slots`.
  virtual void forces(const SweepState&, double* slots) const = 0;
  /// g and g_t + G z of the position rows; the velocity rows give 0 and k. Each fills `row_slots`; either may be null.
  virtual void constraints(const SweepState&, double* position, double* velocity) const;
  /// D[g_t + G z](1, z) of the position rows and D[k](1, z) of the velocity rows at frozen velocity: fills `row_slots`.
  virtual void constraint_drift(const SweepState&, double* drift) const;
  /// The shifted tangent of some elements, the entries of each in the order of `couplings`: fills `entry_slots`, as `projection`.
  virtual void tangent(const SweepState&, const Shift&, ElementRange, double* values) const = 0;
  void tangent(const SweepState& s, const Shift& shift, double* values) const { tangent(s, shift, all(), values); }
  /// Mass matrix and constraint gradients at T = I, in the order of `couplings`; in the place of G^T forces that read multipliers
  /// write -df/dlambda, zero where the state has no multipliers.
  virtual void projection(const SweepState&, ElementRange, double* values) const = 0;
  void projection(const SweepState& s, double* values) const { projection(s, all(), values); }
  /// d/dq of the velocity-level constraints at frozen velocity, times T, by rows: fills `curvature_slots`.
  virtual void constraint_curvature(const SweepState&, ElementRange, double* values) const;
  void constraint_curvature(const SweepState& s, double* values) const { constraint_curvature(s, all(), values); }
  virtual Energy energy(const SweepState&) const = 0;
  /// The first element whose configuration is at fault; never one where the shape has no check.
  virtual Finding check(const SweepState&) const { return {}; }
  /// Of joints: which one stands on a wrong branch of its equations, or in a singular place, after a step from `before` to `now`.
  virtual Finding check_branches(const SweepState& /*before*/, const SweepState& /*now*/) const { return {}; }
  /// What that means, the end of a sentence that starts with the joint's name.
  virtual const char* branch_fault() const { return ""; }

  /// Switching functions: where one changes sign an element's force goes over to another law, with a kink or a jump (a stop is
  /// touched, a rope goes slack). Fills size x num_kinks numbers.
  virtual void kinks(const SweepState&, double* /*values*/) const {}
  /// Laws that jump at their kinks are held on these sides (1 or -1, numbered as the kinks), or follow the state where it is 0.
  virtual void hold(const double* /*sides*/) {}
  /// The first element that this state, which is part of the solution, takes beyond what it is meant for, seen from the last one
  /// that it remembers; never one where the shape says that none can.
  virtual Finding outgrown(const SweepState&) const { return {}; }
  /// This state is part of the solution: elements remember of it what they need for those that follow, in their parameters.
  virtual void commit(const SweepState&) {}
  /// The largest |rate|, rad/s, of angles whose turns forces count from the last one that they remember.
  virtual double fastest_turn(const SweepState&) const { return 0; }
  /// In what time, s, the first of the elements whose forces are nothing here comes to where one acts, were its places to go on
  /// as they do; infinite where none does.
  virtual double soonest_pass(const SweepState&) const { return std::numeric_limits<double>::infinity(); }
  /// They forget it: the parameters are those of the beginning.
  void forget();
  /// They remember what they did when their parameters (FamilyData::params) were these.
  void recall(const std::vector<double>& params);
  /// Tangents from here on take the stresses that stiffen an element from strains that are extrapolated linearly from `before`,
  /// whose velocities are the motion from there to `now` (kernels/contract.hpp). Does nothing where a struct has no
  /// `extrapolate`.
  virtual void extrapolate(const SweepState& /*before*/, const SweepState& /*now*/) {}
  virtual bool can_extrapolate() const { return false; }
  /// Tangents are those of the forces again.
  void end_extrapolation() { is_extrapolated_ = false; }

  /// Values per element that `tangent` or `projection` writes: a dofs x dofs block (absent where it is always zero), then
  /// G^T (dofs x rows), then G (rows x dofs), each by rows. Of forces that read multipliers -df/dlambda in the place of G^T, and
  /// zeros in that of G: the pattern of the matrix is symmetric, its values are not.
  int entries_per_element(MatrixKind) const;
  bool has_square_block(MatrixKind kind) const { return kind == MatrixKind::tangent || shape_.has_mass; }
  /// What these entries couple, the same in every element.
  std::vector<Coupling> couplings(MatrixKind) const;
  /// Whether states without any symmetry show which of these entries ever differ from zero: where the struct is analytic, and
  /// where the matrix holds nothing but masses, which depend on no state.
  bool shows_pattern(MatrixKind) const;
  /// The entries, in the order of `couplings`, that may differ from zero as far as is known without any state: all (an empty
  /// list), those that the struct declares, or none where states show the pattern.
  std::vector<char> declared_entries(MatrixKind) const;
  /// Local dof of each force slot of element e, -1 where there is none. `dof` is the host's copy of NodeArrays::dof, `kinds` are
  /// those of the local nodes.
  std::vector<int> element_dofs(int e, const std::vector<int>& dof, const std::vector<NodeKind>& kinds) const;

 protected:
  DeviceTable<int> nodes_;
  DeviceArray<int> rows_;
  DeviceTable<double> params_;
  DeviceTable<double> signals_;

  /// Takes over the parameters that sweeps have changed into `data`.
  void fetch_params();
  /// What `extrapolate` has made of the parameters, for tangents alone; a table like them.
  const DeviceTable<double>& begin_extrapolation();
  const DeviceTable<double>& tangent_params() const { return is_extrapolated_ ? extrapolated_params_ : params_; }

 private:
  std::string name_;
  FamilyShape shape_;
  FamilyData data_;
  std::vector<double> params_at_start_;  ///< of families with history
  DeviceTable<double> extrapolated_params_;
  bool is_extrapolated_ = false;
};

/// Copies host data, row after row, into a device table of `width` columns.
template <class T>
DeviceTable<T> to_device_table(const std::string& label, const std::vector<T>& rows, int width) {
  const int n = width == 0 ? 0 : static_cast<int>(rows.size() / static_cast<std::size_t>(width));
  DeviceTable<T> table(label, n, width);
  auto host = Kokkos::create_mirror_view(table);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < width; ++j) host(i, j) = rows[static_cast<std::size_t>(i) * width + j];
  Kokkos::deep_copy(table, host);
  return table;
}

template <class T>
DeviceArray<T> to_device_array(const std::string& label, const std::vector<T>& values) {
  DeviceArray<T> array(label, values.size());
  auto host = Kokkos::create_mirror_view(array);
  for (std::size_t i = 0; i < values.size(); ++i) host(i) = values[i];
  Kokkos::deep_copy(array, host);
  return array;
}

/// Reads element e's parameters. Params holds doubles only.
template <class Params>
KOKKOS_INLINE_FUNCTION void load_params_to(Params& p, const LentTable<double>& table, int e) {
  static_assert(sizeof(Params) % sizeof(double) == 0, "Params must hold doubles only");
  double* words = reinterpret_cast<double*>(&p);
  constexpr int n = static_cast<int>(sizeof(Params) / sizeof(double));
  for (int i = 0; i < n; ++i) words[i] = table(e, i);
}
template <class Params>
KOKKOS_INLINE_FUNCTION void load_params_to(WithNumbers<Params>& p, const LentTable<double>& table, int e) {
  load_params_to(static_cast<Params&>(p), table, e);
  constexpr std::ptrdiff_t n = sizeof(Params) / sizeof(double);
  const auto row = static_cast<std::ptrdiff_t>(table.stride(0)), column = static_cast<std::ptrdiff_t>(table.stride(1));
  p.numbers = {table.data() + e * row + n * column, column, static_cast<int>(table.extent(1)) - static_cast<int>(n)};
}
template <class Params>
KOKKOS_INLINE_FUNCTION Params load_params(const LentTable<double>& table, int e) {
  Params p;
  load_params_to(p, table, e);
  return p;
}

/// Writes element e's parameters; numbers of its own stay as they are.
template <class Params>
KOKKOS_INLINE_FUNCTION void store_params(const Params& p, const LentTable<double>& table, int e) {
  const double* words = reinterpret_cast<const double*>(&p);
  constexpr int n = static_cast<int>(sizeof(Params) / sizeof(double));
  for (int i = 0; i < n; ++i) table(e, i) = words[i];
}
template <class Params>
KOKKOS_INLINE_FUNCTION void store_params(const WithNumbers<Params>& p, const LentTable<double>& table, int e) {
  store_params(static_cast<const Params&>(p), table, e);
}

}  // namespace sinew
