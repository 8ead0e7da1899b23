#include "input/expression_parser.hpp"

#include "input/expression_functions.hpp"
#include "input/expression_lexer.hpp"
#include "input/program_builder.hpp"
#include "input/unknown_name.hpp"
#include "model/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace sinew {
namespace {

using Op = ExpressionOp;
using Function = ExpressionFunction;
using Program = ProgramBuilder::Program;

/// Brackets and signs may be nested this deep.
constexpr int max_nesting = 200;

constexpr double pi = std::numbers::pi;

/// Recursive descent; every function appends the program of what it reads.
class Parser {
 public:
  Parser(const std::string& text, const ExpressionScope& scope) : scope_(scope), tokens_(split_expression(text)) {}

  std::vector<ExpressionInstruction> parse() {
    if (current().kind == ExpressionToken::Kind::end) fail("an expression is missing here");
    ternary();
    if (current().kind != ExpressionToken::Kind::end) fail_trailing();
    return program_.take();
  }
  std::vector<ExpressionVariable> variables() { return std::move(variables_); }
  SharedTables tables() { return std::move(tables_); }

 private:
  const ExpressionToken& current() const { return tokens_[at_]; }
  bool is(const char* symbol) const { return current().kind == ExpressionToken::Kind::symbol && current().text == symbol; }
  bool accept(const char* symbol) {
    if (!is(symbol)) return false;
    ++at_;
    return true;
  }
  void expect(const char* symbol, const char* why) {
    if (accept(symbol)) return;
    fail(std::string("'") + symbol + "' expected " + why +
             (current().text.empty() ? " at the end" : ", found '" + current().text + "'"),
         unbalanced_hint());
  }
  [[noreturn]] void fail(const std::string& message, const std::string& remedy = "") const {
    throw ExpressionError(current().position, message, remedy);
  }
  static const char* unbalanced_hint() { return "an expression with commas inside [ ] or { } must stand in quotes"; }

  [[noreturn]] void fail_trailing() const {
    if (is(")")) fail("this ')' closes nothing", unbalanced_hint());
    if (is(",")) fail("a ',' does not belong here", unbalanced_hint());
    if (is("<") || is(">") || is("<=") || is(">=") || is("==") || is("!="))
      fail("comparisons cannot be chained", "write a < b && b < c");
    fail("an operator is missing before '" + current().text + "'", "write 2*x for twice x; units are not written");
  }

  void ternary() {
    const Nesting guard(*this);
    logical_or();
    if (!accept("?")) return;
    ternary();
    expect(":", "after 'condition ? value'");
    ternary();
    emit(Op::select);
  }

  void logical_or() {
    logical_and();
    while (accept("||")) {
      logical_and();
      emit(Op::logical_or);
    }
  }

  void logical_and() {
    comparison();
    while (accept("&&")) {
      comparison();
      emit(Op::logical_and);
    }
  }

  void comparison() {
    static constexpr Function operators[] = {{"<=", Op::less_equal}, {">=", Op::greater_equal}, {"==", Op::equal},
                                             {"!=", Op::not_equal},  {"<", Op::less},           {">", Op::greater}};
    sum();
    for (const Function& candidate : operators)
      if (accept(candidate.name)) {
        sum();
        emit(candidate.op);
        return;
      }
  }

  void sum() {
    product();
    while (is("+") || is("-")) {
      const Op op = is("+") ? Op::add : Op::subtract;
      ++at_;
      product();
      emit(op);
    }
  }

  void product() {
    unary();
    while (is("*") || is("/")) {
      const Op op = is("*") ? Op::multiply : Op::divide;
      ++at_;
      unary();
      emit(op);
    }
  }

  void unary() {
    const Nesting guard(*this);
    if (accept("+")) return unary();
    if (accept("-")) {
      unary();
      return emit(Op::negate);
    }
    if (accept("!")) {
      unary();
      return emit(Op::logical_not);
    }
    postfix();
    if (!accept("^")) return;
    unary();
    emit(Op::power);
  }

  void postfix() {
    primary();
    for (int count = 0; current().kind == ExpressionToken::Kind::name && current().text == "deg"; ++at_, ++count) {
      if (count > 0) fail("'deg' stands twice", "write 30 deg");
      push(pi / 180);
      emit(Op::multiply);
    }
  }

  void primary() {
    const ExpressionToken& token = current();
    if (token.kind == ExpressionToken::Kind::number) {
      ++at_;
      return push(token.value);
    }
    if (token.kind == ExpressionToken::Kind::name) return name();
    if (accept("(")) {
      ternary();
      return expect(")", "to close the bracket");
    }
    if (token.kind == ExpressionToken::Kind::end) fail("the expression ends too early", unbalanced_hint());
    fail("a number, a name or '(' expected, found '" + token.text + "'");
  }

  void name() {
    ExpressionToken token = current();
    if (token.text.find('{') != std::string::npos && !is_signal(token.text))  // a table or constant
      token.text = expand_constants(token.text, scope_, token.position);
    ++at_;
    if (const Program* value = find_value(token.text)) return add(*value);
    for (const Function& function : expression_functions)
      if (token.text == function.name) return call(function);
    if (is("(")) {
      if (const auto table = find_table(token.text)) return look_up(token.text, table);
      if (const TableOfTwo* table = find_table_of_two(token.text)) return look_up_two(token.text, *table);
      for (const ComposedFunction& function : composed_functions())
        if (token.text == function.name) return write_out(function);
      --at_;
      fail("unknown function '" + token.text + "'", suggestion(token.text, names_of_functions(scope_)));
    }
    if (find_table(token.text))
      fail("a value in brackets is missing behind the table '" + token.text + "'", "write " + token.text + "(t)");
    if (find_table_of_two(token.text))
      fail("two values in brackets are missing behind the table '" + token.text + "'", "write " + token.text + "(x, y)");
    if (token.text == "pi") return push(pi);
    if (scope_.repeat)
      for (std::size_t k = 0; k < scope_.repeat->ranges().size(); ++k)
        if (scope_.repeat->ranges()[k].name == token.text) return variable(k == 0 ? Op::index0 : Op::index1);
    if (token.text == "t" && scope_.time_allowed) return variable(Op::time);
    if (scope_.parameter && token.text == scope_.parameter) return variable(Op::time);
    if (is_signal(token.text) && scope_.signals_allowed) return signal(token);
    if (scope_.states && std::find(scope_.states->begin(), scope_.states->end(), token.text) != scope_.states->end())
      return signal(token);
    if (scope_.constants) {
      const auto found = scope_.constants->find(token.text);
      if (found != scope_.constants->end()) {
        if (scope_.used_constants) scope_.used_constants->insert(token.text);
        return push(found->second);
      }
    }
    --at_;
    fail_unknown_name(token.text, scope_, current().position);
  }

  /// None where the name is that of no table. Formulas of functions know none: their words are functions.
  std::shared_ptr<const ValueTable> find_table(const std::string& name) const {
    if (!scope_.tables || written_out_) return nullptr;
    const auto found = scope_.tables->find(name);
    return found == scope_.tables->end() ? nullptr : found->second;
  }

  const TableOfTwo* find_table_of_two(const std::string& name) const {
    if (!scope_.tables_of_two || written_out_) return nullptr;
    const auto found = scope_.tables_of_two->find(name);
    return found == scope_.tables_of_two->end() ? nullptr : &found->second;
  }

  void look_up(const std::string& name, const std::shared_ptr<const ValueTable>& table) {
    const std::size_t begin = program_.size();
    expect("(", "after a table's name");
    ternary();
    if (is(",")) fail("the table " + name + " takes 1 value", unbalanced_hint());
    expect(")", "after the value of a table");
    apply(table, begin);
  }

  /// The sum of its terms, each with the programs of both values.
  void look_up_two(const std::string& name, const TableOfTwo& table) {
    const std::size_t begin = program_.size();
    expect("(", "after a table's name");
    ternary();
    const Program x = program_.cut(begin);
    if (is(")")) fail("the table " + name + " takes 2 values", "write " + name + "(x, y)");
    expect(",", "between the values of a table");
    ternary();
    const Program y = program_.cut(begin);
    if (is(",")) fail("the table " + name + " takes 2 values", unbalanced_hint());
    expect(")", "after the values of a table");
    for (const auto& [of_x, of_y] : table.terms) {
      const bool is_first = program_.size() == begin;
      apply_to(x, of_x);
      if (of_y) {
        apply_to(y, of_y);
        emit(Op::multiply);
      }
      if (!is_first) emit(Op::add);
    }
  }
  void apply_to(const Program& value, const std::shared_ptr<const ValueTable>& table) {
    const std::size_t begin = program_.size();
    add(value);
    apply(table, begin);
  }

  /// The value of a table at the last operand, whose program begins there.
  void apply(const std::shared_ptr<const ValueTable>& table, std::size_t begin) {
    const auto* straight = std::get_if<StraightTable>(table.get());
    if (straight && straight->num_kinks() == 0) {
      program_.cut(begin);
      return push(straight->first_value());
    }
    if (program_.back().op == Op::constant) {
      double& x = program_.back().constant;
      x = std::visit([x](const auto& any) { return any.value(x); }, *table);
      return;
    }
    const auto found = std::find(tables_.begin(), tables_.end(), table);
    program_.add({straight ? Op::straight_table : Op::table, 0, static_cast<int>(found - tables_.begin())});
    if (found == tables_.end()) tables_.push_back(table);
  }

  /// What stands in the brackets behind a function's name. `each` hears of every value that has been read.
  template <class Each>
  void read_values(const char* name, int wanted, bool or_more, const Each& each) {
    expect("(", "after a function's name");
    int given = 0;
    if (!is(")")) {
      do {
        ternary();
        each();
        ++given;
      } while (accept(","));
    }
    if (or_more ? given < wanted : given != wanted)
      fail(std::string(name) + " takes " + std::to_string(wanted) + (or_more ? " or more" : "") +
               (wanted == 1 ? " value, not " : " values, not ") + std::to_string(given),
           unbalanced_hint());
    expect(")", "after the values of a function");
  }

  void call(const Function& function) {
    const bool variadic = function.op == Op::min || function.op == Op::max;
    int given = 0;
    read_values(function.name, operands_of(function.op), variadic, [&] { ++given; });
    for (int k = 1; k < (variadic ? given : 2); ++k) emit(function.op);
  }

  /// Bounds that are numbers must not be the wrong way round.
  void check_bounds(const ComposedFunction& function, const std::vector<Program>& values, std::size_t position) const {
    if (function.lower < 0) return;
    const Program &low = values[static_cast<std::size_t>(function.lower)],
                  &high = values[static_cast<std::size_t>(function.upper)];
    if (low.size() != 1 || high.size() != 1 || low[0].op != Op::constant || high[0].op != Op::constant) return;
    const std::string fault = function.fault_of_bounds(low[0].constant, high[0].constant);
    if (!fault.empty())
      throw ExpressionError(position, fault, fmt::format("write {}({})", function.name, fmt::join(function.values, ", ")));
  }

  /// The formula of the function with programs of its values in the place of their names.
  void write_out(const ComposedFunction& function) {
    const Nesting guard(*this);
    const std::size_t position = tokens_[at_ - 1].position, begin = program_.size();
    std::vector<Program> values;
    read_values(function.name, static_cast<int>(function.values.size()), false, [&] { values.push_back(program_.cut(begin)); });
    check_bounds(function, values, position);
    std::vector<ExpressionToken> formula = split_expression(function.formula);
    for (ExpressionToken& token : formula) token.position = position;  // faults are where the function is called
    std::swap(tokens_, formula);
    const std::size_t at = std::exchange(at_, 0);
    const ComposedFunction* outer = std::exchange(written_out_, &function);
    std::swap(values_, values);
    ternary();
    std::swap(values_, values);
    written_out_ = outer;
    at_ = at;
    std::swap(tokens_, formula);
  }

  /// A value of the function that is being written out; null where the name is none.
  const Program* find_value(const std::string& name) const {
    if (!written_out_) return nullptr;
    const auto& names = written_out_->values;
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? nullptr : &values_[static_cast<std::size_t>(found - names.begin())];
  }

  void push(double value) { add({Op::constant, value}); }
  void variable(Op op) { add({op, 0}); }
  void signal(const ExpressionToken& token) {
    std::size_t k = 0;
    while (k < variables_.size() && variables_[k].text != token.text) ++k;
    if (k == variables_.size()) variables_.push_back({token.text, token.position});
    add({Op::variable, 0, static_cast<int>(k)});
  }
  /// An instruction, or those of a value.
  template <class Code = ExpressionInstruction>
  void add(const Code& code) {
    program_.add(code);
    if (program_.peak() > Expression::max_depth)
      fail("this expression holds too many unfinished operations", "split it with constants");
  }
  void emit(Op op) { program_.apply(op); }

  /// Keeps a hostile text from exhausting the stack.
  struct Nesting {
    explicit Nesting(Parser& parser_in) : parser(parser_in) {
      if (++parser.nesting_ > max_nesting) parser.fail("brackets are nested too deeply");
    }
    ~Nesting() { --parser.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    Parser& parser;
  };

  const ExpressionScope& scope_;
  std::vector<ExpressionToken> tokens_;
  ProgramBuilder program_;
  const ComposedFunction* written_out_ = nullptr;
  std::vector<Program> values_;  ///< of the function that is being written out
  std::vector<ExpressionVariable> variables_;
  SharedTables tables_;
  std::size_t at_ = 0;
  int nesting_ = 0;
};

}  // namespace

Expression parse_expression(const std::string& text, const ExpressionScope& scope) {
  Parser parser(text, scope);
  std::vector<ExpressionInstruction> program = parser.parse();
  Expression expression(std::move(program), text, parser.variables(), parser.tables());
  if (expression.is_constant() && !std::isfinite(expression.value()))
    throw ExpressionError(0, "'" + text + "' is not a finite number",
                          "look for a division by zero, a root or logarithm of a negative number");
  return expression;
}

const std::vector<std::string>& reserved_words() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> list{"pi", "t", "deg", "sensor", "control"};
    for (const Function& function : expression_functions) list.emplace_back(function.name);
    return list;
  }();
  return words;
}

}  // namespace sinew
