// The Common Index File Format (Lin et al., "Supporting Interoperability Between Open-Source Search
// Engines with the Common Index File Format", SIGIR 2020; version 1): one file of protobuf
// messages, each behind its size as a varint. A header, the posting lists that it announces, and a
// record for every document.
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

/// Opens a CIFF file, plain or compressed by gzip, bzip2 or zstd: it is then decompressed to a file
/// without a name in the folder for temporary files (TMPDIR) first. It stays mapped; lists are read
/// from it as they are asked for, by any number of threads. Takes a pass over the messages' sizes,
/// and 8 to 24 bytes of memory for each list and document. Files that hold the lists of some terms
/// only are taken; those without the records of all documents are not.
///
/// Throws IoError for a missing file, for compressed data that is damaged, and where there is no
/// room to decompress it, VersionError for another version, and FormatError, naming file, message
/// and byte, where the file is cut short or its parts do not fit together. list() throws
/// FormatError for docids that do not ascend or are too large, for frequencies below 1 and for
/// another number of postings than the list's own count. CancelledError once `stop` asks for it
/// while the messages are found.
std::unique_ptr<index::InvertedSource> open_ciff(const std::filesystem::path& file,
                                                 const std::stop_token& stop = {});

/// Writes an index of one segment as a CIFF file, with terms in bytewise order and documents in the
/// order of docids. The file appears complete or not at all; a symbolic link stays one, and a pipe
/// or a device is written as it is. Weights of an index of impacts are written as frequencies.
/// `progress` gets postings (done, total). `existing`: what becomes of a file that is there at the
/// end. Throws IoError, CancelledError or DeadlineError once `limits` ask for the end, and
/// UsageError for an index of several segments, for a term or an id that is not UTF-8, and for a
/// list of more than 2^31 bytes, none of which the format can hold.
void export_ciff(const index::Index& index, const std::filesystem::path& file,
                 const std::function<void(std::uint64_t done, std::uint64_t total)>& progress = {},
                 const Limits& limits = {}, index::Existing existing = index::Existing::kReplace);

}  // namespace gannet::corpora
