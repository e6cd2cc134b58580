// The inverted-collection format of ds2i and PISA: BASE.docs, BASE.freqs, BASE.sizes, and
// optionally BASE.terms and BASE.documents. The first three hold little-endian 32-bit words; a
// sequence is its length followed by its values.
//
//   .docs       a sequence of length 1 holding the number of documents, then one sequence per term:
//               strictly ascending docids
//   .freqs      one sequence per term, aligned with .docs: frequencies >= 1
//   .sizes      one sequence: the length of every document
//   .terms      line n is the name of term n          (absent: terms are named by their numbers)
//   .documents  line n is the id of document n        (absent: docids are the ids)
//
// read_topics() reads the query logs of these tools, `qid:term term`. The functions here are
// thread-safe.
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

/// Opens the collection whose files begin with `base`; the name of the .docs, .freqs or .sizes file
/// is accepted as well. The files stay mapped, and lists are read from them on demand. The source
/// is thread-safe. open_ds2i() reads the length of each list once and keeps 8 bytes of memory (up
/// to 16 while they grow) for each list and for each line of .terms and .documents.
///
/// Throws IoError for a missing file; CancelledError once `stop` is requested; and FormatError,
/// with file and place, if the files are truncated or inconsistent, or a line of .terms or
/// .documents is empty. The source's list() throws FormatError, with file, list and byte offset,
/// for docids that do not ascend or are too large and for frequencies of 0.
std::unique_ptr<index::InvertedSource> open_ds2i(const std::filesystem::path& base,
                                                 const std::stop_token& stop = {});

/// Writes all five files, with terms in bytewise order and documents in the order of docids. The
/// index must have one segment, no deleted documents and no text fields. Each file appears complete
/// or not at all, one after the other once all are complete; if a name is a symbolic link, the file
/// that it names is replaced. With `existing` kKeep, nothing is written if one of the files exists
/// in the end. `progress` is called on this thread after each list, with the postings written and
/// the postings in all. Memory is 4 bytes for each posting of the longest list.
///
/// Throws IoError, also for a name of a pipe, a device or a folder, and for files that kKeep keeps;
/// CancelledError or DeadlineError once `limits` say so; DamageError for a damaged segment; and
/// UsageError for an index that is not as above, or for a term or an id that contains a line end,
/// which the text files cannot hold.
void export_ds2i(const index::Index& index, const std::filesystem::path& base,
                 const std::function<void(std::uint64_t done, std::uint64_t total)>& progress = {},
                 const Limits& limits = {}, index::Existing existing = index::Existing::kReplace);

}  // namespace gannet::corpora
