#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "corpora/documents/batch_reader.hpp"
#include "corpora/documents/json_values.hpp"
#include "corpora/documents/member_tree.hpp"
#include "corpora/documents/sources.hpp"
#include "corpora/documents/tables/row_values.hpp"
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
  std::vector<index::FieldText> values;
  std::string reason;
};

/// Whether a token is a number as JSON has it, of any size: simdjson reads none beyond 64 bits.
bool is_number(std::string_view token) {
  const auto take = [&](std::string_view any) {
    const bool found = !token.empty() && any.find(token[0]) != std::string_view::npos;
    if (found) token.remove_prefix(1);
    return found;
  };
  const auto digits = [&] {
    const std::size_t count = std::min(token.find_first_not_of("0123456789"), token.size());
    token.remove_prefix(count);
    return count > 0;
  };
  take("-");
  if (!take("0") && !digits()) return false;
  if (take(".") && !digits()) return false;
  if (take("eE")) {
    take("+-");
    if (!digits()) return false;
  }
  return token.empty();
}

/// Parses the records of one batch into its arena. One object a batch, for one thread.
class RecordParser {
 public:
  RecordParser(const Names& fields, const index::Schema& schema, const MemberTree& tree,
               RecordUse use, const std::string& id_field, std::uint8_t* arena)
      : names_(fields),
        id_(id_field),
        tree_(tree),
        use_(use),
        free_(arena),
        check_values_(schema),
        has_text_fields_(schema.has_text()) {
    record_.fields.resize(fields.size());
  }

  /// The record in `json`, behind which TextBatch::kPadding bytes can be read; its `reason` is
  /// empty if it is well-formed. Valid until the next call.
  const Record& parse(std::string_view json) {
    record_.id = {};
    record_.reason.clear();
    for (auto& field : record_.fields) field.reset();
    record_.values.clear();
    if (const simdjson::error_code error = read(json); error != simdjson::SUCCESS) {
      record_.reason = std::string("not a valid JSON object: ") + simdjson::error_message(error);
    }
    if (use_ == RecordUse::kDocuments && record_.reason.empty()) check();
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
      if (auto e = read_member(parser, key, field.value())) return e;
    }
    const char* rest = nullptr;
    const bool at_end = document.current_location().get(rest) == simdjson::OUT_OF_BOUNDS;
    return at_end ? simdjson::SUCCESS : simdjson::TRAILING_CONTENT;
  }

  /// A member of the record, which may be id or text and value of a field at the same time. A value
  /// can be read only once.
  simdjson::error_code read_member(const ondemand::parser& parser, std::string_view key,
                                   ondemand::value value) {
    const MemberTree* const node = tree_.find(key);
    if (use_ == RecordUse::kValues) {
      return node == nullptr ? simdjson::SUCCESS : read_values(parser, *node, value);
    }
    if (node == nullptr) return read_field(parser, key, value);
    const auto name = std::find(names_.begin(), names_.end(), key);
    if (key != id_ && name == names_.end()) return read_values(parser, *node, value);
    if (auto e = read_field(parser, key, value)) return e;
    if (key == id_) {
      add_values(*node, record_.id);
    } else if (const auto& text = record_.fields[static_cast<std::size_t>(name - names_.begin())]) {
      add_values(*node, *text);
    }
    return simdjson::SUCCESS;
  }

  /// The values that fields have below a member. simdjson bounds the depth.
  simdjson::error_code read_values(const ondemand::parser& parser, const MemberTree& node,
                                   ondemand::value value) {
    ondemand::json_type type;
    if (auto e = value.type().get(type)) return e;
    std::string_view text;
    switch (type) {
      case ondemand::json_type::null:
        return value.is_null().error();
      case ondemand::json_type::object:
        return read_object(parser, node, value);
      case ondemand::json_type::array:
        return read_array(parser, node, value);
      case ondemand::json_type::string:
        if (auto e = unescape(parser, value, text)) return e;
        break;
      case ondemand::json_type::number: {
        const std::string_view token = trim(value.raw_json_token());
        if (!is_number(token)) return simdjson::NUMBER_ERROR;
        text = keep(token);
        break;
      }
      default: {
        bool truth = false;
        if (auto e = value.get_bool().get(truth)) return e;
        text = truth ? "true" : "false";
      }
    }
    if (node.fields.empty()) complain("'" + node.path + "' is not an object");
    add_values(node, text);
    return simdjson::SUCCESS;
  }

  simdjson::error_code read_object(const ondemand::parser& parser, const MemberTree& node,
                                   ondemand::value value) {
    if (!node.fields.empty()) complain("'" + node.path + "' is an object, not a value");
    ondemand::object object;
    if (auto e = value.get_object().get(object)) return e;
    for (auto result : object) {
      ondemand::field field;
      std::string_view key;
      if (auto e = std::move(result).get(field)) return e;
      if (auto e = field.unescaped_key().get(key)) return e;
      const MemberTree* const member = node.find(key);
      if (member == nullptr) continue;
      if (auto e = read_values(parser, *member, field.value())) return e;
    }
    return simdjson::SUCCESS;
  }

  simdjson::error_code read_array(const ondemand::parser& parser, const MemberTree& node,
                                  ondemand::value value) {
    ondemand::array array;
    if (auto e = value.get_array().get(array)) return e;
    for (auto result : array) {
      ondemand::value element;
      if (auto e = result.get(element)) return e;
      if (auto e = read_values(parser, node, element)) return e;
    }
    return simdjson::SUCCESS;
  }

  void add_values(const MemberTree& node, std::string_view text) {
    for (const std::uint32_t field : node.fields) record_.values.push_back({field, text});
  }

  simdjson::error_code read_field(const ondemand::parser& parser, std::string_view key,
                                  ondemand::value value) {
    const bool is_id = key == id_;
    if (is_id) {
      if (auto e = read_id(parser, value)) return e;
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] != key) continue;
      if (is_id) {  // a value can be read only once
        record_.fields[i] = record_.id;
        continue;
      }
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
      complain("'" + id_ + "' is neither a string nor a number");
      return simdjson::SUCCESS;
    }
    const std::string_view token = trim(value.raw_json_token());
    if (!is_number(token)) return simdjson::NUMBER_ERROR;
    record_.id = keep(token);
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
    if (record_.id.empty()) return complain(no_id_message(id_));
    if (!has_text_fields_ && std::none_of(record_.fields.begin(), record_.fields.end(),
                                          [](const auto& field) { return field.has_value(); })) {
      return complain("the object has no '" + names_.front() + "'");
    }
    if (record_.values.empty()) return;
    if (auto problem = check_values_.problem(record_.values)) complain(std::move(*problem));
  }

  const Names& names_;
  const std::string& id_;  ///< the member that has the id
  const MemberTree& tree_;
  RecordUse use_;
  std::uint8_t* free_;
  index::FieldCheck check_values_;
  bool has_text_fields_;  ///< a record may have its texts there alone
  Record record_;
};

class JsonlSource : public TextSource {
 public:
  JsonlSource(std::vector<std::filesystem::path> files, const ReaderOptions& options, RecordUse use)
      : TextSource(std::move(files), make_splitter<JsonSplitter>, options),
        names_(std::make_shared<const Names>(
            options.fields.empty() ? Names{std::string(index::kContentsField)} : options.fields)),
        schema_(options.schema),
        use_(use),
        id_field_(id_field_of(options)),
        tree_(MemberTree::of(schema_)) {}

  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const override {
    const auto text = take_text(std::move(raw));
    auto batch = std::make_unique<JsonBatch>();
    // No string grows by unescaping, so all of them fit where the input did.
    batch->arena = std::make_unique_for_overwrite<std::uint8_t[]>(text->bytes.size() +
                                                                  simdjson::SIMDJSON_PADDING);
    batch->names = names_;
    RecordParser parser(*names_, schema_, tree_, use_, id_field_, batch->arena.get());
    for (const Piece& piece : text->pieces) parse_piece(piece, text->bytes, parser, *batch);
    return batch;
  }

 private:
  void parse_piece(const Piece& piece, std::string_view bytes, RecordParser& parser,
                   JsonBatch& batch) const {
    RowValues only_values(schema_, bad_records());
    const auto fail = [&](std::uint64_t line, std::string_view reason) {
      if (use_ == RecordUse::kValues) return only_values.fail(*piece.path, line, reason, batch);
      bad_records().handle(*piece.path, line, reason, batch);
    };
    const auto add = [&](std::string_view json, std::uint64_t line) {
      throw_if_stopped(stop());
      const Record& record = parser.parse(json);
      if (!record.reason.empty()) return fail(line, record.reason);
      if (use_ == RecordUse::kValues) {
        return only_values.add(*piece.path, line, record.values, batch);
      }
      batch.add(record.id);
      for (std::size_t i = 0; i < names_->size(); ++i) {
        if (record.fields[i]) batch.add_field((*names_)[i], *record.fields[i]);
      }
      for (const index::FieldText& value : record.values) batch.add_value(value.field, value.text);
    };
    if (!piece.has_spans) {
      for_each_line(bytes.substr(piece.begin, piece.end - piece.begin), piece.first_line, add);
      return;
    }
    for (const RecordSpan& span : piece.spans) {
      if (span.complete) {
        add(bytes.substr(span.begin, span.length), span.line);
      } else {
        fail(span.line, "the JSON value does not end");
      }
    }
  }

  std::shared_ptr<const Names> names_;
  index::Schema schema_;
  RecordUse use_;
  std::string id_field_;
  MemberTree tree_;
};

}  // namespace

std::unique_ptr<index::DocumentSource> open_jsonl(std::vector<std::filesystem::path> files,
                                                  const ReaderOptions& options, RecordUse use) {
  return std::make_unique<JsonlSource>(std::move(files), options, use);
}

}  // namespace gannet::corpora
