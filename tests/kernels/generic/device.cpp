// Loops are given what they capture, numbers as they are, on whatever they run.
#include "kernels/sweep/device.hpp"

#include "tests/catch.hpp"

TEST_CASE("Loops get the objects that they capture", "[serial][device]") {
  INFO(sinew::device_fault());
  CHECK(sinew::device_fault().empty());
}
