// Relevance judgements as TREC and MS MARCO have them, `qid 0 docid grade`, or BEIR:
// `query-id corpus-id score` behind a line that says so.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gannet::corpora {

/// Grades by document. Above 0 is relevant; unjudged documents are not.
using Judgements = std::unordered_map<std::string, int>;

/// Judgements by query.
using Qrels = std::map<std::string, Judgements, std::less<>>;

/// Reads judgements (plain or compressed). Throws IoError, and InputError with the line for one
/// that has not four fields (three of BEIR's), a grade that is no integer, or a second, different
/// grade for the same document.
Qrels read_qrels(const std::filesystem::path& path);

/// Reads judgements from text in memory, as read_qrels() does. `name` stands for the file in
/// messages.
Qrels parse_qrels(std::string_view text, std::string_view name);

}  // namespace gannet::corpora
