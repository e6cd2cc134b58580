// gannet get: stored documents by their ids.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/error.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/open_index.hpp"
#include "tools/options/option_set.hpp"
#include "tools/output/document_output.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/line_input.hpp"
#include "tools/terminal/notes.hpp"
#include "tools/terminal/print.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kGetHelp{"gannet get INDEX ID... [--input FILE]",
                            R"(
Prints documents by their ids: whether each is live or deleted, its number (docid) and segment,
the values of its fields, and its text if the index was built with --store. A deleted document
is shown until a merge removes it; of an id that was updated, the live document is shown.

An id that the index does not have is named, the others are printed all the same, and the exit
code is 1. With --json each id gives one line, in the order of the ids; its state is live,
deleted or unknown.)",
                            R"(
  gannet get idx doc-17 doc-18
  gannet get idx --input ids.txt --json | jq -r .text
  gannet search idx --docids solar | gannet get idx --input -)"};

class Getter {
 public:
  Getter(const index::Index& index, bool json) : index_(index), json_(json) {}

  void get(const std::string& id) {
    check_interrupted();
    const auto place = index_.locate_document(id);
    if (!place) return tell_unknown(id);
    if (json_) {
      print_result("get", document_json(index_, *place));
    } else {
      if (any_) print("\n");
      print_document(index_, *place);
    }
    any_ = true;
  }

  int code() const { return unknown_ ? kNegative : kOk; }

 private:
  void tell_unknown(const std::string& id) {
    unknown_ = true;
    if (json_) {
      print_result("get", {{"id", id}, {"state", "unknown"}});
    } else {
      note("no document has the id '{}'", one_line(id));
    }
  }

  const index::Index& index_;
  bool json_;
  bool any_ = false;  ///< documents were printed
  bool unknown_ = false;
};

/// Says what the index has, if it keeps no texts, and how they are stored.
void tell_textless(const index::Index& index) {
  if (index.statistics().documents == 0 || index.stored_text(0)) return;
  std::string fields;
  for (const std::size_t number : value_fields(index.schema())) {
    fields += (fields.empty() ? "" : ", ") + index.schema().fields()[number].name;
  }
  note(
      "the index keeps no texts; of each document it has {}. Build it with --store to keep texts, "
      "or with --field NAME:stored to keep another member of documents",
      fields.empty() ? "the id" : "the id and the fields " + fields);
}

}  // namespace

int cmd_get(Args args) {
  OptionSet options(kGetHelp);
  options.add(options::kGetOptions);
  options.index_first("id");
  if (!options.parse(args)) return kOk;
  if (!options.has("id") && !options.has("input")) {
    throw UsageError("no id is given; write ids behind the index, or give a file of them: --input");
  }
  const InterruptGuard guard;
  const auto index = open_index(options);
  Getter getter(*index, options.json());
  if (!options.json()) tell_textless(*index);
  for (const std::string& id : options.get<std::vector<std::string>>("id")) getter.get(id);
  if (options.has("input")) {
    LineInput ids(options.get<std::string>("input"), guard.token());
    std::string line;
    while (ids.next(line)) {
      if (!line.empty()) getter.get(line);
    }
  }
  return getter.code();
}

}  // namespace gannet::tools
