#include <simdjson.h>

#include <cstring>
#include <optional>

#include "corpora/documents/batch_reader.hpp"
#include "corpora/documents/json_values.hpp"
#include "corpora/documents/sources.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

namespace ondemand = simdjson::ondemand;
static_assert(TextBatch::kPadding >= simdjson::SIMDJSON_PADDING);

using Names = std::vector<std::string>;

struct JsonBatch : index::ParsedBatch {
  std::unique_ptr<std::uint8_t[]> arena;  // unescaped ids and texts
  std::shared_ptr<const Names> names;     // of the fields
};

/// One record: where its parts are, or why it is malformed.
struct Record {
  std::string_view id;
  std::vector<std::optional<std::string_view>> fields;
  std::string reason;
};

/// Parses the records of one batch into its arena. One object a batch, for one thread.
class RecordParser {
 public:
  RecordParser(const Names& fields, std::uint8_t* arena) : names_(fields), free_(arena) {
    record_.fields.resize(fields.size());
  }

  /// The record in `json`, behind which TextBatch::kPadding bytes can be read; its `reason` is
  /// empty if it is well-formed. Valid until the next call.
  const Record& parse(std::string_view json) {
    record_.id = {};
    record_.reason.clear();
    for (auto& field : record_.fields) field.reset();
    if (const simdjson::error_code error = read(json); error != simdjson::SUCCESS) {
      record_.reason = std::string("not a valid JSON object: ") + simdjson::error_message(error);
    }
    if (record_.reason.empty()) check();
    return record_;
  }

 private:
  simdjson::error_code read(std::string_view json) {
    // One parser a thread: it keeps its buffers from batch to batch.
    thread_local ondemand::parser parser;
    ondemand::document document;
    ondemand::object object;
    const std::size_t capacity = json.size() + simdjson::SIMDJSON_PADDING;
    if (auto e = parser.iterate(json.data(), json.size(), capacity).get(document)) return e;
    if (auto e = document.get_object().get(object)) return e;
    for (auto result : object) {
      ondemand::field field;
      std::string_view key;
      if (auto e = std::move(result).get(field)) return e;
      if (auto e = field.unescaped_key().get(key)) return e;
      if (auto e = read_field(parser, key, field.value())) return e;
    }
    const char* rest = nullptr;
    const bool at_end = document.current_location().get(rest) == simdjson::OUT_OF_BOUNDS;
    return at_end ? simdjson::SUCCESS : simdjson::TRAILING_CONTENT;
  }

  simdjson::error_code read_field(const ondemand::parser& parser, std::string_view key,
                                  ondemand::value value) {
    if (key == "id") return read_id(parser, value);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] != key) continue;
      ondemand::json_type type;
      if (auto e = value.type().get(type)) return e;
      if (type == ondemand::json_type::string)
        return unescape(parser, value, record_.fields[i].emplace());
      if (type != ondemand::json_type::null) complain("'" + names_[i] + "' is not a string");
    }
    return simdjson::SUCCESS;
  }

  simdjson::error_code read_id(const ondemand::parser& parser, ondemand::value value) {
    ondemand::json_type type;
    if (auto e = value.type().get(type)) return e;
    if (type == ondemand::json_type::string) return unescape(parser, value, record_.id);
    if (type != ondemand::json_type::number) {
      complain("'id' is neither a string nor a number");
      return simdjson::SUCCESS;
    }
    ondemand::number number;
    const std::string_view token = value.raw_json_token();
    if (auto e = value.get_number().get(number)) return e;
    record_.id = keep(trim(token));
    return simdjson::SUCCESS;
  }

  simdjson::error_code unescape(const ondemand::parser& parser, ondemand::value value,
                                std::string_view& out) {
    ondemand::raw_json_string raw;
    if (auto e = value.get_raw_json_string().get(raw)) return e;
    return parser.unescape(raw, free_).get(out);
  }

  std::string_view keep(std::string_view text) {
    std::memcpy(free_, text.data(), text.size());
    const auto* begin = reinterpret_cast<const char*>(free_);
    free_ += text.size();
    return {begin, text.size()};
  }

  void complain(std::string reason) {
    if (record_.reason.empty()) record_.reason = std::move(reason);
  }

  void check() {
    if (record_.id.empty()) return complain("the object has no 'id'");
    for (const auto& field : record_.fields) {
      if (field) return;
    }
    complain("the object has no '" + names_.front() + "'");
  }

  const Names& names_;
  std::uint8_t* free_;
  Record record_;
};

class JsonlSource : public TextSource {
 public:
  JsonlSource(std::vector<std::filesystem::path> files, const ReaderOptions& options)
      : TextSource(std::move(files), make_splitter<JsonSplitter>, options),
        names_(std::make_shared<const Names>(
            options.fields.empty() ? Names{std::string(index::kContentsField)} : options.fields)) {}

  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const override {
    const auto text = take_text(std::move(raw));
    auto batch = std::make_unique<JsonBatch>();
    // No string grows by unescaping, so all of them fit where the input did.
    batch->arena = std::make_unique_for_overwrite<std::uint8_t[]>(text->bytes.size() +
                                                                  simdjson::SIMDJSON_PADDING);
    batch->names = names_;
    RecordParser parser(*names_, batch->arena.get());
    for (const Piece& piece : text->pieces) parse_piece(piece, text->bytes, parser, *batch);
    return batch;
  }

 private:
  void parse_piece(const Piece& piece, std::string_view bytes, RecordParser& parser,
                   JsonBatch& batch) const {
    const auto add = [&](std::string_view json, std::uint64_t line) {
      throw_if_stopped(stop());
      const Record& record = parser.parse(json);
      if (!record.reason.empty()) {
        return handle_malformed(malformed(), *piece.path, line, record.reason, batch);
      }
      batch.add(record.id);
      for (std::size_t i = 0; i < names_->size(); ++i) {
        if (record.fields[i]) batch.add_field((*names_)[i], *record.fields[i]);
      }
    };
    if (!piece.has_spans) {
      for_each_line(bytes.substr(piece.begin, piece.end - piece.begin), piece.first_line, add);
      return;
    }
    for (const RecordSpan& span : piece.spans) {
      if (span.complete) {
        add(bytes.substr(span.begin, span.length), span.line);
      } else {
        handle_malformed(malformed(), *piece.path, span.line, "the JSON value does not end", batch);
      }
    }
  }

  std::shared_ptr<const Names> names_;
};

}  // namespace

std::unique_ptr<index::DocumentSource> open_jsonl(std::vector<std::filesystem::path> files,
                                                  const ReaderOptions& options) {
  return std::make_unique<JsonlSource>(std::move(files), options);
}

}  // namespace gannet::corpora
