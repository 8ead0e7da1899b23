/// \file
/// Lines of Lobatto nodes whose order is known when the program runs.
#pragma once

#include "kernels/shape/lobatto.hpp"

namespace sinew {

/// What `ask` says of the line of an order, 1 to 3: `ask(line)` with LobattoLine<order + 1>.
template <class Ask>
auto of_lobatto_line(int order, Ask ask) {
  switch (order) {
    case 1: return ask(LobattoLine<2>());
    case 2: return ask(LobattoLine<3>());
    default: return ask(LobattoLine<4>());
  }
}

/// Place of node a in an element of the order, from 0 to 1.
inline double lobatto_node(int order, int a) {
  return of_lobatto_line(order, [a](auto line) { return line.node(a); });
}

}  // namespace sinew
