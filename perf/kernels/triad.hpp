/// \file
/// The measure of every other kernel: how fast this machine reads and writes memory.
#pragma once

namespace sinew::perf {

/// Bytes a second of a[i] = b[i] + s c[i] over three arrays of `mebibytes` each, best of several, in GB/s. Two reads and one
/// write are counted, as in McCalpin's STREAM.
double triad_bandwidth(int mebibytes = 128);

}  // namespace sinew::perf
