#include "query/gpu/device/columns/filter_program.hpp"

#include <utility>

#include "index/segment/live_documents.hpp"

namespace gannet::query::cuda {

using Kind = SegmentFilter::Kind;

FilterProgram::FilterProgram(const SegmentFilter& filter, DeviceFields& fields,
                             tbb::task_arena& arena, const std::stop_token& stop) {
  add(filter, fields, arena, stop);
}

/// In postfix order: a step's operands are pushed before it.
void FilterProgram::add(const SegmentFilter& filter, DeviceFields& fields, tbb::task_arena& arena,
                        const std::stop_token& stop) {
  if (filter.kind == Kind::kCodes) return add_leaf(filter, fields, arena, stop);
  if (filter.kind == Kind::kLive) return add_live(*filter.live);
  for (std::size_t i = 0; i < filter.parts.size(); ++i) {
    add(filter.parts[i], fields, arena, stop);
    if (i > 0) steps_.push_back({filter.kind});
  }
  const bool chain = filter.kind == Kind::kAnd || filter.kind == Kind::kOr;
  if (!chain) steps_.push_back({filter.kind});
}

void FilterProgram::add_live(const index::LiveDocuments& live) {
  const std::size_t room = bitmap_room(static_cast<std::uint32_t>(live.documents()));
  steps_.push_back({.kind = Kind::kLive, .live = live_.size()});
  live_.push_back(upload(live.words(), MemoryUse::kFilters, room - live.words().size()));
}

void FilterProgram::add_leaf(const SegmentFilter& filter, DeviceFields& fields,
                             tbb::task_arena& arena, const std::stop_token& stop) {
  std::shared_ptr<const DeviceField> field =
      usable_ ? fields.of(*filter.column, arena, stop) : nullptr;
  if (field == nullptr) {
    usable_ = false;
    return;
  }
  if (filter.column->texts() != nullptr) {
    steps_.push_back({Kind::kCodes, 0, std::move(field)});
    return;
  }
  steps_.push_back({Kind::kCodes, leaves_.size()});
  leaves_.emplace_back(filter, std::move(field));
}

std::size_t FilterProgram::room() const {
  std::size_t room = 0;
  for (const CodeLeaf& leaf : leaves_) room += leaf.room();
  return room;
}

void FilterProgram::put(Arena& arena) {
  for (CodeLeaf& leaf : leaves_) leaf.put(arena);
}

void FilterProgram::push(BitmapStack& stack) const {
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Kind::kAll:
        stack.push_all();
        break;
      case Kind::kNone:
        stack.push_none();
        break;
      case Kind::kCodes:
        if (step.texts != nullptr) {
          stack.push(step.texts->view().present);
        } else {
          stack.push_codes(leaves_[step.leaf]);
        }
        break;
      case Kind::kLive:
        stack.push(live_[step.live].data());
        break;
      case Kind::kAnd:
        stack.all();
        break;
      case Kind::kOr:
        stack.any();
        break;
      case Kind::kNot:
        stack.negate();
        break;
    }
  }
}

}  // namespace gannet::query::cuda
