// Stands in for the bitmap index's device code in builds without a CUDA compiler.
#include <string>

#include "bench/papers/wah/bitmap/device/bitmap_device.hpp"
#include "bench/papers/wah/bitmap/device/bitmap_fused.hpp"
#include "codecs/base/cuda/device.hpp"
#include "codecs/base/error.hpp"

namespace gannet::wah::cuda {
namespace {

[[noreturn]] void fail() {
  std::string why;
  codecs::cuda::available(&why);
  throw NoDeviceError(why);
}

}  // namespace

template <class Word>
struct DeviceBitmap<Word>::Impl {};
template <class Word>
DeviceBitmap<Word>::DeviceBitmap(const BitmapView<Word>&) {
  fail();
}
template <class Word>
DeviceBitmap<Word>::~DeviceBitmap() = default;
template <class Word>
DeviceBitmap<Word>::DeviceBitmap(DeviceBitmap&&) noexcept = default;
template <class Word>
DeviceBitmap<Word>& DeviceBitmap<Word>::operator=(DeviceBitmap&&) noexcept = default;
template <class Word>
std::uint64_t DeviceBitmap<Word>::rows() const {
  fail();
}
template <class Word>
std::uint32_t DeviceBitmap<Word>::vectors() const {
  fail();
}
template <class Word>
std::uint64_t DeviceBitmap<Word>::groups() const {
  fail();
}
template <class Word>
BitmapBytes DeviceBitmap<Word>::bytes() const {
  fail();
}

template <class Word>
struct FusedQuery<Word>::Impl {};
template <class Word>
FusedQuery<Word>::FusedQuery(const DeviceBitmap<Word>&) {
  fail();
}
template <class Word>
FusedQuery<Word>::~FusedQuery() = default;
template <class Word>
FusedQuery<Word>::FusedQuery(FusedQuery&&) noexcept = default;
template <class Word>
FusedQuery<Word>& FusedQuery<Word>::operator=(FusedQuery&&) noexcept = default;
template <class Word>
std::uint64_t FusedQuery<Word>::count(const BitmapQuery&) {
  fail();
}
template <class Word>
std::vector<std::uint64_t> FusedQuery<Word>::counts(std::span<const BitmapQuery>) {
  fail();
}
template <class Word>
std::uint64_t FusedQuery<Word>::select(const BitmapQuery&) {
  fail();
}
template <class Word>
std::vector<Word> FusedQuery<Word>::groups() const {
  fail();
}
template <class Word>
std::vector<std::uint32_t> FusedQuery<Word>::rows() {
  fail();
}

template class DeviceBitmap<std::uint32_t>;
template class DeviceBitmap<std::uint64_t>;
template class FusedQuery<std::uint32_t>;
template class FusedQuery<std::uint64_t>;

}  // namespace gannet::wah::cuda
