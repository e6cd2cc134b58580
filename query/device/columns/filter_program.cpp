#include "query/device/columns/filter_program.hpp"

#include <utility>

#include "index/documents/live_documents.hpp"

namespace gannet::query::cuda {

using FilterKind = SegmentFilter::Kind;

FilterProgram::FilterProgram(const SegmentFilter& filter, DeviceFields& fields,
                             tbb::task_arena& arena, const std::stop_token& stop) {
  add(filter, fields, arena, stop);
}

/// Postfix: what a step needs is pushed before it.
void FilterProgram::add(const SegmentFilter& filter, DeviceFields& fields, tbb::task_arena& arena,
                        const std::stop_token& stop) {
  if (filter.kind == FilterKind::kCodes) return add_leaf(filter, fields, arena, stop);
  if (filter.kind == FilterKind::kLive) return add_live(*filter.live);
  for (std::size_t i = 0; i < filter.parts.size(); ++i) {
    add(filter.parts[i], fields, arena, stop);
    if (i > 0) steps_.push_back({filter.kind});
  }
  const bool chain = filter.kind == FilterKind::kAnd || filter.kind == FilterKind::kOr;
  if (!chain) steps_.push_back({filter.kind});
}

void FilterProgram::add_live(const index::LiveDocuments& live) {
  const std::size_t room = bitmap_room(static_cast<std::uint32_t>(live.documents()));
  steps_.push_back({.kind = FilterKind::kLive, .live = live_.size()});
  live_.push_back(codecs::cuda::upload(live.words(), room - live.words().size()));
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
    steps_.push_back({FilterKind::kCodes, 0, std::move(field)});
    return;
  }
  steps_.push_back({FilterKind::kCodes, leaves_.size()});
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
      case FilterKind::kAll:
        stack.push_all();
        break;
      case FilterKind::kNone:
        stack.push_none();
        break;
      case FilterKind::kCodes:
        if (step.texts != nullptr) {
          stack.push(step.texts->view().present);
        } else {
          stack.push_codes(leaves_[step.leaf]);
        }
        break;
      case FilterKind::kLive:
        stack.push(live_[step.live].data());
        break;
      case FilterKind::kAnd:
        stack.all();
        break;
      case FilterKind::kOr:
        stack.any();
        break;
      case FilterKind::kNot:
        stack.negate();
        break;
    }
  }
}

}  // namespace gannet::query::cuda
