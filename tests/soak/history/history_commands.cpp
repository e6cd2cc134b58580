// What a history does by commands, each of which is a commit of its own.
#include <algorithm>
#include <set>

#include "index/reorder.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge.hpp"
#include "index/updates/remove.hpp"
#include "query/searcher.hpp"
#include "tests/soak/history/history.hpp"
#include "tests/soak/model/brute_force.hpp"
#include "tests/soak/model/checks.hpp"

namespace gannet::soak {

namespace {

index::BuildOptions to_add_to(const std::filesystem::path& path, bool update) {
  index::BuildOptions options = index::options_to_add_to(path);
  options.threads = 2;
  options.update = update;
  return options;
}

}  // namespace

Documents History::new_versions(const Documents& there, bool of_new_ids) {
  Documents versions;
  std::set<std::string> ids;
  for (unsigned n = 1 + below(ids_ / (one_in(4) ? 2 : 10)); n > 0; --n) {
    const std::string id = any_id();
    if (of_new_ids && (has(there, id) || !ids.insert(id).second)) continue;
    versions.push_back(archive_.make(random_, id));
  }
  return versions;
}

void History::build() {
  const Documents after = new_versions({}, true);
  change("build", after, [&] {
    VersionSource source(after);
    index::BuildOptions options = build_options();
    options.write.overwrite = is_there_;
    index::build_index(source, path(), options);
  });
}

void History::need_an_index() {
  if (!is_there_) build();
  if (!is_there_) need_an_index();  // a crash has undone it
}

void History::add_some() {
  need_an_index();
  const Documents versions = new_versions(committed_, true);
  Documents after = committed_;
  after.insert(after.end(), versions.begin(), versions.end());
  change("add", after, [&] {
    VersionSource source(versions);
    index::add_documents(source, path(), to_add_to(path(), false));
  });
}

void History::update_some() {
  need_an_index();
  const Documents versions = new_versions(committed_, false);
  Documents after = committed_;
  for (const VersionPointer& version : versions) put(after, version);
  change("update", after, [&] {
    VersionSource source(versions);
    index::add_documents(source, path(), to_add_to(path(), true));
  });
}

void History::delete_ids() {
  need_an_index();
  std::set<std::string> ids;
  for (unsigned n = below(ids_ / 8); n > 0; --n) ids.insert(any_id());
  Documents after = committed_;
  for (const std::string& id : ids) take_away(after, id);
  change("delete", after, [&] {
    index::DocumentRemover remover(path());
    for (const std::string& id : ids) {
      if (remover.remove(id) != has(committed_, id)) {
        throw Failure("deleting " + id + " does not know whether it is there");
      }
    }
    remover.commit();
  });
}

void History::delete_by_query() {
  need_an_index();
  change_to("delete by query", [&] {
    Documents after;
    index::DocumentRemover remover(path());
    const Snapshot snapshot = read_snapshot(*remover.index(), archive_);
    Question question = random_question(random_, 1000);
    question.want = query::Want::kDocids;
    const query::Result found = searcher_of(remover.index(), random_).search(to_query(question));
    const BruteForce model(snapshot);
    for (std::size_t d = 0; d < snapshot.documents.size(); ++d) {
      if (snapshot.live[d] && !model.matches(question, d)) after.push_back(snapshot.documents[d]);
    }
    for (const std::uint32_t docid : found.docids) remover.remove(docid);
    remover.commit();
    return after;
  });
}

void History::merge() {
  need_an_index();
  change("merge", committed_, [&] {
    index::MergeOptions options;
    options.threads = 2;
    if (one_in(3)) options.tier = 2 + below(3);
    if (one_in(3)) options.max_segments = 1 + below(4);
    options.drop_deleted = !one_in(4);
    const index::MergeReport report = index::merge_index(path(), options);
    if (options.tier == 0 && report.segments > options.max_segments) {
      throw Failure(std::to_string(report.segments) + " segments are left");
    }
  });
}

void History::reorder() {
  need_an_index();
  const char* const orders[] = {"id", "field:n:desc", "field:tag", "random", "bisection"};
  const unsigned which = below(std::size(orders));
  change_to("reorder", [&] {
    index::reorder_index(path(), index::parse_order(orders[which]), {.threads = 2});
    Documents after = committed_;
    switch (which) {
      case 0:
        std::ranges::stable_sort(after, {}, [](const VersionPointer& v) { return v->id; });
        break;
      case 1:
        std::ranges::stable_sort(after, std::greater(),
                                 [](const VersionPointer& v) { return v->number; });
        break;
      case 2:
        std::ranges::stable_sort(after, {},
                                 [](const VersionPointer& v) { return v->tag.value_or(kTags); });
        break;
      default: {  // any order will do
        const Documents found = read_snapshot(index::Index::open(path()), archive_).alive();
        if (!std::ranges::is_permutation(found, after)) {
          throw Failure("reordering has changed documents");
        }
        after = found;
      }
    }
    return after;
  });
}

}  // namespace gannet::soak
