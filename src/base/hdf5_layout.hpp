/// \file
/// How HDF5 files are laid out, for those who need nothing else of HDF5.
#pragma once

namespace sinew {

/// `oldest`: the oldest way that can hold what is there, whatever the library's version (from 2.0 on it would take newer ones by
/// itself): all programs read it, and series are mended by its rules. `checked`: that of HDF5 1.8, in which all that describes
/// the data carries checksums, so that damage there is found and never followed.
enum class Hdf5Layout { oldest, checked };

}  // namespace sinew
