#include "query/gpu/device/columns/bitmap_stack.hpp"

#include "query/gpu/device/memory/arena.hpp"

namespace gannet::query::cuda {

using codecs::cuda::check;

void BitmapStack::begin(std::uint32_t documents) {
  documents_ = documents;
  size_ = 0;
}

/// Pushes a bitmap with undefined contents.
std::uint64_t* BitmapStack::grow() {
  if (size_ == bitmaps_.size()) bitmaps_.emplace_back();
  return at_least(bitmaps_[size_++], bitmap_room(documents_));
}

void BitmapStack::push_none() {
  std::uint64_t* const words = grow();
  check(cudaMemsetAsync(words, 0, bitmap_room(documents_) * sizeof *words, stream_),
        "cudaMemsetAsync");
}

void BitmapStack::push_all() {
  launch_combine(BitmapOperation::kFill, grow(), nullptr, documents_, stream_);
}

void BitmapStack::push(const std::uint64_t* words) {
  if (words == nullptr) return push_all();
  std::uint64_t* const to = grow();
  check(cudaMemcpyAsync(to, words, bitmap_room(documents_) * sizeof *words,
                        cudaMemcpyDeviceToDevice, stream_),
        "cudaMemcpyAsync on the device");
}

void BitmapStack::push_lists(std::span<const MarkedList> lists) {
  push_none();
  for (const MarkedList& list : lists) launch_mark_list(list, top(), stream_);
}

void BitmapStack::combine(BitmapOperation operation) {
  --size_;
  launch_combine(operation, top(), bitmaps_[size_].data(), documents_, stream_);
}

void BitmapStack::negate() {
  launch_combine(BitmapOperation::kNot, top(), nullptr, documents_, stream_);
}

}  // namespace gannet::query::cuda
