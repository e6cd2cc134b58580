// gannet delete: deletes documents of an index.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/files/messages.hpp"
#include "index/updates/remove.hpp"
#include "query/searcher.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/open_index.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/table/building.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/line_input.hpp"
#include "tools/terminal/notes.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kDeleteHelp{
    "gannet delete IDX (--id ID... --ids FILE | --query Q --filter F) [OPTIONS]",
    R"(
Deletes documents: those with the ids, or those that match the query; with --filter, only
those of them that pass it, or without a query, all that pass it. Ids go into a command of
their own. Where all documents match, it asks at a terminal, and wants --yes elsewhere. They
are marked, all in one moment, which takes little time; `gannet merge` frees their room.
Until then they count in the statistics that scores are made of, so that the scores of others
stay. Searches that run meanwhile keep what they have. An id that is not there is named, and
the exit code is 1; the others are deleted all the same. Documents that were indexed without
ids are deleted by a query or a filter: their numbers change when segments are merged.)",
    R"(
  gannet delete idx --id doc-17 --id doc-18
  gannet delete idx --ids gone.txt          # an id a line; - is stdin
  gannet delete idx --query 'advert -review' --dry-run
  gannet delete idx --filter 'date:<2020-01-01'
  gannet delete idx --query advert --filter 'date:<2020-01-01'   # both must hold)",
    {},
    "id"};

/// Ids that are not there of which messages speak.
constexpr std::size_t kNamed = 5;

struct Deletion {
  std::vector<std::string> missing = {};  ///< the first of them
  std::uint64_t missing_ids = 0;
};

void delete_id(const std::string& id, index::DocumentRemover& remover, Deletion& deletion) {
  if (remover.remove(id)) return;
  ++deletion.missing_ids;
  if (deletion.missing.size() < kNamed) deletion.missing.push_back(id);
}

void delete_lines(const std::string& path, index::DocumentRemover& remover, Deletion& deletion) {
  LineInput ids(path, interrupt_token());
  std::string line;
  while (ids.next(line)) {
    if (!line.empty()) delete_id(line, remover, deletion);
  }
}

/// Throws UsageError unless whoever is asked agrees that nothing is left of the index.
void confirm_all(const OptionSet& options, std::uint64_t documents) {
  if (options.has("yes") || options.has("dry-run")) return;
  const std::string what = fmt::format("all {} documents of {}", with_commas(documents),
                                       options.get<std::string>("index"));
  if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDERR_FILENO) != 1) {
    throw UsageError("this would delete " + what +
                     "; nothing was deleted. Say --yes if that is meant, or --dry-run to see");
  }
  print(stderr, "gannet delete: delete {}? [y/N] ", what);
  std::string answer;
  LineInput("-", interrupt_token()).next(answer);
  if (answer != "y" && answer != "yes") throw UsageError("nothing was deleted");
}

/// All that match, in the index as it is: nobody can write to it meanwhile.
void delete_matches(const OptionSet& options, index::DocumentRemover& remover) {
  const query::Searcher searcher(remover.index(), {.backend = query::BackendChoice::kCpu});
  query::Query query;
  query.want = query::Want::kDocids;
  query.filter = filter_option(options, *remover.index());
  query.text = options.has("query") ? options.get<std::string>("query") : "*:*";
  const query::Result matches = searcher.search(query, {.stop = interrupt_token()});
  const std::uint64_t documents =
      remover.index()->statistics().documents - remover.index()->deleted_documents();
  if (documents != 0 && matches.docids.size() == documents) confirm_all(options, documents);
  for (const index::Docid docid : matches.docids) remover.remove(docid);
}

/// Throws UsageError where it does not say what to delete, or two things that could be meant to
/// be joined or to narrow one another.
void check_selection(const OptionSet& options) {
  const bool ids = options.has("id") || options.has("ids");
  const bool matches = options.has("query") || options.has("filter");
  if (!ids && !matches) {
    throw UsageError("say what to delete: --id, --ids, --query or --filter");
  }
  if (ids && matches) {
    throw UsageError(
        "--id and --ids name documents, --query and --filter find some: these do not go together. "
        "Give two commands, one for each");
  }
}

void delete_all(const OptionSet& options, index::DocumentRemover& remover, Deletion& deletion) {
  if (options.has("id")) {
    for (const std::string& id : options.get<std::vector<std::string>>("id")) {
      delete_id(id, remover, deletion);
    }
  }
  if (options.has("ids")) delete_lines(options.get<std::string>("ids"), remover, deletion);
  if (options.has("query") || options.has("filter")) delete_matches(options, remover);
}

void tell_missing(const Deletion& deletion) {
  if (deletion.missing_ids == 0) return;
  std::string names;
  for (const std::string& id : deletion.missing) {
    names += (names.empty() ? "'" : ", '") + index::printable(id) + "'";
  }
  note("{} {} not there: {}{}", with_commas(deletion.missing_ids),
       deletion.missing_ids == 1 ? "id is" : "ids are", names,
       deletion.missing_ids > deletion.missing.size() ? ", ..." : "");
}

int report(const OptionSet& options, const index::DocumentRemover& remover,
           const Deletion& deletion) {
  const index::Index& before = *remover.index();
  const std::uint64_t left =
      before.statistics().documents - before.deleted_documents() - remover.removed();
  tell_missing(deletion);
  if (options.json()) {
    print_result("delete", {{"index", options.get<std::string>("index")},
                            {"deleted", remover.removed()},
                            {"not_found", deletion.missing_ids},
                            {"documents", left},
                            {"dry_run", options.has("dry-run")}});
  } else {
    print("{} {}, {} {} left\n", counted(remover.removed(), "document"),
          options.has("dry-run") ? "would be deleted" : "deleted", with_commas(left),
          options.has("dry-run") ? "would be" : "are");
  }
  return deletion.missing_ids == 0 ? kOk : kNegative;
}

}  // namespace

int cmd_delete(Args args) {
  OptionSet options(kDeleteHelp);
  options.add(options::kDeletedIds, options::kFilter, options::kDeleteOptions);
  options.index_first();
  if (!options.parse(args)) return kOk;
  check_selection(options);
  const InterruptGuard guard;
  const auto& directory = options.get<std::string>("index");
  const bool dry_run = options.has("dry-run");
  index::DocumentRemover remover =
      dry_run ? index::DocumentRemover::preview(directory)
              : index::DocumentRemover(directory, guard.token(), options.get<double>("wait"));
  Deletion deletion;
  delete_all(options, remover, deletion);
  if (!dry_run) remover.commit();
  return report(options, remover, deletion);
}

}  // namespace gannet::tools
