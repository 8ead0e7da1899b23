#include "base/utf8.hpp"
#include "tests/catch.hpp"

using namespace sinew;

TEST_CASE("bytes that are no UTF-8 are found where they stand", "[serial]") {
  CHECK(find_not_utf8("") == std::string::npos);
  CHECK(find_not_utf8("plain text\n") == std::string::npos);
  CHECK(find_not_utf8("\u00e9 \u6f22 \U0001f600 \u07ff \uffff") == std::string::npos);
  CHECK(find_not_utf8("caf\xe9") == 3);            // Latin-1
  CHECK(find_not_utf8("a\xc0\x80") == 1);          // overlong
  CHECK(find_not_utf8("a\xe0\x9f\xbf") == 1);      // overlong
  CHECK(find_not_utf8("a\xf0\x8f\xbf\xbf") == 1);  // overlong
  CHECK(find_not_utf8("\xed\xa0\x80") == 0);       // a surrogate
  CHECK(find_not_utf8("\xf4\x90\x80\x80") == 0);   // above U+10FFFF
  CHECK(find_not_utf8("ab\xe6\xbc") == 2);         // cut off
  CHECK(find_not_utf8("\x80") == 0);               // the middle of a character
}

TEST_CASE("text for other programs is made valid UTF-8", "[serial]") {
  CHECK(valid_utf8("caf\xe9!") == "caf\xef\xbf\xbd!");
  CHECK(valid_utf8("\u6f22\xf0") == "\u6f22\xef\xbf\xbd");
}

TEST_CASE("a character is taken whole, and text is not cut inside one", "[serial]") {
  CHECK(character_at("x", 0) == "x");
  CHECK(character_at("2\u00b0", 1) == "\u00b0");
  CHECK(character_at("\U0001f600!", 0) == "\U0001f600");
  CHECK(character_at("\u00b0", 1) == "\xef\xbf\xbd");  // its second byte
  CHECK(beginning("abc", 5) == "abc");
  CHECK(beginning("abc", 2) == "ab");
  CHECK(beginning("a\u6f22b", 1) == "a");
  CHECK(beginning("a\u6f22b", 2) == "a");
  CHECK(beginning("a\u6f22b", 3) == "a");
  CHECK(beginning("a\u6f22b", 4) == "a\u6f22");
}
