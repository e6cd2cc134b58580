// Which format files are in, by the endings of their names, else by their first bytes.
#pragma once

#include <filesystem>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/documents/files/found_files.hpp"

namespace gannet::corpora {

/// A file or folder whose format is wanted, and what messages call it.
struct NamedInput {
  std::filesystem::path path;
  std::string name;
};

/// The format of all inputs, one of document_format_names(), "ds2i" or "ciff". Compression does not
/// count. Of a folder, and of all inputs together, a file of each ending is looked at; an ending
/// that no format has says nothing where other files of the folder do. An input that is not there,
/// but is with .docs and .freqs behind it, is ds2i.
///
/// Throws UsageError, which lists the formats, where no format or more than one is possible, and
/// for a pipe whose name does not tell: its first bytes would be lost. IoError for what cannot be
/// read.
std::string guess_format(const std::vector<NamedInput>& inputs, const std::stop_token& stop = {});

/// The endings of files below a folder that are left out where the folder is read as `format`: no
/// format has them, a file with such an ending does not begin as the format does, and other files
/// have an ending or a beginning of it. Looks at one file of each ending.
std::set<std::string> unread_endings(const std::vector<FoundFile>& files, std::string_view format,
                                     const std::stop_token& stop = {});

/// The ending of a file's name, without one that says how it is compressed: ".jsonl", or "".
std::string ending_without_packing(const std::filesystem::path& file);

/// The formats that a file may be in which begins like this; none if it is not known. `begin` is
/// decompressed, and need not end where a record does.
std::vector<std::string> formats_by_content(std::string_view begin);

/// The name of a file without the endings that say how it is compressed and what it is in:
/// "docs.jsonl.zst" is "docs". May be empty.
std::string name_without_endings(const std::filesystem::path& file);

/// As an error lists them.
std::string all_format_names();

}  // namespace gannet::corpora
