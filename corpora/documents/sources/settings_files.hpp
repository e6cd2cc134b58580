// JSON files that lie beside documents and hold none: schemas, settings, descriptions.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "corpora/documents/documents.hpp"
#include "corpora/documents/files/found_files.hpp"

namespace gannet::corpora {

/// Of the files below a folder, which are read as kJsonl, those that hold no document but lie
/// beside files that do: one JSON value of up to 64 KiB in a file that ends in ".json", where other
/// files end in ".jsonl" or ".ndjson". It is an object, or an array of objects, with no member that
/// is an id, a text or a value of a field, nor is called as other programs call ids. Nothing of it
/// would be indexed. Reads the files that end in ".json". Throws CancelledError.
std::set<std::filesystem::path> settings_files(const std::vector<FoundFile>& files,
                                               const ReaderOptions& options);

/// What such a file lacks: "holds no document: no object with 'id' or 'contents'".
std::string settings_reason(const ReaderOptions& options);

}  // namespace gannet::corpora
