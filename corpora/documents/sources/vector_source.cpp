#include "corpora/documents/sources/vector_source.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "corpora/documents/sources/json_values.hpp"
#include "corpora/documents/sources/sources.hpp"

namespace gannet::corpora {
namespace {

namespace dom = simdjson::dom;
static_assert(TextBatch::kPadding >= simdjson::SIMDJSON_PADDING);

/// Terms are no longer in an index.
constexpr std::size_t kLongestTerm = 65535;

/// The records of a batch; terms and ids stand in the arena.
struct VectorBatch : index::ParsedBatch {
  std::unique_ptr<char[]> arena;
};

/// A record as it is read. Views are valid until the parser reads the next one.
struct VectorRecord {
  std::string id;
  std::vector<std::pair<std::string_view, double>> terms;  ///< weights >= 0
};

/// What is wrong with a record; empty if it was read.
std::string read_id(dom::object object, const std::string& name, std::string& id) {
  dom::element value;
  if (object.at_key(name).get(value) != simdjson::SUCCESS) {
    return no_id_message(name, [&](const auto& take) {
      for (const auto& member : object) take(member.key);
    });
  }
  std::string_view text;
  std::uint64_t number = 0;
  if (value.get(text) == simdjson::SUCCESS) {
    id = text;
  } else if (value.get(number) == simdjson::SUCCESS) {
    id = std::to_string(number);
  } else {
    return "'" + name + "' is neither a string nor a whole number";
  }
  return id.empty() ? "'" + name + "' is empty" : "";
}

std::string read_terms(dom::object object, VectorRecord& record) {
  dom::object vector;
  if (object.at_key("vector").get(vector) != simdjson::SUCCESS) {
    return "the object has no 'vector' of terms and weights";
  }
  for (const auto& [term, value] : vector) {
    double weight = 0;
    if (value.get(weight) != simdjson::SUCCESS) {
      return "the weight of '" + std::string(term) + "' is no number";
    }
    if (weight < 0) return "the weight of '" + std::string(term) + "' is below 0";
    if (term.empty()) return "a term is empty";
    if (term.size() > kLongestTerm) return "a term has more than 65,535 bytes";
    record.terms.emplace_back(term, weight);
  }
  return "";
}

std::string read_record(dom::parser& parser, std::string_view json, const std::string& id_field,
                        VectorRecord& record) {
  dom::object object;
  // The bytes behind the record can be read: batches are padded.
  if (const auto error = parser.parse(json.data(), json.size(), false).get(object)) {
    return not_json(json, simdjson::error_message(error));
  }
  record.terms.clear();
  if (std::string problem = twice_in(object, {id_field, "vector"}); !problem.empty()) {
    return problem;
  }
  if (std::string problem = read_id(object, id_field, record.id); !problem.empty()) return problem;
  return read_terms(object, record);
}

/// Calls on_record(json, line) for every record of a piece; those that do not end are malformed.
template <class F>
void for_each_record(const Piece& piece, std::string_view bytes, const BadRecords& bad_records,
                     index::ParsedBatch& batch, F&& on_record) {
  if (!piece.has_spans) {
    for_each_line(bytes.substr(piece.begin, piece.end - piece.begin), piece.first_line, on_record);
    return;
  }
  for (const RecordSpan& span : piece.spans) {
    if (span.complete) {
      on_record(bytes.substr(span.begin, span.length), span.line);
    } else {
      bad_records.handle(*piece.path, span.line, "the JSON value does not end", batch);
    }
  }
}

/// Documents of weights as whole numbers.
class VectorSource : public TextSource {
 public:
  VectorSource(std::vector<std::filesystem::path> files, const ReaderOptions& options)
      : TextSource(std::move(files), make_splitter<JsonSplitter>, options),
        quantization_(options.quantization),
        id_field_(id_field_of(options)) {}

  std::unique_ptr<index::ParsedBatch> parse_text(std::unique_ptr<TextBatch> text) const override {
    auto batch = std::make_unique<VectorBatch>();
    // A term stands between quotation marks, and an id is shorter than its record.
    batch->arena = std::make_unique_for_overwrite<char[]>(text->bytes.size());
    char* free = batch->arena.get();
    dom::parser parser;
    VectorRecord record;
    for (const Piece& piece : text->pieces) {
      for_each_record(piece, text->bytes, bad_records(), *batch,
                      [&](std::string_view json, std::uint64_t line) {
                        throw_if_stopped(stop());
                        std::string problem = read_record(parser, json, id_field_, record);
                        if (problem.empty()) problem = add(record, free, *batch);
                        if (problem.empty()) return batch->set_place(piece.path, line);
                        bad_records().handle(*piece.path, line, problem, *batch);
                      });
    }
    return batch;
  }

 private:
  /// Adds a document, unless something is wrong with its weights.
  std::string add(const VectorRecord& record, char*& free, VectorBatch& batch) const {
    std::uint64_t length = 0;
    for (const auto& [term, weight] : record.terms) {
      const std::optional<std::uint32_t> impact = impact_of(weight);
      if (!impact) {
        return "the weight of '" + std::string(term) + "' is " +
               (quantization_.bits == 0 ? "no whole number below 2^32"
                                        : "larger than any that the index was built with, and so "
                                          "than the largest impact; build the index anew with all "
                                          "documents, or of whole numbers");
      }
      length += *impact;
    }
    if (length > std::numeric_limits<std::uint32_t>::max()) {
      return "the weights add up to 2^32 or more";
    }
    batch.add(keep(record.id, free));
    for (const auto& [term, weight] : record.terms) {
      if (const std::uint32_t impact = *impact_of(weight)) {
        batch.add_term(keep(term, free), impact);
      }
    }
    return "";
  }

  /// A weight that is not 0 has an impact of at least 1. Nothing for one that has none.
  std::optional<std::uint32_t> impact_of(double weight) const {
    constexpr double kLimit = 4294967296.0;
    if (quantization_.bits == 0) {
      if (weight != std::floor(weight) || weight >= kLimit) return std::nullopt;
      return static_cast<std::uint32_t>(weight);
    }
    const double impact = std::round(weight * quantization_.scale);
    if (impact > std::ldexp(1.0, static_cast<int>(quantization_.bits)) - 1) return std::nullopt;
    return weight > 0 ? std::max(1u, static_cast<std::uint32_t>(impact)) : 0;
  }

  static std::string_view keep(std::string_view text, char*& free) {
    std::memcpy(free, text.data(), text.size());
    const char* const begin = free;
    free += text.size();
    return {begin, text.size()};
  }

  index::Quantization quantization_;
  std::string id_field_;
};

/// Reads through the files for their weights alone.
class WeightScan : public TextSource {
 public:
  WeightScan(std::vector<std::filesystem::path> files, const ReaderOptions& options)
      : TextSource(std::move(files), make_splitter<JsonSplitter>, options),
        id_field_(id_field_of(options)) {}

  VectorWeights run() {
    VectorWeights weights;
    dom::parser parser;
    VectorRecord record;
    ReaderOptions silent;
    silent.malformed = Malformed::kSkip;
    const BadRecords skip(silent);
    while (auto raw = read()) {
      const auto text = take_text(std::move(raw));
      index::ParsedBatch skipped;
      for (const Piece& piece : text->pieces) {
        for_each_record(piece, text->bytes, skip, skipped,
                        [&](std::string_view json, std::uint64_t) {
                          throw_if_stopped(stop());
                          // What is malformed is told when the documents are read.
                          if (read_record(parser, json, id_field_, record).empty())
                            count(record, weights);
                        });
      }
    }
    return weights;
  }

  std::unique_ptr<index::ParsedBatch> parse_text(std::unique_ptr<TextBatch>) const override {
    return std::make_unique<index::ParsedBatch>();
  }

 private:
  static void count(const VectorRecord& record, VectorWeights& weights) {
    for (const auto& [term, weight] : record.terms) {
      weights.largest = std::max(weights.largest, weight);
      weights.whole = weights.whole && weight == std::floor(weight);
    }
  }

  std::string id_field_;
};

}  // namespace

std::unique_ptr<index::DocumentSource> open_json_vectors(std::vector<std::filesystem::path> files,
                                                         const ReaderOptions& options) {
  return std::make_unique<VectorSource>(std::move(files), options);
}

VectorWeights scan_json_vectors(const std::vector<std::filesystem::path>& inputs,
                                const ReaderOptions& options) {
  ReaderOptions quiet = options;  // who reads the documents tells what is not read
  quiet.on_passed_over = {};
  quiet.on_left_out = {};
  std::vector<std::filesystem::path> files;
  for (std::filesystem::path& file : wanted_files(DocumentFormat::kJsonVectors, inputs, quiet)) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) {
      throw UsageError(file.string() +
                       ": vectors are read twice, which only files can be; write it to one");
    }
    files.push_back(std::move(file));
  }
  return WeightScan(std::move(files), options).run();
}

index::Quantization quantization_for(const VectorWeights& weights, unsigned bits) {
  if (bits < 1 || bits > 16) throw UsageError("impacts have 1 to 16 bits");
  if (weights.whole || weights.largest == 0) return {};
  const double most = std::ldexp(1.0, static_cast<int>(bits)) - 1;
  // A weight so small that this is no number is as good as 0.
  return {bits, std::min(most / weights.largest, std::numeric_limits<double>::max())};
}

}  // namespace gannet::corpora
