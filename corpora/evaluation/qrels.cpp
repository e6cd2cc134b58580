#include "corpora/evaluation/qrels.hpp"

#include "corpora/documents/byte_stream.hpp"
#include "corpora/documents/fields.hpp"
#include "corpora/documents/text_batch.hpp"

namespace gannet::corpora {

Qrels parse_qrels(std::string_view text, std::string_view name) {
  Qrels qrels;
  for_each_line(text, 1, [&](std::string_view line, std::uint64_t number) {
    const auto fields = split_fields<4>(line);
    if (!fields) fail_line(name, number, "a judgement has four fields: qid 0 docid grade");
    const auto [query, iteration, document, grade_text] = *fields;
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
