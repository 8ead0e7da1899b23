/// \file
/// A flexible multibody model on its ranks: M, f, g, g_t + G z, k and their tangents, swept family by family.
#pragma once

#include "partition/exchange.hpp"
#include "partition/local_model.hpp"
#include "system/body_sums.hpp"
#include "system/dynamic_system.hpp"
#include "system/energy_ledger.hpp"
#include "system/feedback.hpp"
#include "system/gather.hpp"
#include "system/halo.hpp"
#include "system/kkt_unknowns.hpp"
#include "system/matrix_filler.hpp"
#include "system/mechanisms.hpp"
#include "system/signal_curves.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>

namespace sinew {

/// Kinetic, strain and potential energy of the whole system, J.
struct SystemEnergy {
  double kinetic = 0, strain = 0, potential = 0;
};

/// x^T K x: what strains alone make of it, not forces that are there already; and what of the whole is not known.
struct StiffnessWork {
  double strain = 0, rounding = 0;
};

/// One number of a prescribed load (force, torque, follower-force, pressure, traction): its place in the model's forces, its
/// instance, its place among the load's signals.
struct LoadComponent {
  int force = 0;
  std::int64_t instance = 0;
  int component = 0;
};

/// An element whose configuration is at fault: where its item stands in the model file (`file:line:column`), and a sentence that
/// names it.
struct ElementFault {
  std::string place, text;
};

class System final : public DynamicSystem {
 public:
  /// The model must outlive the system (its signals are evaluated at every new time) and stay where it is. Throws InputError
  /// where a control or actuator has no finite value in the initial state. Collective.
  System(const Model& model, LocalModel local);
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  const Layout& layout() const override { return layout_; }
  bool is_mechanical() const override { return true; }
  bool mass_varies() const override { return mass_varies_; }
  bool reads_multipliers() const override { return reads_multipliers_; }
  bool is_compact() const override { return is_compact_; }
  bool has_rotations() const override { return has_rotations_; }
  VecHandle make_dof_vector() const override;
  VecHandle make_row_vector() const override;
  Configuration make_configuration() const override;
  void retract(const Configuration& q0, PetscVec w, Configuration& q1) const override;
  void difference(const Configuration& q0, const Configuration& q1, PetscVec w) const override;
  void chart_step(PetscVec base, double b, PetscVec z, PetscVec w) const override;
  void commutator(PetscVec u, PetscVec v, PetscVec out) const override;
  double largest_turn(PetscVec w, PetscVec angles = nullptr) const override;
  double largest_coordinate(const Configuration&) const override;
  double largest_shaft_angle(const Configuration&) const override;
  void share(std::initializer_list<PetscVec> dofs, std::initializer_list<PetscVec> rows) const override;
  double extent() const override { return local_.extent; }
  double finest_length() const override { return finest_length_; }
  /// The model's length in a configuration, m: how far it has come, apart from where the origin lies. The largest coordinate, but
  /// no more than the extent and the longest way of a node from its initial place together (which it is not while the origin lies
  /// within the model). 0 only where the largest coordinate is. Collective.
  double reach(const Configuration&) const;
  bool is_one_point() const override { return is_one_point_; }
  void dof_sizes_with(double length, PetscVec out) const override;
  /// The sizes by which joints are judged, by the mechanism that they are part of. Collective.
  MechanismSizes mechanism_sizes(const Stage&) const;
  /// A millionth of the mean mass (mean moment of inertia) of all nodes: what is to count as no mass. Collective.
  void least_masses(PetscVec out) const override;
  /// Lengths relate to the extent (1 where there is none), rotations to 1 rad, speeds and angular speeds to the largest of their
  /// kind.
  void error_sizes(const Configuration& q, PetscVec z, PetscVec q_size, PetscVec z_size) const override;
  void mass_times(const Stage&, PetscVec a, PetscVec out) const override;
  void mass_diagonal(PetscVec out) const override { petsc(MatGetDiagonal(mass_, out)); }
  void sum_over_bodies(std::initializer_list<PetscVec>) const override;
  std::shared_ptr<const RigidMotions> rigid_motions() const override;
  void row_sizes(PetscVec out) const override;
  void forces(const Stage&, PetscVec out) const override;
  void force_magnitudes(const Stage&, PetscVec out) const override;
  void force_change(const Stage&, PetscVec change, PetscVec out) const override;
  void constraints(const Stage&, PetscVec position, PetscVec velocity) const override;
  void constraint_drift(const Stage&, PetscVec drift) const override;
  MatHandle make_tangent_matrix() const override { return make_matrix(MatrixKind::tangent); }
  void assemble_tangent(const Stage&, const TangentShift&, PetscVec w, PetscMat) const override;
  /// The tangent of small motions about one with accelerations a: with shift.q d(M(q) a)/dq of masses that vary, which a step
  /// leaves out because its mass stays what it was. Collective.
  void assemble_linearised(const Stage&, const TangentShift&, PetscVec a, PetscMat) const;
  MatHandle make_projection_matrix() const override { return make_matrix(MatrixKind::projection); }
  void assemble_projection(const Stage&, PetscMat) const override;
  void assemble_multiplier_response(const Stage&, PetscMat) const override;
  bool has_fault(const Configuration&) const override;
  std::string fault(const Configuration&) const override;
  bool has_branch_fault(const Configuration& before, const Configuration& now, double t) const override;
  std::string branch_fault(const Configuration& before, const Configuration& now, double t) const override;
  void require_admissible(const Configuration&) const override;
  std::string names_of_largest(PetscVec rows) const override;
  std::string place_of_largest(PetscVec rows) const override;
  std::string body_of_largest(PetscVec dofs) const override;
  std::vector<Breakpoint> breakpoints(double from, double to, double step) const override;
  void take_samples(const Stage&, bool is_start) const override;
  SwitchBoard* switches() const override { return has_switches_ ? &feedback_->switches() : nullptr; }
  std::vector<double> switch_arguments(const Stage&) const override;
  std::vector<double> switch_rates(const Stage&, PetscVec a) const override;
  std::vector<double> switch_roundings(const Stage&, PetscVec rounding) const override;
  std::vector<char> smooth_switches(const Stage& begin, const Stage& end, const std::vector<char>& left) const override;
  void choose_pieces(const Stage&, const std::vector<char>& fixed) const override;
  std::string name_of_switch(std::size_t k) const override;
  std::string stop_condition() const override;
  bool is_over(const Stage&) const override;
  void require_not_over(const Stage&) const override;
  const SignalCurves* curves() const override { return curves_.get(); }
  std::vector<double> curve_leaves(const Stage&) const override;
  std::string name_of_curve(std::size_t c) const override;
  bool forces_follow_turns() const override { return forces_follow_turns_; }
  double fastest_turn(const Stage&) const override;
  bool has_passing_forces() const override { return has_passing_forces_; }
  double soonest_pass(const Stage&) const override;
  bool has_kinks() const override { return has_kinks_; }
  bool has_held_laws() const override { return has_held_laws_; }
  std::vector<double> kinks(const Stage&) const override;
  void hold_laws(const std::vector<double>& sides) const override;
  void accept(const Stage&) const override;
  std::function<void()> keep_past() const override;
  /// Tangents from here on take the stresses that stiffen elements (of beams) from strains that are extrapolated to first order
  /// from `before`, along the motion w that leads to `now`. Where members are far stiffer against stretching than against
  /// bending, a correction strains them by its square, and the stress of that has nothing to do with the one that the next
  /// correction leads to; the extrapolated one is what the linear equations have asked for. Newton's method with independent
  /// stresses: Magisano, Leonetti and Garcea (2017), Comput. Methods Appl. Mech. Eng. 313, 986-1005. Both agree where
  /// corrections are small. Collective.
  void extrapolate_stresses(const Configuration& before, PetscVec w, const Configuration& now) const;
  /// Tangents are those of the forces again.
  void end_extrapolation() const;
  /// From here on tangents are those of all elements, or of those alone whose stresses cannot be extrapolated.
  void leave_out_extrapolated(bool leaves_out) const { leaves_out_extrapolated_ = leaves_out; }
  bool renew_partners(const Stage&) const override;
  bool chooses_partners() const override { return has_partners_; }
  bool counts_turns() const override { return counts_turns_; }
  /// Are there prescribed angles, and elements that these may wind up? The same on all ranks.
  bool winds_up() const { return winds_up_; }
  bool whole_turns(const Stage&, PetscVec rows) const override;
  /// 1 in the rows of prescribed angles, which know a gap up to whole turns, 0 in all others. False: there are none. Collective.
  bool prescribed_angle_rows(PetscVec rows) const;
  bool wants_impulses() const override { return ledger_->wants_impulses(); }
  void accept_impulse(PetscVec before, const Stage& after) const override { ledger_->accept_impulse(*this, before, after); }
  std::string outgrown() const override;
  std::string not_finite(double until) const override;
  /// A sentence if elements of solids are turned inside out anywhere, at a corner or between the points where they are
  /// integrated, or lines of cables go back on themselves inside one; empty otherwise. Collective.
  std::string folded(const Configuration&) const;

  /// Configuration and velocity as the model gives them. Collective.
  void given_values(Configuration& q, PetscVec z) const;
  /// The same as the beginning of a motion: turns of angles and what is exchanged count from there. Collective.
  void initial_state(Configuration& q, PetscVec z) const;
  /// What of a motion is kept here: what elements remember, turns of angles, what has been exchanged. Collective.
  void persist(Archive&);
  /// Energies of a state. Collective.
  SystemEnergy energy(const Stage&) const;
  /// What has been exchanged since the initial state; kept where a sensor records it.
  const EnergyLedger& ledger() const { return *ledger_; }
  /// What is exchanged per time. Collective.
  EnergyExchange exchange_rate(const Stage&) const;
  /// Is the power of this family's forces work that is brought in: of loads, actuators, and joints, which drives are?
  bool brings_work(std::size_t family) const;
  /// What one family's elements do at a stage: their forces, element by element. Collective (ghosts are brought up to date).
  std::vector<double> family_forces(std::size_t family, const Stage&) const;

  /// out_k = K x_k, K = -df/dq at the stage, without what feedback adds, and what is known of the x_k^T K x_k. It is made element
  /// by element, and of every element only of what is left of x when the element's motion as a whole is taken out (see
  /// ElementMotion): a product with the assembled K is rounded by 1e-16 of all that cancels in it, which in long thin members is
  /// more than the work of their slowest motions. On the host. Collective.
  std::vector<StiffnessWork> stiffness_times(const Stage&, const std::vector<PetscVec>& x,
                                             const std::vector<PetscVec>& out) const;

  /// out = what one unit of a component of a load does to f in the stage's configuration. Collective.
  void load_direction(const LoadComponent&, const Stage&, PetscVec out) const;
  /// From now on that component of a load is so much more than the model file says, and every other one what that says.
  void change_load(const LoadComponent&, double by) const;
  /// The functions of time of a joint or force, with what `change_load` adds to them.
  std::vector<TimeValue> signals(const Origin&, double t) const;

  /// Everything that depends on time stands still at `time` from now on, whatever a stage says, and gravity and the prescribed
  /// loads (force, torque, follower-force) count `load_factor` times: what statics needs.
  void hold(double time, double load_factor);
  /// Time goes on again: what `hold` stopped. Motions and loads have the rates of the moment that a stage names.
  void release();
  double load_factor() const { return load_factor_; }
  /// From now on the loads that `analysis.kept` does not name, gravity among them, count so many times what `hold` says.
  void multiply_live_loads(double factor);
  /// That number for the signals of an element of this family, 1 where it is no such load.
  double live_factor(std::size_t family, const Origin&) const;
  /// The time that functions of time are taken at.
  double clock(const Stage& stage) const { return held_time_.value_or(stage.t); }
  /// Does the load factor scale this family?
  bool is_load(std::size_t family) const { return static_cast<bool>(is_load_[family]); }

  const LocalModel& local() const { return local_; }
  const Model& model() const { return model_; }
  PetscMat mass() const { return mass_; }
  /// Puts -eps (G D^-1 G^T)_rr on the diagonal of the multipliers' rows in tangents and projections, D the diagonal of M: without
  /// it they are singular where constraints are redundant. Residuals stay exact, so solutions do not depend on it.
  void regularise(double eps);
  double regularisation() const { return regularisation_factor_; }
  /// What it subtracts in the rows, as a KKT vector; null where nothing is regularised. Local.
  PetscVec regularisation_of_rows() const { return regularisation_vector_; }
  void forget_analyses() const override;
  bool has_redundancy() const override { return regularisation_factor_ > 0; }
  /// Redundant constraints that miss each other by so much (m, rad) are held together as well as they can be: see
  /// closing_tolerance.
  void allow_misfit(double misfit) { misfit_ = misfit; }
  double misfit() const override { return misfit_; }
  /// So many constraint rows say what others say already.
  void note_redundant_rows(PetscInt count) { redundant_rows_ = count; }
  PetscInt redundant_rows() const { return redundant_rows_; }
  void reaction_sizes(const Stage&, PetscVec out) const override;
  void row_strengths(PetscVec out) const override;
  void let_constraints_give(bool on) const override { constraints_give_ = on; }
  /// (G D^-1 G^T)_rr of owned rows, D the diagonal of M: what the rows' regularisation is in proportion to.
  const std::vector<double>& row_mobilities() const { return row_mobilities_; }
  const std::vector<std::unique_ptr<Family>>& families() const { return families_; }
  /// u of the actuators and states, the first ones of LocalModel::signals. Collective (ghosts are brought up to date).
  std::vector<double> signal_values(const Stage&) const;
  /// Those of the outputs of owned controls, in their order. Collective, likewise.
  std::vector<double> output_values(const Stage&) const;
  /// Throws SolveError that names an expression of any rank, if one has given what is no number; null: none of this one has.
  /// Collective.
  void require_numbers(const Expression* failed, double t) const;
  /// An expression of a force, or of a state's rate, that bends or jumps in this very state, with its place in the file; empty:
  /// none does. Collective.
  std::string bent_expression(const Stage&) const;
  /// Values, then rates of the relative coordinates that this rank records. Collective (ghosts are brought up to date).
  std::vector<double> relative_values(const Stage&) const;
  /// Values of all that this rank knows, LocalModel::relatives. Collective, likewise.
  std::vector<double> values_of_relatives(const Stage&) const;
  /// v := 0 in the owned states of a dof vector, or everywhere else. On all ranks.
  void clear_states(PetscVec v) const;
  void clear_all_but_states(PetscVec v) const;
  /// Host copy of the local part of a configuration.
  std::vector<double> host_values(const Configuration&) const;
  PetscInt global_dofs() const { return global_dofs_; }
  PetscInt global_rows() const { return global_rows_; }

 private:
  void make_tables();
  void make_gathers() const;
  bool choose_partners(const Configuration&, PetscVec z) const;
  void number_unknowns();
  void make_mass();
  void find_entries();
  void probe_entries(unsigned probe);
  void make_regularisation();
  /// The first element in the order of the model that is at fault, the same on all ranks. Collective.
  std::optional<ElementFault> find_fault(const Configuration&) const;
  /// For sweeps that ask for places alone: no time, no loads, no velocities.
  SweepState sweep_state(const Configuration&) const;
  SweepState sweep_state(const Stage&) const;
  /// Turns of relative coordinates, and what has been exchanged, as sensors record them. Collective.
  void accept_measured(const Stage&) const;
  std::vector<double> sampled_values(const LocalSampler&, double t, const FeedbackPoint&) const;
  void add_sample_times(double from, double to, std::vector<Breakpoint>& found) const;
  void note_prescribed_angles(const Stage&) const;
  double prescribed_angle(std::size_t family, std::size_t e, double t) const;
  void forget_past() const;
  void persist_families(Archive&);
  void persist_prescribed_angles(Archive&);
  void find_counters();
  void measure_elements();
  void update_signals(double t) const;
  void require_finite_signals() const;
  std::string name_of(const Expression&) const;
  /// Of `analysis.stop`; null without.
  const Expression* stop_expression() const;
  void feed(const Stage&) const;
  void add_rates(const Stage&, PetscVec out) const;
  std::vector<double> feedback_entries(const SweepState&, const Stage&, const TangentShift&) const;
  std::vector<std::vector<double>> actuator_directions(const SweepState&) const;
  /// Rows and columns of what belongs to no family, in the order of its values.
  struct OwnPattern {
    std::vector<int> rows, columns;
  };
  OwnPattern own_pattern(MatrixKind) const;
  double power(const SweepState&, const Stage&, bool brings_work) const;
  void tangent_operators(PetscVec w) const;
  void sum_forces(const SweepState&, const std::function<bool(std::size_t)>& counts, PetscVec out) const;
  void force_difference(const Stage&, PetscVec change, PetscVec out) const;
  void sum_rows(double* slots, PetscVec out) const;
  void scale_load(std::size_t family, double* values, std::ptrdiff_t count) const;
  MatHandle make_matrix(MatrixKind) const;
  struct Filling;
  struct SweptPart;
  const Filling& filling(MatrixKind) const;
  void list_coupled(MatrixKind, const SweptPart&, const OwnPattern&, std::vector<MatrixFiller::Coupled>&) const;
  std::shared_ptr<const KktUnknowns> describe_unknowns() const;
  /// Whose nodes: of solids alone, of bodies, or also of the frames that surfaces and inner points of bodies carry.
  enum class NodesOf { solids, bodies, bodies_with_frames };
  std::vector<std::int64_t> bodies_of_nodes(NodesOf) const;
  std::vector<std::int64_t> bodies_of_local_nodes() const;
  std::vector<double> gyration_radii() const;
  void reaction_sizes(const Stage&, const std::vector<double>& extents, PetscVec out) const;
  void note_places(const Configuration&) const;
  void fill_projection(const Stage&, PetscVec lambda, PetscMat) const;
  void fill_tangent(const Stage&, const TangentShift&, PetscVec w, PetscVec a, PetscMat) const;
  using MatrixSweep = std::function<void(const Family&, ElementRange, double*)>;
  void set_values(MatrixKind, PetscMat, const MatrixSweep&, const std::vector<double>& own) const;

  const Model& model_;
  LocalModel local_;
  Layout layout_;
  NodeArrays nodes_;
  int num_frames_ = 0;          ///< of this rank, the ground among them
  bool has_rotations_ = false;  ///< of any rank's nodes
  bool is_one_point_ = false;
  bool is_compact_ = false;
  bool is_parallel_ = false;
  bool reads_multipliers_ = false;
  bool has_checks_ = false;
  bool mass_varies_ = false;
  bool forces_follow_turns_ = false;
  bool has_passing_forces_ = false;
  bool has_kinks_ = false;
  bool has_held_laws_ = false;
  PetscInt global_dofs_ = 0, global_rows_ = 0;
  mutable std::vector<std::unique_ptr<Family>> families_;        ///< those whose partners have changed become others
  bool has_partners_ = false;                                    ///< there are such families
  mutable std::vector<std::ptrdiff_t> force_start_, row_start_;  ///< first slot of every family
  std::vector<PetscInt> kkt_index_;                              ///< of local dofs, then of local rows
  mutable Gather force_gather_, row_gather_;
  VecHandle dof_template_, row_template_;
  mutable Halo halo_;                            ///< on several ranks
  mutable std::unique_ptr<BodySums> body_sums_;  ///< made when they are wanted
  MatHandle mass_;
  /// Entries of a family's square block that are not zero at every configuration, by matrix kind and family; empty: all.
  std::vector<std::vector<char>> entries_[2];
  /// The same of every element by itself, of families whose elements differ; empty for others.
  std::vector<std::vector<char>> element_entries_[2];
  std::vector<double> regularisation_;  ///< of owned rows
  std::vector<double> row_mobilities_;  ///< of owned rows
  VecHandle regularisation_vector_;     ///< the same as a KKT vector
  std::vector<double> row_sizes_;       ///< of owned rows
  double regularisation_factor_ = 0;
  mutable bool constraints_give_ = false;
  double misfit_ = 0;
  PetscInt redundant_rows_ = 0;
  mutable std::shared_ptr<const KktUnknowns> unknowns_[2];  ///< of the matrices of every kind
  /// A stretch of the slots of matrices: some elements of a family or, behind the families, some of the system's own values.
  struct SweptPart {
    std::size_t family = 0;
    ElementRange range;
  };
  /// How matrices of a kind are filled.
  struct Filling {
    std::vector<SweptPart> parts;
    std::unique_ptr<MatrixFiller> filler;
  };
  mutable Filling fillings_[2];  ///< by kind; made when they are wanted
  /// The force that was the first on this rank to leave what it is meant for; item -1: none has.
  struct Outgrown {
    std::int64_t item = -1, instance = 0, family = 0;
    double time = 0;
  };
  Outgrown first_outgrown() const;
  mutable Outgrown outgrown_;
  double finest_length_ = 0;
  bool counts_turns_ = false;                      ///< on any rank
  bool winds_up_ = false;                          ///< prescribed angles, elements between nodes
  mutable std::vector<double> prescribed_angles_;  ///< of the elements that prescribe one, in the last accepted state
  std::vector<char> is_load_;                      ///< families whose forces the load factor scales
  std::vector<char> is_fed_;                       ///< families of actuators
  std::unique_ptr<RelativeMotion> relatives_;
  bool has_relatives_ = false;  ///< on any rank
  bool has_switches_ = false;   ///< on any rank
  std::unique_ptr<EnergyLedger> ledger_;
  std::unique_ptr<Feedback> feedback_;
  std::unique_ptr<SignalCurves> curves_;  ///< null where no rank has any
  std::optional<double> held_time_;
  double load_factor_ = 1, live_factor_ = 1;
  mutable bool leaves_out_extrapolated_ = false;
  mutable DeviceArray<double> force_slots_, row_slots_, row_slots2_, T_;
  mutable double signal_time_ = 0;
  mutable bool signals_are_set_ = false;
  /// The first signal of this rank that was not finite since the last accepted state.
  struct NotFinite {
    double time = 0;
    std::array<std::int64_t, 4> order{};  ///< kind, item and instance of what it belongs to, number there
    const Expression* expression = nullptr;
    bool is_rate = false;  ///< a derivative of it is not
  };
  void note_not_finite(const NotFinite&) const;
  void note_signal(std::size_t k, const FeedbackPoint&, bool is_rate) const;
  double signal_value(std::size_t k, const FeedbackPoint&) const;
  mutable std::optional<NotFinite> not_finite_;
  /// What `change_load` has asked for.
  struct LoadChange {
    LoadComponent load;
    double by = 0;
  };
  mutable LoadChange load_change_;
};

}  // namespace sinew
