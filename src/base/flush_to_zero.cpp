#include "base/flush_to_zero.hpp"

#if defined(__SSE2__)
#include <xmmintrin.h>
#elif defined(__aarch64__)
#include <cstdint>
#endif

namespace sinew {

void flush_to_zero() {
#if defined(__SSE2__)
  constexpr unsigned results = 0x8000, operands = 0x0040;  // FTZ and DAZ of the register MXCSR
  _mm_setcsr(_mm_getcsr() | results | operands);
#elif defined(__aarch64__)
  constexpr std::uint64_t flush = std::uint64_t(1) << 24;  // FZ of the register FPCR
  std::uint64_t control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  asm volatile("msr fpcr, %0" ::"r"(control | flush));
#endif
}

}  // namespace sinew
