/// \file
/// What an expression of sensors and controls comes to for one instance: components of sensors and states, and the expressions
/// between them.
#pragma once

#include "model/check.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace sinew {

/// A scalar that stands at the bottom: a component of a sensor, what a control remembers, or what a force measures of itself.
struct SignalLeaf {
  enum class Kind { sensor, state, own };
  Kind kind = Kind::sensor;
  InstanceRef item;                        ///< sensor, control or force
  Quantity quantity = Quantity::position;  ///< of a sensor
  int component = 0;  ///< of the quantity, number of what is remembered; of a force 0 its coordinate, 1 the rate
  bool operator==(const SignalLeaf&) const = default;
};

/// One expression on the way. The model must outlive it.
struct SignalStep {
  const Expression* expression = nullptr;
  Indices indices{};
  std::vector<int> variables;  ///< leaf k as k, the result of step n as -1 - n
};

/// Steps in the order of evaluation, every one once; the last one is the result.
struct SignalFlow {
  std::vector<SignalLeaf> leaves;
  std::vector<SignalStep> steps;

  /// The result at time t with the values of the leaves, over any scalar.
  template <class S>
  S evaluate(const S& t, const S* values) const {
    return results(t, values).back();
  }

  /// Those of all steps.
  template <class S>
  std::vector<S> results(const S& t, const S* values) const {
    std::vector<S> results, variables;
    for (const SignalStep& step : steps) {
      variables.clear();
      for (const int v : step.variables) variables.push_back(v >= 0 ? values[v] : results[static_cast<std::size_t>(-1 - v)]);
      results.push_back(step.expression->evaluate(t, step.indices, variables.data()));
    }
    return results;
  }
};

/// Whose expression it is: what its own names mean.
struct SignalOwner {
  enum class Kind { joint, force, control };
  Kind kind = Kind::joint;
  InstanceRef item;
};

/// Follows expressions and outputs of controls to their leaves; an output that several of them use is followed once.
class SignalTracer {
 public:
  /// The model must outlive it.
  explicit SignalTracer(const Model&);
  ~SignalTracer();

  /// Adds the steps of an expression, itself the last one. Returns what is wrong: a sensor, control, quantity or component that
  /// is not there or may not be used, outputs that depend on themselves.
  std::optional<Fault> add(const SignalExpression&, const Indices&, const SignalOwner&);
  /// Likewise of an output, of which nothing is added if it is known.
  std::optional<Fault> add_output(const InstanceRef& control, int number);
  /// The same, throwing InputError as the reader would have reported it. Returns the step that the expression or output is.
  int step(const SignalExpression&, const Indices&, const SignalOwner&);
  int step_of_output(const InstanceRef& control, int number);
  /// What has been added.
  SignalFlow& flow();
  /// The leaves that a step comes down to, in the order in which they are met.
  std::vector<SignalLeaf> leaves(int step);

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

/// Follows one expression to its leaves. Returns what is wrong.
std::optional<Fault> resolve_signal(const Model& model, const SignalExpression& signal, const Indices& indices,
                                    const SignalOwner& own, SignalFlow& flow);

/// The same, throwing InputError as the reader would have reported it.
SignalFlow signal_flow(const Model& model, const SignalExpression& signal, const Indices& indices, const SignalOwner& own);

/// Faults of a control's initial values, samples, laws and outputs. One tracer may serve all controls.
std::vector<Fault> check_control(const Model& model, int control, std::int64_t instance, SignalTracer&);

}  // namespace sinew
