#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "corpora/documents/sources/batch_reader.hpp"
#include "corpora/documents/sources/json_values.hpp"
#include "corpora/documents/sources/member_tree.hpp"
#include "corpora/documents/sources/row_values.hpp"
#include "corpora/documents/sources/sources.hpp"
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

std::string problem_of(simdjson::error_code error, std::string_view json) {
  if (error == simdjson::DEPTH_ERROR) {
    return "objects and arrays are nested deeper than " + std::to_string(kDeepestJson) + " levels";
  }
  return not_json(json, simdjson::error_message(error));
}

/// Parses the records of one batch into its arena. One object a batch, for one thread.
class RecordParser {
 public:
  RecordParser(const Names& fields, const index::Schema& schema, const MemberTree& tree,
               RecordUse use, const std::string& id_field, FieldUse* field_use, std::uint8_t* arena)
      : names_(fields),
        id_(id_field),
        tree_(tree),
        use_(use),
        field_use_(field_use),
        free_(arena),
        check_values_(schema),
        has_text_fields_(schema.has_text()) {
    record_.fields.resize(fields.size());
  }

  /// The record in `json`, behind which TextBatch::kPadding bytes can be read; its `reason` is
  /// empty if it is well-formed. Valid until the next call.
  const Record& parse(std::string_view json) {
    record_.id = {};
    has_id_ = false;
    record_.reason.clear();
    for (auto& field : record_.fields) field.reset();
    record_.values.clear();
    if (const simdjson::error_code error = read(json); error != simdjson::SUCCESS) {
      record_.reason = problem_of(error, json);
    }
    if (use_ == RecordUse::kDocuments && record_.reason.empty()) check(json);
    if (field_use_ != nullptr) note_fields();
    return record_;
  }

 private:
  simdjson::error_code read(std::string_view json) {
    // One parser a thread: it keeps its buffers from batch to batch.
    thread_local ondemand::parser parser;
    parser_ = &parser;
    seen_.clear();
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
      if (auto e = read_member(key, field.value())) return e;
    }
    const char* rest = nullptr;
    const bool at_end = document.current_location().get(rest) == simdjson::OUT_OF_BOUNDS;
    return at_end ? simdjson::SUCCESS : simdjson::TRAILING_CONTENT;
  }

  /// The first record of a batch shows what members there are.
  void note_fields() {
    shows_members_ = false;
    for (std::size_t i = 0; i < record_.fields.size(); ++i) {
      if (record_.fields[i]) field_use_->note(i);
    }
  }

  /// A member of the record, which may be id or text and value of a field at the same time. A value
  /// can be read only once. What nobody asks for is read as well, for it may be no JSON.
  simdjson::error_code read_member(std::string_view key, ondemand::value value) {
    if (shows_members_ && field_use_ != nullptr) field_use_->see(key);
    const MemberTree* const node = tree_.find(key);
    const auto name = std::find(names_.begin(), names_.end(), key);
    const bool is_text = use_ == RecordUse::kDocuments && name != names_.end();
    const bool is_id = use_ == RecordUse::kDocuments && key == id_;
    if (is_id || is_text) {
      note(is_id ? static_cast<const void*>(&id_) : &*name, key, 0);
    } else if (node != nullptr) {
      note(node, key, 0);
    }
    if (!is_id && !is_text) return read_values(node, value, 1);
    if (auto e = read_field(key, value)) return e;
    if (node == nullptr) return simdjson::SUCCESS;
    if (is_id) {
      add_values(*node, record_.id);
    } else if (const auto& text = record_.fields[static_cast<std::size_t>(name - names_.begin())]) {
      add_values(*node, *text);
    }
    return simdjson::SUCCESS;
  }

  /// Of an object whose keys are kept in seen_ from `first` on, one key more.
  void note(const void* meaning, std::string_view key, std::size_t first) {
    const auto begin = seen_.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::find(begin, seen_.end(), meaning) != seen_.end()) {
      complain("'" + std::string(key) + "' occurs twice in one object");
    }
    seen_.push_back(meaning);
  }

  /// The values that fields have in or below a member; with no node, none. `depth` is that of the
  /// objects and arrays around it.
  simdjson::error_code read_values(const MemberTree* node, ondemand::value value,
                                   std::size_t depth) {
    ondemand::json_type type;
    if (auto e = value.type().get(type)) return e;
    const bool nested = type == ondemand::json_type::object || type == ondemand::json_type::array;
    if (nested && depth == kDeepestJson) return simdjson::DEPTH_ERROR;
    if (type == ondemand::json_type::object) return read_object(node, value, depth + 1);
    if (type == ondemand::json_type::array) return read_array(node, value, depth + 1);
    if (type == ondemand::json_type::null) return check_null(value);
    if (node == nullptr) return check_scalar(type, value);
    std::string_view text;
    if (auto e = read_scalar(type, value, text)) return e;
    if (node->fields.empty()) complain("'" + node->path + "' is not an object");
    add_values(*node, text);
    return simdjson::SUCCESS;
  }

  /// A value as its text: a string unescaped, a number as it is spelled.
  simdjson::error_code read_scalar(ondemand::json_type type, ondemand::value value,
                                   std::string_view& text) {
    if (type == ondemand::json_type::string) return unescape(value, text);
    if (type == ondemand::json_type::number) {
      const std::string_view token = trim(value.raw_json_token());
      if (!is_number(token)) return simdjson::NUMBER_ERROR;
      text = keep(token);
      return simdjson::SUCCESS;
    }
    bool truth = false;
    if (auto e = value.get_bool().get(truth)) return e;
    text = truth ? "true" : "false";
    return simdjson::SUCCESS;
  }

  /// The same of a value that is not kept.
  simdjson::error_code check_scalar(ondemand::json_type type, ondemand::value value) {
    std::uint8_t* const before = free_;
    std::string_view text;
    const simdjson::error_code error = read_scalar(type, value, text);
    free_ = before;
    return error;
  }

  static simdjson::error_code check_null(ondemand::value value) {
    bool is_null = false;
    if (auto e = value.is_null().get(is_null)) return e;
    return is_null ? simdjson::SUCCESS : simdjson::N_ATOM_ERROR;
  }

  simdjson::error_code read_object(const MemberTree* node, ondemand::value value,
                                   std::size_t depth) {
    if (node != nullptr && !node->fields.empty()) {
      complain("'" + node->path + "' is an object, not a value");
    }
    const std::size_t first_seen = seen_.size();
    ondemand::object object;
    if (auto e = value.get_object().get(object)) return e;
    for (auto result : object) {
      ondemand::field field;
      std::string_view key;
      if (auto e = std::move(result).get(field)) return e;
      if (auto e = field.unescaped_key().get(key)) return e;
      const MemberTree* const member = node == nullptr ? nullptr : node->find(key);
      if (member != nullptr) note(member, key, first_seen);
      if (auto e = read_values(member, field.value(), depth)) return e;
    }
    seen_.resize(first_seen);
    return simdjson::SUCCESS;
  }

  simdjson::error_code read_array(const MemberTree* node, ondemand::value value,
                                  std::size_t depth) {
    ondemand::array array;
    if (auto e = value.get_array().get(array)) return e;
    for (auto result : array) {
      ondemand::value element;
      if (auto e = result.get(element)) return e;
      if (auto e = read_values(node, element, depth)) return e;
    }
    return simdjson::SUCCESS;
  }

  void add_values(const MemberTree& node, std::string_view text) {
    for (const std::uint32_t field : node.fields) record_.values.push_back({field, text});
  }

  simdjson::error_code read_field(std::string_view key, ondemand::value value) {
    const bool is_id = key == id_;
    if (is_id) {
      if (auto e = read_id(value)) return e;
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] != key) continue;
      if (is_id) {  // a value can be read only once
        record_.fields[i] = record_.id;
        continue;
      }
      ondemand::json_type type;
      if (auto e = value.type().get(type)) return e;
      if (type == ondemand::json_type::string) return unescape(value, record_.fields[i].emplace());
      if (type != ondemand::json_type::null) complain("'" + names_[i] + "' is not a string");
      return read_values(nullptr, value, 1);
    }
    return simdjson::SUCCESS;
  }

  simdjson::error_code read_id(ondemand::value value) {
    ondemand::json_type type;
    if (auto e = value.type().get(type)) return e;
    has_id_ = true;
    if (type == ondemand::json_type::string || type == ondemand::json_type::number) {
      return read_scalar(type, value, record_.id);
    }
    complain("'" + id_ + "' is neither a string nor a number");
    return read_values(nullptr, value, 1);
  }

  simdjson::error_code unescape(ondemand::value value, std::string_view& out) {
    ondemand::raw_json_string raw;
    if (auto e = value.get_raw_json_string().get(raw)) return e;
    return parser_->unescape(raw, free_).get(out);
  }

  std::string_view keep(std::string_view text) {
    std::memcpy(free_, text.data(), text.size());
    const auto* begin = reinterpret_cast<const char*>(free_);
    free_ += text.size();
    return {begin, text.size()};
  }

  /// "'title' and no 'body'"
  std::string any_of_names() const {
    std::string all;
    for (const std::string& name : names_) all += (all.empty() ? "'" : " and no '") + name + "'";
    return all;
  }

  void complain(std::string reason) {
    if (record_.reason.empty()) record_.reason = std::move(reason);
  }

  /// The keys of a record that was read before.
  template <class Take>
  void for_each_key(std::string_view json, const Take& take) {
    ondemand::document document;
    ondemand::object object;
    const std::size_t capacity = json.size() + simdjson::SIMDJSON_PADDING;
    if (parser_->iterate(json.data(), json.size(), capacity).get(document)) return;
    if (document.get_object().get(object)) return;
    for (auto result : object) {
      ondemand::field field;
      std::string_view key;
      if (std::move(result).get(field) || field.unescaped_key().get(key)) return;
      take(key);
    }
  }

  void check(std::string_view json) {
    const bool has_text =
        std::ranges::any_of(record_.fields, [](const auto& field) { return field.has_value(); });
    if (!has_id_ && !has_text && !has_text_fields_ && record_.values.empty()) {
      // "and no 'id'" may be all that is wrong with a document whose id is called otherwise.
      bool has_other_id = false;
      for_each_key(json, [&](std::string_view key) { has_other_id |= is_id_name(key); });
      if (!has_other_id) {
        return complain("the object is no document: it has no '" + id_ + "' and no " +
                        any_of_names() + " (--id-field and --fields name other members)");
      }
    }
    if (!has_id_) {
      return complain(no_id_message(id_, [&](const auto& take) { for_each_key(json, take); }));
    }
    if (record_.id.empty()) return complain("'" + id_ + "' is empty");
    if (!has_text_fields_ && !has_text) {
      return complain("the object has no " + any_of_names() +
                      "; --fields names the texts to index");
    }
    if (record_.values.empty()) return;
    if (auto problem = check_values_.problem(record_.values)) complain(std::move(*problem));
  }

  const Names& names_;
  const std::string& id_;  ///< the member that has the id
  const MemberTree& tree_;
  RecordUse use_;
  FieldUse* field_use_;  ///< null: nobody asks
  bool shows_members_ = true;
  std::uint8_t* free_;
  index::FieldCheck check_values_;
  bool has_text_fields_;  ///< a record may have its texts there alone
  ondemand::parser* parser_ = nullptr;
  bool has_id_ = false;
  std::vector<const void*> seen_;  ///< what the keys of the objects around a place mean
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
        field_use_(options.fields.empty() ? nullptr : options.field_use),
        tree_(MemberTree::of(schema_)) {}

  std::unique_ptr<index::ParsedBatch> parse_text(std::unique_ptr<TextBatch> text) const override {
    auto batch = std::make_unique<JsonBatch>();
    // No string grows by unescaping, so all of them fit where the input did.
    batch->arena = std::make_unique_for_overwrite<std::uint8_t[]>(text->bytes.size() +
                                                                  simdjson::SIMDJSON_PADDING);
    batch->names = names_;
    RecordParser parser(*names_, schema_, tree_, use_, id_field_, field_use_.get(),
                        batch->arena.get());
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
      batch.set_place(piece.path, line);
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
  std::shared_ptr<FieldUse> field_use_;
  MemberTree tree_;
};

}  // namespace

std::unique_ptr<index::DocumentSource> open_jsonl(std::vector<std::filesystem::path> files,
                                                  const ReaderOptions& options, RecordUse use) {
  return std::make_unique<JsonlSource>(std::move(files), options, use);
}

}  // namespace gannet::corpora
