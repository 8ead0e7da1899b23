#include "observe/json_writer.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <cmath>

namespace sinew {

std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : valid_utf8(text)) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        else
          out += c;
    }
  }
  return out + '"';
}

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

void JsonWriter::start_line() {
  if (!is_first_) text_ += ',';
  text_ += '\n' + std::string(static_cast<std::size_t>(2 * depth_), ' ');
  is_first_ = false;
}

void JsonWriter::item(const std::string& key, const std::string& value) {
  start_line();
  if (!key.empty()) text_ += json_text(key) + ": ";
  text_ += value;
}

void JsonWriter::begin(const std::string& key, char bracket) {
  item(key, "");
  open(bracket);
}

void JsonWriter::open(char bracket) {
  text_ += bracket;
  ++depth_;
  is_first_ = true;
}

void JsonWriter::close(char bracket) {
  --depth_;
  if (!is_first_) text_ += '\n' + std::string(static_cast<std::size_t>(2 * depth_), ' ');
  text_ += bracket;
  is_first_ = false;
}

std::string JsonWriter::finish() {
  close('}');
  return text_ + '\n';
}

}  // namespace sinew
