// Relevance judgements. Lines of TREC and MS MARCO are `qid 0 docid grade`; lines of BEIR are
// `query-id corpus-id score`, after a header line of exactly these names. The functions here are
// thread-safe.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gannet::corpora {

/// Grades by document id. A document with a grade above 0 is relevant; a document without a grade
/// is not.
using Judgements = std::unordered_map<std::string, int>;

/// Judgements by query id.
using Qrels = std::map<std::string, Judgements, std::less<>>;

/// Reads a file of judgements, plain or compressed by gzip, bzip2 or zstd. Throws IoError, and
/// InputError for a file of more than 2^32 bytes (decompressed). Throws InputError with the line
/// for a line that does not have four fields (BEIR: three), a grade that is not an int, or a
/// second, different grade of a document for one query. Blank lines are ignored. Expected time is
/// linear in the file's size, and the file is held in memory.
Qrels read_qrels(const std::filesystem::path& path);

/// Reads judgements from text in memory, as read_qrels() does. `name` is the file name in messages.
Qrels parse_qrels(std::string_view text, std::string_view name);

}  // namespace gannet::corpora
