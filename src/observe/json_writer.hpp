/// \file
/// JSON text, as much of it as run.json needs.
#pragma once

#include <cstdint>
#include <string>

namespace sinew {

/// A string in quotes, with what must be escaped escaped.
std::string json_text(const std::string& text);
/// A number that reads back as the same double; null where it is not finite.
std::string json_number(double value);

/// Builds one object, key by key, indented by two spaces a level. Objects and lists are opened and closed in pairs.
class JsonWriter {
 public:
  JsonWriter() { open('{'); }
  void value(const std::string& key, const std::string& text) { item(key, json_text(text)); }
  void value(const std::string& key, const char* text) { item(key, json_text(text)); }
  void value(const std::string& key, double number) { item(key, json_number(number)); }
  void value(const std::string& key, std::int64_t number) { item(key, std::to_string(number)); }
  void value(const std::string& key, int number) { item(key, std::to_string(number)); }
  void value(const std::string& key, bool truth) { item(key, truth ? "true" : "false"); }
  /// An entry of the list that is open.
  void entry(const std::string& text) { item("", json_text(text)); }
  void open_object(const std::string& key) { begin(key, '{'); }
  void close_object() { close('}'); }
  void open_list(const std::string& key) { begin(key, '['); }
  void close_list() { close(']'); }
  /// How long the text is so far.
  std::size_t length() const { return text_.size(); }
  /// The whole text; ends the outermost object.
  std::string finish();

 private:
  void start_line();
  void item(const std::string& key, const std::string& value);
  void begin(const std::string& key, char bracket);
  void open(char bracket);
  void close(char bracket);

  std::string text_;
  int depth_ = 0;
  bool is_first_ = true;
};

}  // namespace sinew
