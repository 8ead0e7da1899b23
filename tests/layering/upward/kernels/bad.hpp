#pragma once

#include "base/low.hpp"
#include <mpi.h>
