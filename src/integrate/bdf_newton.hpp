/// \file
/// How well Newton's method solves the steps of backward differentiation formulas.
#pragma once

#include "integrate/step_solver.hpp"

namespace sinew {

/// For a step by the formula y1 = sum past_j y_j + b y1' of order k. Of the term h^(k+1) y^(k+1), which its prediction misses and
/// the first correction is, it has h/(t1 - t_(n-k)) wrong in (h/b) (y1 - sum past_j y_j) = h y', and what Newton's method leaves
/// of y1 counts h/b times there. `furthest`: t1 - t_(n-k), the distance of the furthest point that the prediction has.
NewtonSettings formula_settings(const NewtonOptions&, double b, double furthest);

/// For the parts of a step without history, implicit Euler in 1, 2 ... k parts, extrapolated with weights w_n. These sums take
/// out what implicit Euler has wrong, but not what a part leaves of its equations, so that no share of its first correction may
/// be left, nor of M delta + G^T mu = 0. n parts leave n times as much in the velocity, all of them sum n |w_n| times.
/// `change`: the first correction of one step of Euler, h^2 y'' of the speed y; 0 while it is not known. Where terms of a motion
/// fall like powers, h^j y^(j) = change^(j/2), the formula of order k, of which a share may be left, has change^((k+1)/2)/(k + 1)
/// wrong in a step.
NewtonSettings start_settings(const NewtonOptions&, int order, double change);

}  // namespace sinew
