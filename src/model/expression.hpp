/// \file
/// Expressions of the model file: a short postfix program over a repeat's indices, the time and, where that is allowed, named
/// variables (sensors, states of controls), evaluated with doubles or with dual numbers, which gives exact derivatives.
/// `input/expression_parser.hpp` makes them from text.
#pragma once

#include "kernels/algebra/expression_operation.hpp"
#include "model/repeat.hpp"
#include "model/smooth_table.hpp"
#include "model/source_mark.hpp"
#include "model/straight_table.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sinew {

/// One instruction.
struct ExpressionInstruction {
  ExpressionOp op = ExpressionOp::constant;
  double constant = 0;  ///< of ExpressionOp::constant
  int variable = -1;    ///< of ExpressionOp::variable: index into Expression::variables(); of tables: into tables()
};

/// A name whose value is given at every evaluation, as written: `sensor.tip.velocity.x`.
struct ExpressionVariable {
  std::string text;
  std::size_t position = 0;  ///< of its first use, in characters from the start of the expression
};

/// A function of one value, given by rows of an argument and its value. Expressions share it.
using ValueTable = std::variant<StraightTable, SmoothTable>;
using SharedTables = std::vector<std::shared_ptr<const ValueTable>>;

/// A function of time and its first two derivatives.
struct TimeValue {
  double value = 0;
  double rate = 0;
  double acceleration = 0;
};

/// c + a[0] i + a[1] j, with whole coefficients.
struct LinearForm {
  std::int64_t constant = 0;
  Indices slope{};
};

/// A number of the model: a constant, or a function of the repeat's indices and, where that is allowed, of time and of variables.
class Expression {
 public:
  /// Deepest operand stack that a program may need; the parser refuses more.
  static constexpr int max_depth = 32;

  /// The constant 0.
  Expression() = default;
  Expression(double constant) : constant_(constant) {}  // NOLINT: a number is an expression
  /// A valid program (every operand present, depth at most max_depth), the text it came from, its variables and tables.
  Expression(std::vector<ExpressionInstruction> program, std::string text, std::vector<ExpressionVariable> variables = {},
             SharedTables tables = {});

  /// What stands for a number that could not be read; checks pass over it, its fault has been reported.
  static Expression unreadable();

  bool is_constant() const { return program_.empty(); }
  bool is_unreadable() const { return is_constant() && constant_ != constant_; }
  bool uses_time() const { return uses_time_; }
  bool uses_indices() const { return uses_indices_; }
  /// Every variable once, in the order of their first use. An expression that has some is evaluated with their values alone.
  const std::vector<ExpressionVariable>& variables() const { return variables_; }
  const SharedTables& tables() const { return tables_; }
  /// The table of instruction i, which is ExpressionOp::table.
  const SmoothTable& smooth_table(std::size_t i) const { return std::get<SmoothTable>(table(i)); }
  /// The table of instruction i, which is ExpressionOp::straight_table.
  const StraightTable& straight_table(std::size_t i) const { return std::get<StraightTable>(table(i)); }
  /// As written in the model file; empty for plain numbers.
  const std::string& text() const { return text_; }
  /// Where it stands in the model file.
  const SourceMark& mark() const { return mark_; }
  void set_mark(const SourceMark& mark) { mark_ = mark; }

  /// Its instructions; empty for a constant.
  const std::vector<ExpressionInstruction>& program() const { return program_; }

  /// The value at t = 0.
  double value(const Indices& indices = {}) const { return is_constant() ? constant_ : evaluate(0.0, indices); }
  /// The value at time t.
  double value_at(double t, const Indices& indices = {}) const { return is_constant() ? constant_ : evaluate(t, indices); }
  /// Value, first and second derivative with respect to time, exact up to rounding.
  TimeValue at(double t, const Indices& indices = {}) const;

  /// The value over any scalar (double, Dual1, Dual2); derivatives of the seeded time and variables come along. `variables`: one
  /// value for each.
  template <class S>
  S evaluate(const S& t, const Indices& indices, const S* variables = nullptr) const;
  /// What instruction i, no operand, makes of its operands.
  template <class S>
  S operate(std::size_t i, const S* a) const;
  /// The value with `operate(i, a)` for what instruction i does with its operands a: functions, operators, comparisons.
  template <class S, class Operate>
  S evaluate_by(const S& t, const Indices& indices, const S* variables, Operate operate) const;
  /// What the instructions from `begin` until `end`, which must need nothing that others leave, come to.
  template <class S, class Operate>
  S evaluate_part(std::size_t begin, std::size_t end, const S& t, const Indices& indices, const S* variables,
                  Operate operate) const;

  /// The expression as a linear form with whole coefficients in the indices; nothing if it is not one.
  std::optional<LinearForm> linear_form() const;

 private:
  const ValueTable& table(std::size_t i) const { return *tables_[static_cast<std::size_t>(program_[i].variable)]; }

  double constant_ = 0;
  bool uses_time_ = false;
  bool uses_indices_ = false;
  std::vector<ExpressionInstruction> program_;  // empty for a constant
  std::vector<ExpressionVariable> variables_;
  SharedTables tables_;
  std::string text_;
  SourceMark mark_;
};

}  // namespace sinew

#include "model/expression_evaluate.hpp"  // IWYU pragma: export
