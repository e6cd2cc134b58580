// The inverted-collection format of ds2i and PISA: BASE.docs, BASE.freqs, BASE.sizes, and
// optionally BASE.terms and BASE.documents. Little-endian 32-bit words; a sequence is its length,
// then its values.
//
//   .docs       a sequence of length 1 holding the number of documents, then one sequence per term:
//               strictly ascending docids
//   .freqs      one sequence per term, aligned with .docs: frequencies >= 1
//   .sizes      one sequence: the length of every document
//   .terms      line n names term n          (absent: terms are named by their numbers)
//   .documents  line n names document n      (absent: so are documents)
//
// Query logs of these tools, `qid:term term`, are read by read_topics().
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>

#include "codecs/base/deadline.hpp"
#include "index/files/atomic_file.hpp"
#include "index/index.hpp"
#include "index/inverted_source.hpp"

namespace gannet::corpora {

/// Opens the collection whose files begin with `base` (one of the files themselves is accepted
/// too). The files stay mapped; lists are read from them as they are asked for, by any number of
/// threads.
///
/// Throws IoError for a missing file and FormatError, naming file and list, where the files are cut
/// short or do not fit together. list() throws FormatError, naming file, list and byte offset, for
/// docids that do not ascend or are too large and for frequencies of 0. CancelledError once `stop`
/// asks for it while the lists are found.
std::unique_ptr<index::InvertedSource> open_ds2i(const std::filesystem::path& base,
                                                 const std::stop_token& stop = {});

/// Writes all five files, with terms in the order of the index (bytewise) and documents in the
/// order of docids. Each file appears complete or not at all. `progress` gets postings (done,
/// total). With `existing` kKeep, nothing is written where one of the files has appeared at the
/// end. Throws IoError, also then, CancelledError or DeadlineError once `limits` ask for the end,
/// and UsageError for a term or id with a line end in it, which the text files cannot hold.
void export_ds2i(const index::Index& index, const std::filesystem::path& base,
                 const std::function<void(std::uint64_t done, std::uint64_t total)>& progress = {},
                 const Limits& limits = {}, index::Existing existing = index::Existing::kReplace);

}  // namespace gannet::corpora
