// Which slots of a ColumnScanner a scan adds to. Includes no CUDA header.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "codecs/base/error.hpp"

namespace gannet::codecs::cuda {

/// Scans of one key follow one another; those of different keys may run at the same time.
struct ScanKey {
  std::uint64_t stream;   ///< what CUDA calls the stream's id; while it is captured, its handle
  bool captured = false;  ///< the scan runs when a graph is launched, on whatever stream
  friend bool operator==(const ScanKey&, const ScanKey&) = default;
};

/// The places (slots) of `size` keys, taken by the first keys that come. A scan leaves its slots 0,
/// unless one of its launches fails: then they are cleared before the next one.
template <std::size_t size>
class ScanPlaces {
 public:
  /// Calls launch(place) for a scan of `key`, after clear(place) if a scan before it may have left
  /// something there. What either throws is passed on. Throws UsageError if all places are taken.
  template <class Clear, class LaunchScan>
  void run(ScanKey key, Clear clear, LaunchScan launch) {
    const std::size_t place = find(key);
    bool& dirty = dirty_[place];
    if (dirty) clear(place);
    // A captured clear() may never run: the graphs captured later need their own.
    const bool stays_dirty = dirty && key.captured;
    dirty = true;
    launch(place);
    dirty = stays_dirty;
  }

 private:
  std::size_t find(ScanKey key) {
    std::size_t i = 0;
    while (i < known_ && keys_[i] != key) ++i;
    if (i == size) {
      throw UsageError("a ColumnScanner serves " + std::to_string(size) +
                       " streams at most (make one scanner for each group of streams)");
    }
    if (i == known_) keys_[known_++] = key;
    return i;
  }

  std::array<ScanKey, size> keys_{};
  std::array<bool, size> dirty_{};
  std::size_t known_ = 0;
};

}  // namespace gannet::codecs::cuda
