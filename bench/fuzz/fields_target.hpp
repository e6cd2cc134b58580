// What the target `fields` tries: a segment's fields with any content, with the right checksums,
// are refused or can be read: every code decoded, every string read, verified.
#pragma once

#include <memory>
#include <span>

#include "bench/fuzz/parts/index_files.hpp"
#include "codecs/registry.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::fuzz {

/// Input: changes of the sections of the file, as IndexTarget has them.
inline void try_fields(std::span<const std::uint8_t> input) {
  static const test::TemporaryDirectory folder;
  static IndexTarget target(folder / "index", codecs::list_codec_named("gpu-bp128"));
  target.run_fields(input);
}

}  // namespace gannet::fuzz
