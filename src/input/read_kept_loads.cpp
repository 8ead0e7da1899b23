#include "input/section_readers.hpp"
#include "model/resolve.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// A load that buckling keeps: the weight, a force, or all forces of an entry, by the name that it has in the file.
void read_kept_load(const DocumentNode& word, ReadContext& context) {
  Model& model = context.model;
  const std::string name = context.values().text(word, "analysis.kept");
  if (name == "gravity") model.analysis.keeps_gravity = true;
  if (name.empty() || name == "gravity") return;
  KeptForce kept;
  const auto is_meant = [&](const ForceItem& force) { return force.repeat.count() > 1 && force.name.text() == name; };
  if (const auto all = std::find_if(model.forces.begin(), model.forces.end(), is_meant); all != model.forces.end()) {
    kept.item = static_cast<int>(all - model.forces.begin());
  } else {
    InstanceRef force;
    if (std::optional<Fault> fault = resolve_force(model, NamePattern(name), {}, word.mark, force))
      return context.faults.error(std::move(*fault));
    kept = {force.item, force.instance};
  }
  const ForceItem& force = model.forces[static_cast<std::size_t>(kept.item)];
  if (force.type_index >= 0 && !context.catalogue.forces[static_cast<std::size_t>(force.type_index)].is_load)
    return context.faults.warning(word.mark, "analysis.kept: '" + name + "' is no load, and is never multiplied",
                                  "name gravity, and forces and torques that are to stay as they are");
  model.analysis.kept.push_back(kept);
}

}  // namespace

void read_kept_loads(MapReader& map, ReadContext& context) {
  Analysis& analysis = context.model.analysis;
  const auto* node = map.find("kept");
  if (!node || analysis.type != AnalysisType::buckling) return;
  std::vector<DocumentNode> words{*node};
  if (node->is_sequence()) words = node->items;
  for (const DocumentNode& word : words) read_kept_load(word, context);
  if (!map.has("about")) analysis.about = ModesAbout::statics;
  if (analysis.about == ModesAbout::initial)
    context.faults.error(node->mark, "analysis.kept: what is kept acts from the beginning, in the state of rest under it",
                         "write about: static, or leave `about` out");
}

}  // namespace sinew
