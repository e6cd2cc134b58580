#include "corpora/evaluation/qrels.hpp"

#include <optional>

#include "corpora/documents/bytes/byte_stream.hpp"
#include "corpora/documents/sources/fields.hpp"
#include "corpora/documents/sources/text_batch.hpp"

namespace gannet::corpora {
namespace {

/// The first line of BEIR's judgements, which have no second column of zeros.
bool is_beir_header(std::string_view line) {
  const auto fields = split_fields<3>(line);
  return fields && (*fields)[0] == "query-id" && (*fields)[1] == "corpus-id" &&
         (*fields)[2] == "score";
}

/// Query, document, grade.
std::array<std::string_view, 3> split_judgement(std::string_view line, bool beir,
                                                std::string_view name, std::uint64_t number) {
  if (beir) {
    const auto fields = split_fields<3>(line);
    if (!fields)
      fail_line(name, number, "the first line names three fields: query, document, score");
    return *fields;
  }
  const auto fields = split_fields<4>(line);
  if (!fields) fail_line(name, number, "a judgement has four fields: qid 0 docid grade");
  return {(*fields)[0], (*fields)[2], (*fields)[3]};
}

}  // namespace

Qrels parse_qrels(std::string_view text, std::string_view name) {
  Qrels qrels;
  std::optional<bool> beir;
  for_each_line(text, 1, [&](std::string_view line, std::uint64_t number) {
    if (!beir) {
      beir = is_beir_header(line);
      if (*beir) return;
    }
    const auto [query, document, grade_text] = split_judgement(line, *beir, name, number);
    const auto grade = parse_number<int>(grade_text);
    if (!grade)
      fail_line(name, number, "the grade '" + std::string(grade_text) + "' is no integer");
    Judgements& judgements = qrels.try_emplace(std::string(query)).first->second;
    const auto [known, is_new] = judgements.try_emplace(std::string(document), *grade);
    if (!is_new && known->second != *grade) {
      fail_line(name, number,
                "document '" + known->first + "' has grade " + std::to_string(known->second) +
                    " for this query already");
    }
  });
  return qrels;
}

Qrels read_qrels(const std::filesystem::path& path) {
  return parse_qrels(read_whole_file(path), path.string());
}

}  // namespace gannet::corpora
