#pragma once

// Catch2 of either generation: the single header of 2.13 or the library of 3.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>

// The names that version 2 has in the global namespace or in its own.
using Catch::Approx;
namespace Catch {
inline auto Contains(const std::string& part) { return Matchers::ContainsSubstring(part); }
}  // namespace Catch
#else
#include <catch2/catch.hpp>
#endif
