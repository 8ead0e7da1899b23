/// \file
/// The switches of the signals of a rank: `sign`, `atan2`, comparisons and their like whose arguments depend on the state, and
/// which of their pieces they are held at.
#pragma once

#include "model/expression_switches.hpp"
#include "partition/local_model.hpp"
#include "system/archive.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <tuple>
#include <vector>

namespace sinew {

/// A switch that several signals use counts once. Until `hold` every switch follows its argument; from then on it stays on its
/// piece. A rank holds the switches of its own signals; those that several ranks have come to the same on all of them.
class SwitchBoard {
 public:
  /// The local model must outlive it.
  explicit SwitchBoard(const LocalModel&);

  std::size_t size() const { return switches_.size(); }
  void hold() { is_held_ = true; }
  /// Every switch follows its argument again, and none slides: a run that comes after finds nothing of this one.
  void release();

  /// Does a switch slide, on whichever rank?
  bool is_sliding() const { return is_sliding_; }
  void set_sliding(bool slides) { is_sliding_ = slides; }
  /// How fast, 1/s, the slowest of those that slide takes its argument back by what it does to the argument's rate: the rate's
  /// change over the switch's range over the width within which it slides. Far above 1/h what it holds with follows from the
  /// motion; below, it is a spring.
  double holding_rate() const { return holding_rate_; }
  void set_holding_rate(double rate) { holding_rate_ = rate; }

  /// Has a signal any?
  bool is_in(std::size_t signal) const { return plans_[signal].has_switches; }
  ExpressionOp operation(std::size_t k) const { return switches_[k].op; }
  SwitchPiece& piece(std::size_t k) { return switches_[k].piece; }
  const SwitchPiece& piece(std::size_t k) const { return switches_[k].piece; }
  /// Does a switch follow its argument for good? What it is part of is smooth where its pieces meet, or passes there too often;
  /// nobody holds it. The switches at both ends of a table's piece do so together.
  bool follows(std::size_t k) const { return switches_[k].follows; }
  void set_following(std::size_t k, bool follows);
  /// Endless where the switch follows its argument.
  double margin(std::size_t k, double g) const {
    const Switch& s = switches_[k];
    if (s.follows) return std::numeric_limits<double>::infinity();
    return s.table != nullptr ? margin_of_end(s, g) : margin_of(s.op, s.piece, g);
  }
  /// A step begins where the argument of switch k is g. Of `atan2` that is the angle within half a turn of which the step is, and
  /// what has come round through y = 0, x > 0 is on the other piece, with the same value. Returns the argument, as it is counted
  /// from there.
  double begin_step(std::size_t k, double g) {
    Switch& s = switches_[k];
    if (s.op != ExpressionOp::atan2) return g;
    if (!s.piece.slides && std::abs(g) > std::numbers::pi)
      s.piece = piece_at(s.op, g, s.piece.width);
    else
      s.piece.base = g;
    return s.piece.base;
  }
  /// Where the argument of switch k has left its piece: what it goes over to. Of a table the next piece, or the one that the
  /// argument comes to if it goes on by `reach` and that lies further on.
  SwitchPiece piece_beyond(std::size_t k, double g, double reach) const;
  /// Is there an end of a table among the marked switches?
  bool leaves_table(const std::vector<char>& left) const;
  /// How long the shorter one is of the two pieces of a table that meet at the end which switch k is. Endless of other switches.
  double shorter_piece(std::size_t k) const;
  /// Places of switches in the model, and which switch of the board each of them is: one that several signals use has several.
  /// Every rank that has a signal knows the places in it. Those in `stop` are none: it may be another one in a run that goes on.
  const std::vector<std::pair<std::int64_t, std::size_t>>& mentions() const { return mentions_; }
  /// The expression that switch k is part of.
  const Expression& expression(std::size_t k) const { return *switches_[k].expression; }

  /// The value of a signal at time t with the values of its leaves, over any scalar.
  template <class S>
  S evaluate(std::size_t signal, const S& t, const S* leaves) const {
    if (!is_held_ || !plans_[signal].has_switches) return local_.signals[signal].flow.evaluate(t, leaves);
    const auto meet = [](std::size_t, const S&) {};
    const S held = follow(signal, t, leaves, Beyond::held, meet);
    return std::isfinite(value_of(held)) ? held : follow(signal, t, leaves, Beyond::let_go, meet);
  }
  /// Notes the arguments of a signal's switches in `g`, one place for each switch of the board.
  template <class S>
  void arguments(std::size_t signal, const S& t, const S* leaves, std::vector<S>& g) const {
    if (!plans_[signal].has_switches) return;
    bool is_known = true;
    const auto note = [&](std::size_t k, const S& argument) {
      g[k] = argument;
      is_known = is_known && std::isfinite(value_of(argument));
    };
    follow(signal, t, leaves, Beyond::held, note);
    if (!is_known) follow(signal, t, leaves, Beyond::let_go, note);
  }
  /// A step between two points in which a switch has left its piece.
  struct Passage {
    double t0 = 0, t1 = 0;
    std::vector<std::vector<double>> from, to;  ///< leaves of the signals that have switches
  };
  /// Do all signals of the rank that switch k, which is held, is part of have one slope where its two pieces meet, as abs(v)*v
  /// has, or of `atan2` one value and slope on both, as cos(2*atan2(y, x)) has?
  bool meets_smoothly(std::size_t k, const Passage&);
  /// Which switches have a marked one within their arguments, at any depth, as floor(max(0, x)) has max, or are the other end of
  /// a table of which one is marked.
  std::vector<char> around(const std::vector<char>& marked) const;
  /// Puts every switch of a signal that is not `fixed` on the piece of its argument; where pieces meet in one value, only if the
  /// argument is not on the piece at which the switch is held.
  void choose(std::size_t signal, double t, const double* leaves, const std::vector<char>& fixed);

 private:
  struct Switch {
    const Expression* expression = nullptr;
    ExpressionOp op = ExpressionOp::sign;
    const StraightTable* table = nullptr;  ///< of ExpressionOp::straight_table
    bool is_upper = false;                 ///< of a table: at the upper end of the piece, behind the switch at the lower one
    SwitchPiece piece;
    bool follows = false;
  };
  static double margin_of_end(const Switch&, double g);
  static SwitchPiece piece_of(const Switch&, double g);
  /// What becomes of switches whose arguments have left their pieces. Held ones make a signal smooth, but it may have no value
  /// there: max(0, x)^1.5, held at x, where x is negative. A step that has to reach behind the change is solved for with the
  /// signal as it is beyond.
  enum class Beyond { held, let_go };
  /// Of one signal: the marks of its steps, and where their switches stand on the board.
  struct Plan {
    std::vector<std::vector<SwitchMark>> marks;
    std::vector<std::vector<std::size_t>> places;
    bool has_switches = false;
  };

  /// Where switches stand on the board, by expression, instance and number.
  using Places = std::map<std::tuple<const Expression*, Indices, int>, std::size_t>;

  Plan make_plan(const LocalSignal&, Places&);
  bool meets_smoothly(std::size_t k, std::size_t signal, const Passage&);
  bool is_of_period(std::size_t k, std::size_t signal, const Dual1& t, const std::vector<Dual1>& leaves);
  bool slides(const Plan&) const;

  template <class S, class Meet>
  S follow(std::size_t signal, const S& t, const S* leaves, Beyond beyond, Meet meet) const {
    const Plan& plan = plans_[signal];
    const SignalFlow& flow = local_.signals[signal].flow;
    const bool is_sliding = slides(plan);
    std::vector<S> results, variables;
    for (std::size_t n = 0; n < flow.steps.size(); ++n) {
      const SignalStep& step = flow.steps[n];
      variables.clear();
      for (const int v : step.variables) variables.push_back(v >= 0 ? leaves[v] : results[static_cast<std::size_t>(-1 - v)]);
      const auto value = [&](int number, ExpressionOp op, const S* a) {
        const std::size_t k = plan.places[n][static_cast<std::size_t>(number)];
        const S argument = switch_argument(switches_[k].piece, op, a);
        meet(k, argument);
        if (const StraightTable* table = switches_[k].table) {
          const double x = value_of(argument);
          meet(k + 1, argument);
          const bool has_left = switches_[k].follows || (beyond == Beyond::let_go && (margin(k, x) < 0 || margin(k + 1, x) < 0));
          return has_left ? table->value(argument) : table->value_on(static_cast<std::size_t>(switches_[k].piece.base), argument);
        }
        const SwitchPiece& piece = switches_[k].piece;
        const bool has_left =
            switches_[k].follows || (beyond == Beyond::let_go && !piece.slides && margin(k, value_of(argument)) < 0);
        return value_on(has_left ? piece_at(op, value_of(argument), piece.width) : piece, op, a);
      };
      results.push_back(step.expression->is_constant() ? step.expression->evaluate(t, step.indices, variables.data())
                                                       : evaluate_switched(*step.expression, plan.marks[n], is_sliding, t,
                                                                           step.indices, variables.data(), value));
    }
    return results.back();
  }

  const LocalModel& local_;
  std::vector<Switch> switches_;
  std::vector<std::pair<std::int64_t, std::size_t>> mentions_;
  std::vector<Plan> plans_;  ///< one for each signal
  bool is_held_ = false, is_sliding_ = false;
  double holding_rate_ = 0;
};

}  // namespace sinew
