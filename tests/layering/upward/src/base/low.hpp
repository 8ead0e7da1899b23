#pragma once

#include "solve/high.hpp"
