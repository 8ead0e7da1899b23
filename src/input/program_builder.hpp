/// \file
/// Programs of expressions, as parsers make them.
#pragma once

#include "model/expression.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sinew {

/// A program for a stack, operation by operation.
class ProgramBuilder {
 public:
  using Program = std::vector<ExpressionInstruction>;

  std::size_t size() const { return program_.size(); }
  ExpressionInstruction& back() { return program_.back(); }
  /// The most values that have waited for an operation at once.
  int peak() const { return peak_; }
  Program take() { return std::move(program_); }

  /// As it is.
  void add(const ExpressionInstruction& instruction) {
    program_.push_back(instruction);
    depth_ += 1 - operands_of(instruction.op);
    peak_ = std::max(peak_, depth_);
  }
  void add(const Program& program) {
    for (const ExpressionInstruction& instruction : program) add(instruction);
  }
  /// An operation, computed at once if its operands are constants.
  void apply(ExpressionOp op) {
    const auto n = static_cast<std::size_t>(operands_of(op));
    const auto is_constant = [](const ExpressionInstruction& instruction) { return instruction.op == ExpressionOp::constant; };
    if (program_.size() < n || !std::all_of(program_.end() - static_cast<std::ptrdiff_t>(n), program_.end(), is_constant))
      return add({op, 0});
    double operands[3] = {};
    for (std::size_t k = 0; k < n; ++k) operands[k] = program_[program_.size() - n + k].constant;
    program_.resize(program_.size() - n + 1);
    program_.back().constant = apply_operation(op, operands);
    depth_ -= static_cast<int>(n) - 1;
  }
  /// Cuts off the value that begins at an instruction and is the last one.
  Program cut(std::size_t begin) {
    Program value(program_.begin() + static_cast<std::ptrdiff_t>(begin), program_.end());
    program_.resize(begin);
    --depth_;
    return value;
  }

 private:
  Program program_;
  int depth_ = 0, peak_ = 0;
};

}  // namespace sinew
