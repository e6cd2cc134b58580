// gannet inspect: what an index holds and how many bits it takes.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <filesystem>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/columns/column_file.hpp"
#include "index/segment/live_documents.hpp"
#include "index/text/analyzer.hpp"
#include "query/scoring/base/idf.hpp"
#include "query/texts/searched_texts.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/open_index.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/table/data.hpp"
#include "tools/output/column_report.hpp"
#include "tools/output/field_report.hpp"
#include "tools/output/index_size.hpp"
#include "tools/output/positions_json.hpp"
#include "tools/output/pruning_memory.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kInspectHelp{"gannet inspect IDX [--term T]... [OPTIONS]",
                                R"(
Prints the statistics of an index, how it was built, the bits a posting takes (docids,
frequencies and skip data apart) and those of a position, the lists by length, the fields of the documents, and the
memory of what searches keep to skip documents that cannot be among the best; with --term,
of single terms.
Of a column file (gannet encode) prints type, values, and codec and size of its segments.)",
                                R"(
  gannet inspect idx
  gannet inspect idx --term tiger --term woods
  gannet inspect prices.column)",
                                {},
                                "term"};

Json size_json(const index::Payload& payload) {
  if (!payload.impacts) return {{"kind", "frequencies"}};
  return {{"kind", "impacts"},
          {"bits", payload.quantization.bits},
          {"scale", payload.quantization.scale}};
}

Json size_json(const index::AnalyzerConfig& analyzer) {
  return {
      {"tokenizer", analyzer.tokenizer},
      {"lowercase", analyzer.lowercase},
      {"stemmer", analyzer.stemmer},
      {"stopwords", analyzer.stopwords},
      {"stopword_list", analyzer.stopword_list},
      {"max_token_bytes", analyzer.max_token_bytes},
  };
}

Json size_json(const ListSize& size) {
  return {
      {"lists", size.lists},
      {"postings", size.postings},
      {"bits_per_posting",
       {
           {"docids", size.bits(size.docid_bits)},
           {"frequencies", size.bits(size.freq_bits)},
           {"skips", size.bits(size.skip_bits)},
       }},
  };
}

std::uint64_t deleted_in(const index::Index& index, std::size_t segment) {
  const index::LiveDocuments* const live = index.live(segment);
  return live == nullptr ? 0 : live->deleted();
}

Json segments_json(const index::Index& index) {
  Json segments = Json::array();
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    const index::Statistics& statistics = index.segments()[s]->statistics();
    segments.push_back({{"documents", statistics.documents},
                        {"deleted_documents", deleted_in(index, s)},
                        {"terms", statistics.terms},
                        {"postings", statistics.postings}});
  }
  return segments;
}

void print_index_json(const index::Index& index, const IndexSize& size,
                      const PruningMemory& memory) {
  const index::Statistics& statistics = index.statistics();
  const index::Segment& segment = *index.segments().front();
  Json by_length = Json::array();
  for (std::size_t i = 0; i < size.by_length.size(); ++i) {
    if (size.by_length[i].lists == 0) continue;
    by_length.push_back({
        {"from", std::uint64_t{1} << i},
        {"below", std::uint64_t{2} << i},
        {"size", size_json(size.by_length[i])},
    });
  }
  Json files = Json::array();
  for (const FileSize& file : size.files) {
    files.push_back({{"name", file.name}, {"bytes", file.bytes}});
  }
  print_result(
      "inspect",
      {
          {"index", index.path().string()},
          {"documents", statistics.documents},
          {"deleted_documents", index.deleted_documents()},
          {"terms", statistics.terms},
          {"postings", statistics.postings},
          {"tokens", statistics.tokens},
          {"average_length", statistics.average_length()},
          {"docid_codec", segment.docid_codec().name},
          {"freq_codec", segment.freq_codec().name},
          {"analyzer", size_json(index.analyzer())},
          {"bm25", {{"k1", shortest(index.defaults().k1)}, {"b", shortest(index.defaults().b)}}},
          {"payload", size_json(index.defaults().payload)},
          {"lists", size_json(size.all)},
          {"by_length", std::move(by_length)},
          {"positions", json_of(size.positions)},
          {"fields", fields_json(index)},
          {"segments", segments_json(index)},
          {"files", std::move(files)},
          {"bytes", size.bytes()},
          {"pruning", json_of(memory)},
      });
}

std::string text_of(const index::Quantization& quantization) {
  if (quantization.bits == 0) return "whole numbers as they were";
  return fmt::format("weight * {:.6g} in {} bits", quantization.scale, quantization.bits);
}

std::string stop_words_text(const index::AnalyzerConfig& analyzer) {
  if (analyzer.stopword_list.empty()) return analyzer.stopwords;
  return fmt::format("{} of a list", with_commas(analyzer.stopword_list.size()));
}

void print_overview(const index::Index& index) {
  const index::Statistics& statistics = index.statistics();
  const index::AnalyzerConfig& analyzer = index.analyzer();
  const index::Segment& segment = *index.segments().front();
  print("documents    {} (mean length {:.1f} tokens)\n", with_commas(statistics.documents),
        statistics.average_length());
  print("terms        {}\npostings     {}\ntokens       {}\n", with_commas(statistics.terms),
        with_commas(statistics.postings), with_commas(statistics.tokens));
  if (index.deleted_documents() != 0) {
    print("deleted      {} documents, counted above; gannet merge drops them\n",
          with_commas(index.deleted_documents()));
  }
  print("codecs       docids {}, frequencies {}\n", segment.docid_codec().name,
        segment.freq_codec().name);
  print("analyzer     tokenizer {}, stemmer {}, stop words {}{}\n", analyzer.tokenizer,
        analyzer.stemmer, stop_words_text(analyzer), analyzer.lowercase ? "" : ", case kept");
  const index::Payload& payload = index.defaults().payload;
  if (payload.impacts) {
    print("payload      impacts, {}\n", text_of(payload.quantization));
  } else {
    print("BM25         k1 {}, b {}\n", index.defaults().k1, index.defaults().b);
  }
}

void print_segments(const index::Index& index) {
  if (index.segments().size() == 1) return;
  print("\n{:<9} {:>15} {:>15} {:>12} {:>15}\n", "segment", "documents", "deleted", "terms",
        "postings");
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    const index::Statistics& statistics = index.segments()[s]->statistics();
    print("{:<9} {:>15} {:>15} {:>12} {:>15}\n", s, with_commas(statistics.documents),
          with_commas(deleted_in(index, s)), with_commas(statistics.terms),
          with_commas(statistics.postings));
  }
}

void print_lists(const IndexSize& size) {
  print("\nbits a posting           docids   freqs   skips\n");
  print("{:<22}  {:>7.2f} {:>7.2f} {:>7.2f}\n", "all lists", size.all.bits(size.all.docid_bits),
        size.all.bits(size.all.freq_bits), size.all.bits(size.all.skip_bits));
  print("\n{:<18} {:>12} {:>15} {:>8} {:>7} {:>7}\n", "list length", "lists", "postings", "docids",
        "freqs", "skips");
  for (std::size_t i = 0; i < size.by_length.size(); ++i) {
    const ListSize& row = size.by_length[i];
    if (row.lists == 0) continue;
    print("{:<18} {:>12} {:>15} {:>8.2f} {:>7.2f} {:>7.2f}\n",
          fmt::format("{}..{}", std::uint64_t{1} << i, (std::uint64_t{2} << i) - 1),
          with_commas(row.lists), with_commas(row.postings), row.bits(row.docid_bits),
          row.bits(row.freq_bits), row.bits(row.skip_bits));
  }
}

void print_positions(const PositionsSize& size) {
  if (!size.there()) {
    print("\npositions    none\n");
    return;
  }
  print("\npositions    {} in {}, {:.2f} bits each\n", with_commas(size.number),
        human_bytes(static_cast<double>(size.bytes)), size.bits());
}

void print_files(const IndexSize& size) {
  print("\nfiles\n");
  for (const FileSize& file : size.files) {
    print("  {:<24} {:>12}\n", file.name, human_bytes(static_cast<double>(file.bytes)));
  }
  print("  {:<24} {:>12}\n", "together", human_bytes(static_cast<double>(size.bytes())));
}

/// The keys of the terms that `text` stands for in this index: `word`, or `title:word`.
std::vector<std::string> analysed(const index::Index& index, const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto field = colon == std::string::npos
                         ? std::nullopt
                         : query::find_text(index.schema(), text.substr(0, colon));
  std::vector<std::string> terms;
  if (field && *field != index::kMainText) {
    index.text_analyzer(*field).analyze(text.substr(colon + 1), terms);
    for (std::string& term : terms) term = index::text_key(*field, term);
  } else {
    index::Analyzer(index.analyzer()).analyze(field ? text.substr(colon + 1) : text, terms);
  }
  if (terms.empty()) throw UsageError(fmt::format("--term: '{}' has no term in it", text));
  return terms;
}

void inspect_term(const index::Index& index, const std::string& key, Json* json) {
  const std::string term = key_label(index.schema(), key);
  ListSize size;
  std::uint64_t occurrences = 0;
  for (const auto& segment : index.segments()) {
    const auto id = segment->find(key);
    if (!id) continue;
    size.add(segment->list(*id));
    occurrences += segment->collection_frequency(*id);
  }
  const double idf =
      query::lucene_idf({index.statistics().documents, 0}, {size.postings, occurrences});
  if (json != nullptr) {
    json->push_back({
        {"term", term},
        {"found", size.lists != 0},
        {"document_frequency", size.postings},
        {"collection_frequency", occurrences},
        {"idf", idf},
        {"tiles", size.tiles},
        {"size", size_json(size)},
    });
  } else if (size.lists != 0) {
    print(
        "{}: df {}, cf {}, idf {:.4f}, {} tiles, bits a posting: docids {:.2f}, freqs {:.2f}, "
        "skips {:.2f}\n",
        term, with_commas(size.postings), with_commas(occurrences), idf, size.tiles,
        size.bits(size.docid_bits), size.bits(size.freq_bits), size.bits(size.skip_bits));
  } else {
    print("{}: no document has it\n", term);
  }
}

void inspect_terms(const index::Index& index, const std::vector<std::string>& texts, bool as_json) {
  Json json = Json::array();
  for (const std::string& text : texts) {
    for (const std::string& term : analysed(index, text)) {
      inspect_term(index, term, as_json ? &json : nullptr);
    }
  }
  if (as_json) print_result("inspect", {{"index", index.path().string()}, {"terms", json}});
}

}  // namespace

int cmd_inspect(Args args) {
  OptionSet options(kInspectHelp);
  options.add(options::kInspectOptions);
  options.index_first();
  if (!options.parse(args)) return kOk;

  if (index::is_column_file(options.get<std::string>("index"))) {
    inspect_column(options.get<std::string>("index"), options.json());
    return kOk;
  }
  const auto index = open_index(options);
  if (options.has("term")) {
    inspect_terms(*index, options.get<std::vector<std::string>>("term"), options.json());
    return kOk;
  }
  const IndexSize size = measure(*index);
  const PruningMemory memory = pruning_memory(*index, options.get<double>("bounds-bits"));
  if (options.json()) {
    print_index_json(*index, size, memory);
  } else {
    print_overview(*index);
    print_segments(*index);
    print_lists(size);
    print_positions(size.positions);
    print_fields(*index);
    print_files(size);
    print_pruning_memory(memory);
  }
  return kOk;
}

}  // namespace gannet::tools
