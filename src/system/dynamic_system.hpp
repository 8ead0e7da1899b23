/// \file
/// What a time integrator knows of a system: M(t,q) z' = f(t,q,z,lambda), 0 = g(t,q), 0 = k(t,q,z), q' = q z~. Flexible multibody
/// models and general differential-algebraic equations both implement it; a system knows no time method.
#pragma once

#include "base/petsc.hpp"
#include "kernels/sweep/state.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

/// A configuration q: what positions and orientations are stored in. Only the system that made it knows its layout.
struct Configuration {
  DeviceArray<double> values;
};

/// A point of the phase space with multipliers: where the blocks of a system are evaluated.
struct Stage {
  double t = 0;
  const Configuration* q = nullptr;
  PetscVec z = nullptr;       ///< velocities, dof layout; may be null where only g or G is asked for
  PetscVec lambda = nullptr;  ///< multipliers of all rows, row layout; may be null where no multiplier enters
};

/// Which constraint rows stand in an assembled tangent.
enum class ConstraintRows {
  stage,     ///< position rows: G T; velocity rows: k_z + velocity_row_q k_q T
  gradient,  ///< G and k_z, no T
  velocity,  ///< all at velocity level: G + velocity_row_q (g_t + G z)_q T and k_z + velocity_row_q k_q T
  curvature  ///< velocity_row_q (of the shift) times d/dq of (g_t + G z) and of k at frozen z, times T
};

/// What to assemble: J = a M - (q f_q T + v f_v) and -f_lambda in the rows of momentum.
struct TangentShift {
  double q = 0, v = 0, a = 0;
  double velocity_row_q = 0;  ///< see ConstraintRows
  ConstraintRows rows = ConstraintRows::stage;
  double state_v = 1, state_a = 1;  ///< in the columns of first-order states v counts so many times, and a in their own
  double state_q = 0;               ///< and q so many times: 1 where a state counts as a position (states of rest, vibrations)

  /// What the derivatives with respect to states are multiplied by.
  double state_factor() const { return v * state_v + q * state_q; }
};

/// Where a function of time that the user gave goes over to another piece: the last time of the piece before it, the first time
/// of the piece after it. Both are the same where only a sample is wanted, of what lies within a short piece.
struct Breakpoint {
  double before = 0, after = 0;
  bool jumps = false;         ///< accelerations do: a force jumps, or a prescribed position, velocity or acceleration
  bool is_resolved = true;    ///< steps of the size that was asked about may go across it without losing their order
  bool bends = false;         ///< rates of accelerations do, of loads or of a prescribed motion
  bool bends_motion = false;  ///< of a prescribed motion
};

/// Sizes on this rank. Dof vectors hold num_dofs numbers a rank, row vectors num_rows, KKT vectors both, dofs first.
///
/// A first-order state s of s' = f_s(t,q,z,s,lambda) is a dof without position: z holds s, an acceleration holds s', M has 1 on
/// its diagonal and nothing beside it, no constraint knows it, and increments of the configuration pass over it.
struct Layout {
  MPI_Comm comm = MPI_COMM_SELF;
  PetscInt num_dofs = 0;
  PetscInt num_rows = 0;
  std::vector<char> row_is_velocity;  ///< owned rows: nonholonomic (velocity level) or not
  std::vector<PetscInt> states;       ///< owned dofs that are first-order states, by their local numbers, rising
  std::vector<double> state_sizes;    ///< of these, what their errors are measured by; 0, or no list: not given
  std::vector<PetscInt> held;         ///< of these, what sampled controls remember: a step leaves it as it is, to the last bit
};

class RigidMotions;
class SignalCurves;
class SwitchBoard;

class DynamicSystem {
 public:
  virtual ~DynamicSystem() = default;

  virtual const Layout& layout() const = 0;
  /// M and W constant, and f = f0(t,q,z) - G^T lambda, with what may depend on reactions besides (see reads_multipliers): then
  /// the block solver applies.
  virtual bool is_mechanical() const = 0;
  /// Does M depend on time or configuration? The same on all ranks.
  virtual bool mass_varies() const = 0;
  /// Of mechanical systems: do forces depend on the multipliers in another way than -G^T lambda (friction in joints)? The same on
  /// all ranks. f_lambda then is neither constant nor -G^T, and what the motion needs of lambda comes by Newton's method.
  virtual bool reads_multipliers() const { return false; }
  /// Are its matrices those of compact, three-dimensional bodies (fill grows fast) rather than of chains and nets?
  virtual bool is_compact() const { return false; }
  /// Is there a group, so that T differs from the unit matrix?
  virtual bool has_rotations() const = 0;

  /// New zero vectors. Collective.
  virtual VecHandle make_dof_vector() const = 0;
  virtual VecHandle make_row_vector() const = 0;

  /// Storage of the shape of the system's configurations.
  virtual Configuration make_configuration() const = 0;
  /// q1 = q0 o exp(w). Collective.
  virtual void retract(const Configuration& q0, PetscVec w, Configuration& q1) const = 0;
  /// w with q1 = q0 o exp(w), the shortest one. Collective.
  virtual void difference(const Configuration& q0, const Configuration& q1, PetscVec w) const = 0;
  /// w = base + b T(w)^-1 z: an implicit multistep formula for the chart q0 o exp(w), in which q' = q z~ reads w' = T(w)^-1 z.
  /// Not finite where there is no solution nearby (turns of more than about two radians). Collective.
  virtual void chart_step(PetscVec base, double b, PetscVec z, PetscVec w) const = 0;
  /// out = [u, v], the commutator of the group: the cross product of angular velocities, zero elsewhere. Collective.
  virtual void commutator(PetscVec u, PetscVec v, PetscVec out) const = 0;
  /// The largest angle by which an increment turns something on this rank, rad; `angles`, where it is not null: the angle of each
  /// at the place of its first component, zero elsewhere. Local.
  virtual double largest_turn(PetscVec /*w*/, PetscVec angles = nullptr) const {
    if (angles != nullptr) petsc(VecSet(angles, 0.0));
    return 0;
  }
  /// The largest coordinate, max |y|: rounding of positions is relative to it. Collective.
  double configuration_norm(const Configuration&) const;
  /// That of this rank. Local.
  virtual double largest_coordinate(const Configuration&) const = 0;
  /// The largest |angle| of shafts on this rank, rad, which turn on and on. Local.
  virtual double largest_shaft_angle(const Configuration&) const { return 0; }
  /// The model's length, m: what displacements and gaps of constraints are small or large against. It stays what it is during a
  /// run and does not depend on where the origin lies; 0 where there is none (a single point). Local.
  virtual double extent() const = 0;
  /// The shortest distance of two nodes of an element or joint, m: rounding of a place turns and stretches it by its part of it.
  /// The extent where there are none. Places of a joint that coincide but for rounding have none. Local.
  virtual double finest_length() const { return extent(); }
  /// By how much more than its part of the extent rounding of a place turns or stretches what is short. Local.
  double amplified_rounding() const { return finest_length() > 0 ? std::max(1.0, extent() / finest_length()) : 1.0; }
  /// Are the bodies points in one place that no rod holds? Then the extent, if there is any, is how far from the ground they
  /// happen to start, which says nothing of how far they go. Local.
  virtual bool is_one_point() const { return !(extent() > 0); }
  /// The size of every dof: the extent for displacements, 1 for rotations (radians) and slopes, 1 for first-order states. A
  /// velocity divided by it is a rate, 1/s. An extent of 0 counts as 1. Collective.
  void dof_sizes(PetscVec out) const { dof_sizes_with(extent() > 0 ? extent() : 1.0, out); }
  /// The same with this length for displacements. Collective.
  virtual void dof_sizes_with(double length, PetscVec out) const = 0;

  /// Brings what this rank knows of others' entries of dof and row vectors up to date, of all of them together: what is asked of
  /// the system next at these vectors waits for no message then. Null pointers are passed over. Collective.
  virtual void share(std::initializer_list<PetscVec> /*dofs*/, std::initializer_list<PetscVec> /*rows*/) const {}

  /// What relative errors are relative to, dof by dof: q_size for increments of the configuration, z_size for velocities. Of
  /// no meaning in first-order states, but not 0. Unless a system knows better: max |y| and max |z|. Collective.
  virtual void error_sizes(const Configuration& q, PetscVec z, PetscVec q_size, PetscVec z_size) const;

  /// out = M(t,q) a. Collective.
  virtual void mass_times(const Stage&, PetscVec a, PetscVec out) const = 0;
  /// The diagonal of M, for estimates; zero where a coordinate has no mass of its own. Mechanical systems only. Collective.
  virtual void mass_diagonal(PetscVec out) const { petsc(VecSet(out, 0.0)); }
  /// Every dof of these vectors gets the sum over the body that it belongs to. Unless a system knows better all are one body.
  /// Collective.
  virtual void sum_over_bodies(std::initializer_list<PetscVec>) const;
  /// Motions of whole bodies; null where the system knows of none. Collective.
  virtual std::shared_ptr<const RigidMotions> rigid_motions() const { return nullptr; }
  /// out = f(t,q,z,lambda), all multipliers included. Collective.
  virtual void forces(const Stage&, PetscVec out) const = 0;
  /// The size of every constraint row: the norm of its gradient at the start, every dof times its size. A gap divided by it is 1
  /// where things are off by as much as they are large, whatever the row is measured in; a row at velocity level divided by it is
  /// a rate, 1/s. 1 where a gradient vanishes at the start. Collective.
  virtual void row_sizes(PetscVec out) const = 0;
  /// The forces at work on every dof, before they cancel: the sum of the absolute values of what elements, loads and joints
  /// contribute to f. What is left of an equation is small or large against it, and its rounding is a few units in the last place
  /// of it. Collective.
  virtual void force_magnitudes(const Stage&, PetscVec out) const = 0;
  /// out = f(lambda + change) - f(lambda); of a mechanical system without lambda in the stage -G^T change alone. Collective.
  virtual void force_change(const Stage&, PetscVec change, PetscVec out) const = 0;
  /// position: g in the holonomic rows, 0 in the others; velocity: g_t + G z, respectively k. Either may be null, and then costs
  /// nothing. Collective.
  virtual void constraints(const Stage&, PetscVec position, PetscVec velocity) const = 0;
  /// D[g_t + G z](1, z), respectively D[k](1, z), at frozen z: the acceleration-level rows are G a + drift = 0. Collective.
  virtual void constraint_drift(const Stage&, PetscVec drift) const = 0;

  /// A matrix of the tangent's pattern over KKT vectors, and its values. w: the increment whose T(w) enters, or null. Collective.
  virtual MatHandle make_tangent_matrix() const = 0;
  virtual void assemble_tangent(const Stage&, const TangentShift&, PetscVec w, PetscMat) const = 0;
  /// The same for [M G^T; G 0] with a diagonal of -regularisation in the rows of the multipliers. Mechanical systems only.
  virtual MatHandle make_projection_matrix() const = 0;
  virtual void assemble_projection(const Stage&, PetscMat) const = 0;
  /// The same with -f_lambda at the stage in the place of G^T: how a change of the multipliers moves things. Collective.
  virtual void assemble_multiplier_response(const Stage& stage, PetscMat A) const { assemble_projection(stage, A); }

  /// Lets go what solvers have noted of its matrices for those that come after (orders of elimination, pivots).
  virtual void forget_analyses() const {}

  /// Are constraints redundant, so that their multipliers are not determined?
  virtual bool has_redundancy() const { return false; }
  /// By how much redundant constraints miss each other (m, rad): residuals of that size are left wherever the system is, and none
  /// is a fault.
  virtual double misfit() const { return 0; }
  /// What a unit of every multiplier is as a force: 1 for forces, 1 / extent for moments (distributed over the nodes of a
  /// surface, all together). Collective.
  virtual void reaction_sizes(const Stage&, PetscVec out) const { petsc(VecSet(out, 1.0)); }
  /// About the diagonal of G M^-1 G^T: how strongly every multiplier acts. Collective.
  virtual void row_strengths(PetscVec out) const { petsc(VecSet(out, 1.0)); }
  /// What is to count as no mass, of every dof. Collective.
  virtual void least_masses(PetscVec out) const { petsc(VecSet(out, 0.0)); }

  /// Lets constraints give way in the matrices of tangents and projections that are assembled from now on, or ends that: a part
  /// of (G D^-1 G^T)_rr, D the diagonal of M, is subtracted on their diagonals. Where bodies stand within some 1e-3 of the extent
  /// of a singular position, rows say the same but for that much, and corrections of gaps that are hardly any would be divided by
  /// it. Mechanical systems only.
  virtual void let_constraints_give(bool) const {}

  /// Joints hold on branches where they may not be (axes that point opposite ways) and lose their hold in singular places (a disc
  /// that lies flat). A sentence that names the first such joint after a step from `before` to `now` at time t, the same on all
  /// ranks; empty when all is well. Without a step both are the same. Collective.
  virtual std::string branch_fault(const Configuration& /*before*/, const Configuration& /*now*/, double /*t*/) const {
    return {};
  }
  /// Is there one on this rank? Local.
  virtual bool has_branch_fault(const Configuration& /*before*/, const Configuration& /*now*/, double /*t*/) const {
    return false;
  }
  /// Whether a configuration is admissible: a sentence that names the element at fault (one turned inside out, a spring of length
  /// zero), the same on all ranks; empty when all is well. Collective.
  virtual std::string fault(const Configuration&) const { return {}; }
  /// Is there an element at fault on this rank? Local.
  virtual bool has_fault(const Configuration&) const { return false; }
  /// Throws InputError where a configuration that the user gave is not admissible. Collective.
  virtual void require_admissible(const Configuration&) const {}
  /// The names of what has the largest numbers of a row vector, for messages: `'hinge', 'slider'`; empty where rows have no
  /// names. Collective.
  virtual std::string names_of_largest(PetscVec) const { return {}; }
  /// Where the first of them stands in the model file, `file:line:column`; empty where rows have no place. Collective.
  virtual std::string place_of_largest(PetscVec) const { return {}; }
  /// The body or control with the largest number of a dof vector, for messages: `'crank'`; empty where dofs have no names.
  /// Collective.
  virtual std::string body_of_largest(PetscVec) const { return {}; }
  /// Tells the system that a state is part of the solution: what depends on the past, the turns of an angle, goes on from there.
  /// Collective.
  virtual void accept(const Stage&) const {}
  /// A function that takes back what the system has been told from now on: for a way that is only tried. Local.
  virtual std::function<void()> keep_past() const {
    return [] {};
  }
  /// Lets elements whose partners change choose them anew in a state that is part of the solution. True: some have, and the
  /// pattern of the tangent is another one from now on; matrices from before must not be assembled any more, and those who keep
  /// such make them anew. The same on all ranks. Collective.
  virtual bool renew_partners(const Stage&) const { return false; }
  /// May it? The same on all ranks.
  virtual bool chooses_partners() const { return false; }
  /// Does anything depend on how often an angle has turned? The same on all ranks.
  virtual bool counts_turns() const { return false; }
  /// What the rows of prescribed angles, which know a gap up to whole turns, leave out of it (rad, multiples of 2 pi): the angle
  /// is the one that continues the last accepted state, at the beginning 0. Zero in all other rows. False: everywhere.
  /// Collective.
  virtual bool whole_turns(const Stage&, PetscVec rows) const {
    petsc(VecSet(rows, 0.0));
    return false;
  }
  /// Does `accept_impulse` look at the impulses themselves? The same on all ranks.
  virtual bool wants_impulses() const { return false; }
  /// Tells the system that prescribed velocities which jump have changed those of the solution in no time. `after.lambda` holds
  /// the impulses Lambda, M (z+ - z-) = -G^T Lambda, where they are wanted, and is null otherwise. Collective.
  virtual void accept_impulse(PetscVec /*before*/, const Stage& /*after*/) const {}
  /// What has left the range that its element describes in the accepted states, in words; empty where nothing has. Collective.
  virtual std::string outgrown() const { return {}; }
  /// Breakpoints of the functions of time from a time on until another one, rising, none twice, the same on all ranks; and
  /// samples of pieces that steps of about `step` would not follow. See docs/theory/error-control.md. Collective.
  virtual std::vector<Breakpoint> breakpoints(double /*from*/, double /*to*/, double /*step*/) const { return {}; }

  /// What sampled controls remember, in z of a state that is part of the solution, becomes that behind the samples that are due
  /// at its time; breakpoints tell when they are. `is_start`: nothing has been sampled yet; outputs without a sample then are
  /// what one would give. Throws InputError where a sample is not finite. Collective.
  virtual void take_samples(const Stage&, bool /*is_start*/) const {}

  /// What changes from one piece to another where the state says so (a limiter, dry friction, a relay); null where no rank has
  /// any. While its switches are held the equations are smooth.
  virtual SwitchBoard* switches() const { return nullptr; }
  /// The arguments of this rank's switches. Collective.
  virtual std::vector<double> switch_arguments(const Stage&) const { return {}; }
  /// How fast they change while the state moves with the accelerations a. Collective.
  virtual std::vector<double> switch_rates(const Stage&, PetscVec /*a*/) const { return {}; }
  /// What rounding of places, by dofs, makes of them at most. Collective.
  virtual std::vector<double> switch_roundings(const Stage&, PetscVec /*rounding*/) const { return {}; }
  /// Which of this rank's switches that were left in a step are part of nothing but what is smooth where their pieces meet.
  /// Collective.
  virtual std::vector<char> smooth_switches(const Stage& /*begin*/, const Stage& /*end*/, const std::vector<char>& left) const {
    return std::vector<char>(left.size(), 0);
  }
  /// Puts every switch that is not `fixed` on the piece of its argument. Collective.
  virtual void choose_pieces(const Stage&, const std::vector<char>& /*fixed*/) const {}
  /// Where the expression of this rank's switch k stands in the model file, and the expression itself.
  virtual std::string name_of_switch(std::size_t /*k*/) const { return {}; }

  /// Forces and rates of this rank that bend what they know of the state; null where no rank has any.
  virtual const SignalCurves* curves() const { return nullptr; }
  /// What they know of it: the leaves of one after the other. Collective.
  virtual std::vector<double> curve_leaves(const Stage&) const { return {}; }
  /// Where the expression of this rank's curve stands in the model file, and the expression itself.
  virtual std::string name_of_curve(std::size_t /*c*/) const { return {}; }

  /// Do forces, or joints, follow angles whose turns they count from one accepted state to the next? The same on all ranks.
  virtual bool forces_follow_turns() const { return false; }
  /// The largest |rate| of such an angle, rad/s, the same on all ranks. Collective.
  virtual double fastest_turn(const Stage&) const { return 0; }
  /// Do forces act only while places are near to each other? The same on all ranks.
  virtual bool has_passing_forces() const { return false; }
  /// In what time the first of those that are nothing here acts, were all to go on as it does, s, the same on all ranks; infinite
  /// where none does. Collective.
  virtual double soonest_pass(const Stage&) const { return std::numeric_limits<double>::infinity(); }
  /// Do laws of forces go over to other ones where the state says so? The same on all ranks.
  virtual bool has_kinks() const { return false; }
  /// Do some of them jump there? The same on all ranks.
  virtual bool has_held_laws() const { return false; }
  /// The switching functions of this rank's laws (kernels/contract.hpp), always in the same order. Collective.
  virtual std::vector<double> kinks(const Stage&) const { return {}; }
  /// Holds laws that jump on these sides of their kinks, 1 or -1, or none (an empty list): until then they follow the state.
  virtual void hold_laws(const std::vector<double>& /*sides*/) const {}

  /// A condition under which the motion ends before its time, as the model file has it; empty where there is none. The same on
  /// all ranks.
  virtual std::string stop_condition() const { return {}; }
  /// Does it hold in this state, which is part of the solution, whatever pieces switches are held on? Collective.
  virtual bool is_over(const Stage&) const { return false; }
  /// Throws InputError, with its place in the model file, where it holds in a state from which a motion is to go on. Collective.
  virtual void require_not_over(const Stage&) const {}

  /// An expression of the user's that gave no finite number since the last accepted state, not later than a time: where it
  /// stands, what it is, and when. Of several the first in time; the same on all ranks, empty where there is none. Collective.
  virtual std::string not_finite(double /*until*/) const { return {}; }
};

/// DynamicSystem::largest_turn over all ranks. Collective.
double largest_turn(const DynamicSystem&, PetscVec w);

/// Copies the two parts of a KKT vector out or in (sizes of the layout). Local.
void split_kkt(PetscVec kkt, PetscVec dofs, PetscVec rows);
void join_kkt(PetscVec dofs, PetscVec rows, PetscVec kkt);
/// A zero KKT vector. Collective.
VecHandle make_kkt_vector(const Layout&);

}  // namespace sinew
