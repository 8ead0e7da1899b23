/// \file
/// What an element, a joint and a force are: structs of static functions, templated on the scalar. The sweeps
/// (kernels/sweep) call them on every element of a family and derive everything else by dual numbers.
///
/// Conventions. A frame is (x, R): x in the global frame, R body to global. Its 6 degrees of freedom are
/// (v, omega): v = x' in the global frame, omega in body axes, R' = R omega~. Generalised forces pair with them: the force in
/// the global frame, the moment about x in body axes. A point has the 3 degrees of freedom v = x', a scalar one. "Derivative with
/// respect to q" is always the derivative along these directions, x + d, R exp(d~), at d = 0. Kinds of node stand in
/// kernels/nodes/node_kind.hpp.
///
/// An ELEMENT (kernels/elements) over N nodes of one kind:
///   static constexpr NodeKind node_kind;  static constexpr int num_nodes;  static constexpr int num_signals;
///   struct Params;                                          // doubles only
///   template <class S> static void force(const Params&, const Environment&, const double* signals,   // or T*, see PATTERN
///       const NodeStates<S, node_kind, num_nodes>&, NodeForces<S, node_kind, num_nodes>& f);        // adds f(t, q, v)
///   static void mass(const Params&, Mat<double, D, D>& M);                                         // adds; D = dofs; constant
///   static double strain_energy(const Params&, const NodeStates<double, ...>&);
///   static double potential_energy(const Params&, const Environment&, const NodeStates<double, ...>&);   // of gravity
///   optional: static void tangent(const Params&, const Environment&, const double* signals, const NodeStates<double, ...>&,
///       double cq, double cv, Mat<double, D, D>& J);        // adds -(cq df/dq + cv df/dv)
///   optional, over points, for devices: struct TeamMemory { Params params; NodeStates<double, ...> states; ... };
///     template <class Team> static void tangent_by_team(const Team&, TeamMemory&, double cq, double cv, double ca, double* out);
///       // sets the entries of -(cq df/dq + cv df/dv) + ca M by rows; parameters and states are there, all threads come here
///   optional: static Verdict check(const Params&, const NodeStates<double, ...>&);   // an inverted element, say
///   optional, with it: static constexpr const char* degenerate;   // what Verdict::degenerate means, the end of a sentence
///   optional: static bool commit(Params&, const NodeStates<double, ...>&);   // takes over into its parameters what is to be
///       remembered of a state that has become part of the solution; whether that was anything
///   optional, with it: static double counted_rate(const Params&, const NodeStates<double, ...>&);   // how fast an angle changes
///       whose turns the force follows, rad/s: steps under error control are short enough to tell them
///   optional: static double time_to_pass(const Params&, const NodeStates<double, ...>&);   // in what time the places come to
///       where a force acts that is nothing here, were they to go straight on; 0: they do not. Steps under error control are no
///       longer, so that none goes over what the force does in between
///   optional, with it: static bool outgrew(const Params&, const NodeStates<double, ...>&);   // such a state lies beyond what an
///       element is meant for, seen from the one it remembers;   static constexpr const char* outgrown;   // what that means, the
///       end of a sentence
///   optional: static constexpr int num_kinks;   static void kinks(const Params&, const NodeStates<double, ...>&, double* g);
///       // switching functions of q and v: where one changes sign the force goes over to another law. Steps under error control
///       // end there. A function that says something under conditions alone is 1 elsewhere
///   optional, with it, where the force jumps there: static void hold(Params&, const double* side);   // until the next call the
///       // force is the one of these sides of the kinks (1 or -1, numbered like g), whatever the state; 0: that of the state
///   optional: static void extrapolate(Params&, const NodeStates<double, ...>& before, const NodeStates<double, ...>& now);
///       // changes parameters that tangents alone will see: the stresses at `now` become those of strains extrapolated to first
///       // order from `before`, whose velocities are the motion to `now` (Newton's method with independent stresses)
///   optional: static constexpr bool is_slope(int node);   // a vector and no place
///   optional: static constexpr bool is_solid = true;         // three-dimensional continuum: factors of its matrices fill fast
///   optional: static constexpr bool is_load = true;          // a prescribed load, which the load factor of statics scales
///   which entries of its matrix may ever differ from zero: see PATTERN below
///   for the generic tests, optional (see kernels/elements/example.hpp): static Params example(unsigned seed);
///   static NodeStates<double, ...> example_reference(const Params&);  static constexpr bool frame_invariant = false;
///   Over nodes of several kinds: using NodeList = MixedNodes<NodeKind::frame, NodeKind::scalar>; in the place of node_kind and
///       num_nodes, and MixedStates, MixedForces (kernels/nodes/node_states.hpp) in that of NodeStates, NodeForces.
///   Over a number of nodes that is known at run time: using NodeList = OpenNodes<further kind, first kinds...>;
///       static constexpr int least_nodes;   and N for the number that an element has,
///   template <class S> static void force(const Params&, const Environment&, const double* signals,   // or T*, see PATTERN
///       const NodeList::States<S>&, NodeList::Forces<S>& f);   // kernels/open_nodes.hpp: s.point(k), f.point(k, force), ...
///   static void mass(const Params&, int N, const OpenMatrix& M);   // M.add(row, column, value)
///   optional: static void tangent(const Params&, const Environment&, const double* signals, const NodeList::States<double>&,
///       double cq, double cv, const OpenMatrix& J);   static constexpr bool couples(int N, int row, int column);
///       static constexpr int example_nodes(unsigned seed);   // energies, `check`, `commit` as above; nothing else of the above
///   Numbers of its own, of which one element has more than another (sections, tables, reduced matrices): static constexpr bool
///       has_numbers = true;   All functions then take WithNumbers<Params> in the place of Params, with `numbers` behind the
///       parameters;   static std::vector<double> example_numbers(unsigned seed, int N);   // for the generic tests
///   A struct without mass (a spring) leaves `mass` and `potential_energy` out; without energy, `strain_energy` out.
///   Whose partners change during a run, each acting on a few of its candidates at a time, without mass, memory and multipliers
///       (kernels/sweep/partner_family.hpp): all functions are those of a fixed list of nodes; beside it
///   using Candidates = OpenNodes<further kind, first kinds...>;   // what an element is given: all nodes it may ever act on
///   static void choose(Params&, const Candidates::States<double>&, int (&chosen)[number of nodes]);   // numbers among the
///       candidates, asked for in the first state and in every accepted one; holds those that it has. Parameters may follow them
/// for sensors, optional: static constexpr auto measures();   // of a force: MeasureSpec by MeasureSpec (kernels/describe.hpp),
/// and their numbers
///   static void measure(const Params&, const double* signals, const NodeStates<double, ...>&, double* out);
///       // over an open list const Frame<double>*, const Twist<double>* of its nodes in the place of their states
///   static constexpr auto section_measures();   // of an element of a line: likewise in the section at xi
///   static void measure_section(const Params&, const NodeStates<double, ...>&, double xi, double* out);
///
/// A FORCE (kernels/loads) is an element without mass, made from places and keys (or with a mass that depends on the
/// configuration: see MASS THAT VARIES). Its nodes are those of its places, of the kinds
/// that it declares as an element does: a place on a shaft is a scalar, one that is seen as a frame may be a point. Over an open
/// list it takes as many places as the model file connects, `least_nodes` or more. With numbers of its own it has beside `make`
///   static std::vector<double> numbers(const Setup&);   // behind the parameters, as many in all forces of as many places
/// optional, of one that is in a joint, with its places:
///   static constexpr auto joints();                          // the types of joint that it may be in, by their names
///   static constexpr int num_multipliers;                    // it depends on the reactions, as friction does: f(t, q, v,
///       lambda) with the multipliers of all rows of the (one type of) joint, as nonlinear in them as it may be. `force` and
///       `measure` then take them, const S* lambda, behind the states; lambda is zero where no multiplier enters. The sweep
///       derives df/dlambda. Multipliers of redundant joints are not determined, and nothing can be in proportion to them: such
///       models are refused.
///
/// A JOINT (kernels/joints) over N nodes, every one seen as a frame (a point is a frame that does not turn, a scalar one that
/// moves along the first axis):
///   static constexpr int num_nodes, num_position_rows, num_velocity_rows, num_signals;
///   template <class S> static void position(const Params&, const Frame<S> (&)[N], const S* signals, S (&g)[num_position_rows]);
///   template <class S> static void velocity(const Params&, const Frame<S> (&)[N], const Twist<S> (&)[N], const S* signals,
///       S (&k)[num_velocity_rows]);                          // nonholonomic rows, affine in the twists
///   optional, position rows only: static void gradient(const Params&, const Frame<double> (&)[N], const double* signals,
///       Mat<double, num_position_rows, 6 N>& G);             // sets every entry
///   optional: static void geometric_stiffness(const Params&, const Frame<double> (&)[N], const double* signals,
///       const double (&lambda)[num_position_rows], Mat<double, 6 N, 6 N>& K);   // adds K_ij = D_j (G^T lambda)_i
///   The derivative is iterated (first along j, then the gradient entry i), so its rotational blocks are not symmetric.
///   optional: static constexpr bool is_scalar(int node);   // the node is a scalar; none is where the struct does not say so
///   optional: static int used_nodes(const Params&);   // the rows depend on the first ones alone; the others are the ground
/// optional: static Verdict check(const Params&, const Frame<double> (&before)[N], const Frame<double> (&now)[N], const double*
/// signals);
///   static constexpr const char* fault;      // what it finds, the end of a sentence that starts with the joint's name
///   optional: static bool commit(Params&, const Frame<double> (&)[N]);   // as of an element
/// Rows hold on other branches as well (axes that point opposite ways), or say nothing in singular places (a disc that lies
/// flat): the
///   check tells whether the joint may be as it is now, one step after it was as `before` (the same where there was no step).
///   optional: static constexpr bool is_slope(int node);   // as of an element
///   optional: static constexpr bool prescribes_angle = true;   // the position row is an angle less its signal, and says nothing
///       of whole turns
///   optional: static constexpr bool shows_turns = true;   // the row is an angle less one that goes with another coordinate: it
///       says nothing of whole turns, but the coordinate has them all
///   Forces on the system are -G^T lambda. Time enters through `signals` alone; the sweep seeds their rates.
///   for sensors and controls, optional: what the joint leaves free (kernels/joints/coordinate.hpp), by names of the model file:
/// static constexpr std::array<const char*, C> coordinate_names();   static std::array<RelativeCoordinate, C> coordinates(const
/// Setup&);
///   Joints over points and frames of other numbers of nodes follow the same pattern.
///
/// PATTERN. Solvers are told once which entries an element's matrix has, and pay for each. These are all, unless the struct says
/// more:
///   optional: static constexpr bool couples(int row, int column);   // entries that may differ from zero in some state; numbers
///       among the element's dofs and then, of a joint, its rows. Mirror images are added, and the other columns of a rotation.
///   optional: static constexpr bool is_analytic = true;   // an entry that is zero in a few random states is zero in every state
/// The second claim holds for functions without branches, and the compiler checks that: `force`, or `position` and `velocity`,
/// must compile with Uncompared (kernels/algebra/uncompared.hpp), a number without <, ==, fabs or a value. Where the struct has
/// signals `force` takes them as `const T*`, a type of their own; they are uncompared too. Branches on parameters are free.
/// What the compiler cannot see are branches on time, gravity or what `commit` changes, and a root of a square, |x| in disguise.
/// A force that acts in one direction, within a gap or above a limit is not analytic: random states would miss its other side.
/// Matrices of masses alone are always found from their values: those that depend on parameters only, and those that vary in
/// states without any symmetry, so that `mass_at` must have no branches on the state.
///
/// MASS THAT VARIES. A force or an element over a fixed list of nodes, without multipliers, may have the energy 1/2 v^T M(q) v:
///   template <class S> static void mass_at(const Params&, const NodeStates<S, ...>&, Mat<S, D, D>& M);   // adds; of q alone
/// symmetric and positive semidefinite. The sweep derives what Lagrange's equations have beside M(q) v', as a force and with its
/// tangents, by dual numbers (kernels/varying_mass.hpp), and `force` holds nothing of it. The system takes M where the
/// state is: in residuals, tangents, projections, energies and momenta.
/// An element over an open list has it beside a constant part, `mass`, and writes out what is derived else; `tangent` is of both
/// forces:
///   static void mass_at(const Params&, const NodeList::States<double>&, const OpenMatrix& M);
///   template <class S> static void mass_at_times(const Params&, const NodeList::States<S>&, NodeList::Forces<S>&);   // adds M v
///   template <class S> static void inertia_force(const Params&, const NodeList::States<S>&, NodeList::Forces<S>&);  // of it
///
/// Host side, in the same header (see kernels/describe.hpp):
///   static constexpr const char* name;  static constexpr const char* help;
/// static constexpr auto fields();      // the keys of the model file; those of FieldType::signal, signal3 and feedback become
/// signals, in order
///   static Params make(const Setup&);    // from the two places and the values of the fields
/// optional, of a joint: static Vec3<double> ground_place(const Setup&);   // where a bare `ground` lies as the first place,
/// global; else at
///                                                                           // the second
#pragma once

#include "kernels/nodes/node_states.hpp"

namespace sinew {

/// What every element feels.
struct Environment {
  double time = 0;
  Vec3<double> gravity;
};

/// Numbers that an element has behind its parameters, as many as it needs.
struct Numbers {
  const double* first = nullptr;
  std::ptrdiff_t stride = 1;
  int count = 0;
  KOKKOS_INLINE_FUNCTION double operator[](int i) const { return first[i * stride]; }
};

template <class Params>
struct WithNumbers : Params {
  Numbers numbers;
};
template <class Params>
inline constexpr bool is_with_numbers = false;
template <class Params>
inline constexpr bool is_with_numbers<WithNumbers<Params>> = true;

template <class E>
concept HasNumbers = requires {
  requires E::has_numbers;
};

/// What the functions of element E take as its parameters.
template <class E>
struct ParamsOfElement {
  using type = typename E::Params;
};
template <HasNumbers E>
struct ParamsOfElement<E> {
  using type = WithNumbers<typename E::Params>;
};
template <class E>
using ParamsOf = typename ParamsOfElement<E>::type;

/// What went wrong in an element; device code never throws but reports this.
enum class Verdict : int { ok = 0, inverted = 1, degenerate = 2, not_finite = 3, other_branch = 4, singular = 5, outgrown = 6 };

}  // namespace sinew
