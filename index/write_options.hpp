// What an index is written with.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "codecs/registry.hpp"
#include "index/fields/schema.hpp"
#include "index/segment/scoring_defaults.hpp"
#include "index/text/analyzer_config.hpp"

namespace gannet::index {

class DirectoryLock;

struct WriteOptions {
  const codecs::ListCodec* docid_codec = nullptr;  ///< nullptr: gpu-bp128
  /// nullptr: the docid codec, or gpu-bp128 for gpu-dfor
  const codecs::ListCodec* freq_codec = nullptr;
  AnalyzerConfig analyzer = {};
  ScoringDefaults defaults = {};
  bool overwrite = false;  ///< replace an index that is there (it stays intact until the end)
  /// Keep the segments of the index that is there, and add new ones behind them. The other options
  /// must be those that it was written with: options_to_add_to() (index/updates/add.hpp).
  bool append = false;
  bool store_text = false;  ///< keep documents' text, compressed, for display
  /// Appending: fields may name other codecs than those of the index do; segments that are written
  /// from now on have them.
  bool recode = false;
  /// Names of the parts of documents that are its text, recorded for later additions; empty:
  /// those that a reader of documents takes by itself.
  std::vector<std::string> contents = {};
  Schema schema = {};  ///< the fields that documents have besides their text
  /// The directory's lock, if the caller holds it already.
  std::shared_ptr<DirectoryLock> lock = {};
  /// What the index's generation is, if the caller knows it: appending to another one throws
  /// IoError, for then someone wrote past the lock.
  std::optional<std::uint64_t> generation = {};
  /// Ends add_document(), add_list(), next_segment() and commit() with CancelledError; but once the
  /// manifest is being written, commit() completes.
  std::stop_token stop = {};
};

}  // namespace gannet::index
