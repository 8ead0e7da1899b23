#include "input/expression_lexer.hpp"

#include "base/utf8.hpp"
#include "input/expression_parser.hpp"

#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return starts_name(c) || is_digit(c) || c == '.'; }

/// Where a name ends that starts at `at`. It may hold braces, `sensor.tip{i}`, `gain{i}`.
std::size_t end_of_name(const std::string& text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size()) {
    const std::size_t close = text[end] == '{' ? text.find('}', end) : std::string::npos;
    if (close != std::string::npos) {
      end = close + 1;
    } else if (continues_name(text[end])) {
      ++end;
    } else {
      break;
    }
  }
  return end;
}

ExpressionToken read_number(const std::string& text, std::size_t at) {
  ExpressionToken token{ExpressionToken::Kind::number, "", 0, at};
  const char* begin = text.data() + at;
  const auto [end, code] = std::from_chars(begin, text.data() + text.size(), token.value);
  if (code != std::errc() || !std::isfinite(token.value))
    throw ExpressionError(at, "this number cannot be represented", "numbers go up to about 1e308");
  token.text.assign(begin, end);
  return token;
}

/// What is meant by signs that word processors and other languages put in.
std::string remedy_for(const std::string& character) {
  static const std::pair<const char*, const char*> meant[] = {{"\u00a0", "it is a no-break space (U+00A0): type a space"},
                                                              {"\u2212", "it is a long minus (U+2212): write '-'"},
                                                              {"\u2013", "it is a dash (U+2013): write '-'"},
                                                              {"\u00b7", "write '*'"},
                                                              {"\u00d7", "write '*'"},
                                                              {"\u00b2", "write '^2'"},
                                                              {"\u00b3", "write '^3'"},
                                                              {"\u00b0", "write 'deg': 30 deg"}};
  for (const auto& [sign, remedy] : meant)
    if (character == sign) return remedy;
  return {};
}

ExpressionToken read_symbol(const std::string& text, std::size_t at) {
  if (text.compare(at, 2, "**") == 0) throw ExpressionError(at, "'**' in an expression", "powers are written with '^'");
  for (const char* symbol : {"<=", ">=", "==", "!=", "&&", "||"})
    if (text.compare(at, 2, symbol) == 0) return {ExpressionToken::Kind::symbol, symbol, 0, at};
  const char c = text[at];
  if (std::string("+-*/^()<>,?:!").find(c) != std::string::npos) return {ExpressionToken::Kind::symbol, std::string(1, c), 0, at};
  const std::string word = c == '.' ? text.substr(at, end_of_name(text, at + 1) - at) : std::string();
  if (!word.empty() && is_not_finite(word.substr(1))) fail_not_finite(word, at);
  if (c == '=') throw ExpressionError(at, "'=' does not belong in an expression", "compare with '=='");
  if (c == '&' || c == '|') throw ExpressionError(at, std::string("a single '") + c + "'", std::string("write '") + c + c + "'");
  if (c == '{' || c == '}')
    throw ExpressionError(at, std::string("a '") + c + "' in an expression", "braces belong in names only");
  throw ExpressionError(at, "unexpected character '" + character_at(text, at) + "' in an expression",
                        remedy_for(character_at(text, at)));
}

}  // namespace

bool is_not_finite(std::string word) {
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word == "nan" || word == "inf" || word == "infinity";
}

void fail_not_finite(const std::string& word, std::size_t position) {
  throw ExpressionError(position, "'" + word + "' is not a finite number",
                        "give a finite number, or leave the key out where it has a default");
}

std::vector<ExpressionToken> split_expression(const std::string& text) {
  std::vector<ExpressionToken> tokens;
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at;
      continue;
    }
    ExpressionToken token;
    if (is_digit(c) || (c == '.' && at + 1 < text.size() && is_digit(text[at + 1]))) {
      token = read_number(text, at);
    } else if (starts_name(c)) {
      token = {ExpressionToken::Kind::name, text.substr(at, end_of_name(text, at) - at), 0, at};
    } else {
      token = read_symbol(text, at);
    }
    at += token.text.size();
    tokens.push_back(std::move(token));
  }
  tokens.push_back({ExpressionToken::Kind::end, "", 0, text.size()});
  return tokens;
}

}  // namespace sinew
