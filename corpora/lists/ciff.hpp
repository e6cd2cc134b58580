// The Common Index File Format (Lin et al., "Supporting Interoperability Between Open-Source Search
// Engines with the Common Index File Format", SIGIR 2020; version 1). A file holds protobuf
// messages, each preceded by its size as a varint: a header, the posting lists that the header
// announces, and one record per document. The functions here are thread-safe.
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

/// Opens a CIFF file, plain or compressed by gzip, bzip2 or zstd. A compressed file is first
/// decompressed to an unlinked file in the folder for temporary files (TMPDIR). The file stays
/// mapped, and lists are read from it on demand. The source is thread-safe. open_ciff() reads the
/// sizes of all messages once and keeps 8 to 24 bytes of memory for each list and document. A file
/// may lack the lists of some terms, but not the records of some documents.
///
/// Throws IoError for a missing file, for damaged compressed data, and if there is no room to
/// decompress; VersionError for another version; CancelledError once `stop` is requested; and
/// FormatError, with file, message and byte, if the file is truncated or its parts are
/// inconsistent. Members of the source throw FormatError for a malformed message, list() also for
/// docids that do not ascend or are too large, frequencies outside 1 .. 2^31 - 1 and a number of
/// postings other than the list's document frequency, term() for an empty term, length() for a
/// length above 2^31 - 1.
std::unique_ptr<index::InvertedSource> open_ciff(const std::filesystem::path& file,
                                                 const std::stop_token& stop = {});

/// Writes an index as a CIFF file, with terms in bytewise order and documents in the order of
/// docids. The index must have one segment, no deleted documents and no text fields. Weights of an
/// index of impacts are written as frequencies. A regular file appears complete or not at all; if
/// `file` is a symbolic link, the file that it names is replaced. A pipe or a device receives the
/// bytes as they are made. `existing` says what happens to a file that exists at `file` in the end.
/// `progress` is called on this thread after each list, with the postings written and the postings
/// in all. Memory is that of the longest list: 8 bytes a posting and its message.
///
/// Throws IoError; CancelledError or DeadlineError once `limits` say so; DamageError for a damaged
/// segment; and UsageError for an index that is not as above, a term or an id that is not UTF-8, or
/// a list of 2^31 bytes or more, which the format cannot hold.
void export_ciff(const index::Index& index, const std::filesystem::path& file,
                 const std::function<void(std::uint64_t done, std::uint64_t total)>& progress = {},
                 const Limits& limits = {}, index::Existing existing = index::Existing::kReplace);

}  // namespace gannet::corpora
