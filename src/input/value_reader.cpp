#include "input/value_reader.hpp"

#include "input/unknown_name.hpp"
#include "model/number_range.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

namespace sinew {

ValueReader ValueReader::with_time() const {
  ExpressionScope scope = scope_;
  scope.time_allowed = true;
  return {faults, scope};
}

ValueReader ValueReader::with_parameter(const char* name) const {
  ExpressionScope scope = scope_;
  scope.parameter = name;
  return {faults, scope};
}

ValueReader ValueReader::with_signals(const std::vector<std::string>* states) const {
  ExpressionScope scope = scope_;
  scope.time_allowed = scope.signals_allowed = true;
  scope.states = states;
  return {faults, scope};
}

namespace {

constexpr const char* in_units = "write it in other units, or look for a slip in the exponent";

std::string out_of_range(double value) {
  char text[100];
  std::snprintf(text, sizeof text, "%g is beyond %g, where products of numbers cannot be computed", value, largest_number);
  return text;
}

SourceMark mark_in_text(const SourceMark& mark, std::size_t position, bool quoted) {
  SourceMark place = mark;
  if (place.line > 0) place.column += static_cast<int>(position) + (quoted ? 1 : 0);
  return place;
}

/// The parts of a text between dots outside of braces.
std::vector<std::string> split_at_dots(const std::string& text) {
  std::vector<std::string> parts{""};
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (c == '.' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// What YAML writers say for true and false; numbers are none.
bool is_truth_word(const DocumentNode& node, const ExpressionScope& scope) {
  std::string word = node.text;
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool is_constant = scope.constants && scope.constants->count(node.text) != 0;
  return !is_constant && (word == "true" || word == "false" || word == "yes" || word == "no");
}

}  // namespace

SignalSource ValueReader::source_of(const ExpressionVariable& variable, const DocumentNode& node) const {
  SignalSource source;
  source.text = variable.text;
  source.mark = mark_in_text(node.mark, variable.position, node.quoted);
  const std::vector<std::string> parts = split_at_dots(variable.text);
  if (parts.size() == 1) {
    const auto found = std::find(scope_.states->begin(), scope_.states->end(), variable.text);
    source.state = static_cast<int>(found - scope_.states->begin());
    return source;
  }
  source.kind = parts[0] == "sensor" ? SignalSource::Kind::sensor : SignalSource::Kind::control;
  ExpressionScope scope = scope_;
  scope.time_allowed = scope.signals_allowed = false;
  scope.states = nullptr;
  source.name = ValueReader(faults, scope).pattern(parts[1], source.mark, false);
  source.path.assign(parts.begin() + 2, parts.end());
  return source;
}

SignalExpression ValueReader::signal(const DocumentNode& node, const std::string& what) const {
  SignalExpression result{number(node, what), {}};
  for (const ExpressionVariable& variable : result.value.variables()) result.sources.push_back(source_of(variable, node));
  return result;
}

void ValueReader::report(const ExpressionError& error, const SourceMark& mark, bool quoted, const std::string& what) const {
  faults.error(mark_in_text(mark, error.position, quoted), what + ": " + error.what(), error.remedy);
}

Expression ValueReader::number(const DocumentNode& node, const std::string& what) const {
  Expression result = Expression::unreadable();
  if (!node.is_scalar()) {
    faults.error(node.mark, what + " must be a number or an expression, not " + node.describe(),
                 node.is_sequence() ? "an expression with commas must stand in quotes" : "");
  } else if (is_truth_word(node, scope_)) {
    faults.error(node.mark, what + " must be a number, not the word '" + node.text + "'",
                 "write the number that is meant; of a comparison 1 is true and 0 false");
  } else {
    try {
      result = parse_expression(node.text, scope_);
      if (result.is_constant() && !is_computable(result.value()))
        throw ExpressionError(0, out_of_range(result.value()), in_units);
      if (const std::string other = second_meaning(node.text, scope_); !other.empty())
        faults.warning(node.mark, what + ": " + other, "give the one that is not meant another name");
    } catch (const ExpressionError& error) {
      report(error, node.mark, node.quoted, what);
      result = Expression::unreadable();
    }
  }
  result.set_mark(node.mark);
  return result;
}

double ValueReader::constant(const DocumentNode& node, const std::string& what) const {
  ExpressionScope scope = scope_;
  scope.repeat = nullptr;
  scope.time_allowed = false;
  return ValueReader(faults, scope).number(node, what).value();
}

double ValueReader::positive(const DocumentNode& node, const std::string& what, bool zero_allowed) const {
  const std::size_t before = faults.num_errors();
  const double value = constant(node, what);
  if (faults.num_errors() > before) return 1;
  if (value >= smallest_positive || (zero_allowed && value == 0)) return value;
  if (value > 0) {
    faults.error(node.mark, what + " is " + node.text + ", absurdly small: products of such numbers cannot be computed",
                 in_units);
    return 1;
  }
  faults.error(node.mark, what + (zero_allowed ? " must not be negative" : " must be positive") + ", but is " + node.text);
  return 1;
}

double ValueReader::length(MapReader& map, const std::string& key) const {
  const DocumentNode* node = map.require(key, key + ": 0.1");
  return node ? positive(*node, key + " of " + map.what()) : 1;
}

std::int64_t ValueReader::whole(const DocumentNode& node, const std::string& what, std::int64_t least, std::int64_t most) const {
  const std::size_t before = faults.num_errors();
  const double value = constant(node, what);
  if (faults.num_errors() > before) return least;
  if (std::fabs(value - std::round(value)) > 1e-9 * std::fmax(1.0, std::fabs(value))) {
    faults.error(node.mark, what + " must be a whole number, but is " + node.text);
    return least;
  }
  if (value < static_cast<double>(least) || value > static_cast<double>(most)) {
    faults.error(node.mark,
                 what + " must lie between " + std::to_string(least) + " and " + std::to_string(most) + ", but is " + node.text);
    return least;
  }
  return std::llround(value);
}

std::vector<Expression> ValueReader::numbers(const DocumentNode& node, std::size_t count, const std::string& what) const {
  std::vector<Expression> result;
  if (!node.is_sequence() || node.items.size() != count) {
    std::string remedy = "write [" + std::string(count == 3 ? "x, y, z" : "a, b, ...") + "]";
    for (const DocumentNode& item : node.items)
      if (item.is_scalar() && (item.text.find('(') == std::string::npos) != (item.text.find(')') == std::string::npos))
        remedy = "an expression with commas must stand in quotes";
    faults.error(node.mark, what + " must be a list of " + std::to_string(count) + " numbers, not " + node.describe(), remedy);
    result.assign(count, Expression::unreadable());
    for (Expression& number : result) number.set_mark(node.mark);
    return result;
  }
  for (const DocumentNode& item : node.items) result.push_back(number(item, what));
  return result;
}

VectorExpression ValueReader::vector(const DocumentNode& node, const std::string& what) const {
  std::vector<Expression> list = numbers(node, 3, what);
  return {std::move(list[0]), std::move(list[1]), std::move(list[2])};
}

Vec3<double> ValueReader::constant_vector(const DocumentNode& node, const std::string& what) const {
  ExpressionScope scope = scope_;
  scope.repeat = nullptr;
  scope.time_allowed = false;
  return evaluate(ValueReader(faults, scope).vector(node, what), {});
}

std::vector<Expression> ValueReader::matrix(const DocumentNode& node, std::size_t n, const std::string& what) const {
  const bool rows = node.is_sequence() && node.items.size() == n && node.items[0].is_sequence();
  if (rows) {
    std::vector<Expression> result;
    for (const DocumentNode& row : node.items)
      for (Expression& entry : numbers(row, n, what + ", row")) result.push_back(std::move(entry));
    return result;
  }
  if (node.is_sequence() && (node.items.size() == n || node.items.size() == n * n)) return numbers(node, node.items.size(), what);
  const std::string size = std::to_string(n);
  faults.error(node.mark,
               what + " must be " + size + " diagonal entries or " + size + " rows of " + size + ", not " + node.describe());
  return {};
}

std::string ValueReader::text(const DocumentNode& node, const std::string& what) const {
  if (node.is_scalar() && !node.text.empty()) return node.text;
  const bool is_name = what.rfind("of in ", 0) == 0;
  faults.error(node.mark, what + (is_name ? " must be one name, not " : " must be a text, not ") + node.describe(),
               !is_name             ? ""
               : node.is_sequence() ? "write one name without brackets; for several make an item for each"
                                    : "write the name of what is meant");
  return "";
}

std::string ValueReader::outer_name(const DocumentNode& node, const std::string& what) const {
  std::string name = text(node, what);
  if (name.find('{') == std::string::npos) return name;
  try {
    return expand_constants(name, scope_);
  } catch (const ExpressionError& error) {
    report(error, node.mark, node.quoted, what);
    return name;
  }
}

bool ValueReader::boolean(const DocumentNode& node, const std::string& what) const {
  if (node.is_scalar() && node.text == "true") return true;
  if (node.is_scalar() && node.text == "false") return false;
  faults.error(node.mark, what + " must be true or false, not " + node.describe());
  return false;
}

NamePattern ValueReader::pattern(const std::string& text, const SourceMark& mark, bool quoted) const {
  try {
    return parse_name_pattern(text, scope_);
  } catch (const ExpressionError& error) {
    report(error, mark, quoted, "name '" + text + "'");
    return NamePattern(text);
  }
}

}  // namespace sinew
