// The options of writing an index.
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
  /// nullptr: the docid codec; gpu-bp128 if that is gpu-dfor, which does not suit frequencies
  const codecs::ListCodec* freq_codec = nullptr;
  AnalyzerConfig analyzer = {};
  ScoringDefaults defaults = {};
  bool overwrite = false;  ///< whether to replace an index that is there, at the commit
  /// Keeps the segments of the index that is there and adds new segments after them. The other
  /// options must be those with which the index was written: options_to_add_to()
  /// (index/updates/add.hpp) or options_of_index.hpp. Only the codecs of lists may differ.
  bool append = false;
  /// Whether lists have the positions of terms, for phrases (positions/positions.hpp). All lists
  /// then need them (encode_list()). build_index() writes none for impacts and for the tokenizer
  /// "verbatim", build_inverted() none at all.
  bool positions = true;
  bool store_text = false;  ///< whether to store the main text, compressed, for display
  /// When appending: the schema may name other codecs than that of the index; segments written from
  /// now on have them.
  bool recode = false;
  /// Names of the parts of documents that are the main text. The index records them for programs
  /// that add documents later; nothing else uses them. Empty: the default parts of the reader of
  /// documents.
  std::vector<std::string> contents = {};
  Schema schema = {};  ///< the fields that documents have besides their main text
  /// The lock of the directory, if the caller holds it; null: the writer takes it.
  std::shared_ptr<DirectoryLock> lock = {};
  /// Seconds for which the writer waits for that lock while another writer has it.
  double lock_wait = 0;
  /// The generation of the index that the caller expects. If the index has another one, the writer
  /// throws IoError: a program has written without respect for the lock.
  std::optional<std::uint64_t> generation = {};
  /// A stop request ends the functions of IndexWriter that write with CancelledError. Once the
  /// manifest is being written, commit() completes instead.
  std::stop_token stop = {};
};

}  // namespace gannet::index
