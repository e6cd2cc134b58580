// The sound indexes that the target `index` starts from, one for each codec of docids.
#pragma once

#include <map>
#include <memory>
#include <span>

#include "bench/fuzz/parts/index_files.hpp"
#include "codecs/registry.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::fuzz {

/// Input: a byte with the id of the codec of docids, then that of IndexTarget. Inputs without a
/// codec are skipped.
inline void try_index(std::span<const std::uint8_t> input) {
  static const test::TemporaryDirectory folder;
  static std::map<std::uint8_t, std::unique_ptr<IndexTarget>> targets;
  if (input.empty()) return;
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) {
    if (codec.id != codecs::CodecId{input[0]}) continue;
    auto& target = targets[input[0]];
    if (target == nullptr) {
      target = std::make_unique<IndexTarget>(folder / std::to_string(input[0]), codec);
    }
    target->run(input.subspan(1));
  }
}

}  // namespace gannet::fuzz
