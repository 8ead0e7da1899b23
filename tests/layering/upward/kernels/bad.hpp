#pragma once

#include <mpi.h>
#include "base/low.hpp"
