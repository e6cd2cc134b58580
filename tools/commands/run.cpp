// gannet run: a topics file in batch, to a TREC run file.
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "corpora/topics/topics.hpp"
#include "tools/commands/command.hpp"
#include "tools/commands/ranks.hpp"
#include "tools/options/open_index.hpp"
#include "tools/options/topics_option.hpp"
#include "tools/search/keep_memory.hpp"
#include "tools/search/run_files.hpp"
#include "tools/search/run_options.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

TopicOutcome run_all(const OptionSet& options, const std::vector<corpora::Topic>& topics) {
  const auto index = open_index(options);
  const InterruptGuard guard;
  const TopicRunOptions run = topic_run_options(options, *index, guard.token());
  const query::Searcher searcher = open_searcher(index, options);
  RunFiles files(options, guard.token());
  Progress progress(options.has("quiet"));
  const TopicOutcome outcome =
      run_topics(searcher, run, topics, files.outputs(),
                 [&](std::size_t done) { progress.update("queries", done, topics.size()); });
  throw_if_stopped(guard.token());
  files.close();
  return outcome;
}

}  // namespace

int cmd_run(Args args) {
  if (asks_for_ranks(args)) return run_as_rank("run", args);
  OptionSet options(run_help());
  declare_run_options(options);
  if (!options.parse(args)) return kOk;
  check_run_outputs(options);
  keep_freed_memory();
  const TopicOutcome outcome = run_all(options, read_topics_option(options));
  print_outcome(options, outcome);
  return outcome.skipped.empty() ? kOk : kSkipped;
}

}  // namespace gannet::tools
