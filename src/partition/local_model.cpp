#include "partition/local_model.hpp"

namespace sinew {

void LocalModel::trim() {
  const auto shrink = [](auto&... lists) { (lists.shrink_to_fit(), ...); };
  shrink(node_id, kinds, is_slope, config_offset, dof, config, velocity, ghost_dofs, index_);
  shrink(rows, row_is_velocity, ghost_rows);
  for (LocalFamily& family : families) shrink(family.data.nodes, family.data.rows, family.data.params, family.origins);
}

}  // namespace sinew
