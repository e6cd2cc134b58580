#include "tools/search/run_files.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/evaluation/trec_run.hpp"
#include "tools/options/raw_values.hpp"
#include "tools/search/run_options.hpp"
#include "tools/search/run_summary.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/notes.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"
#include "tools/terminal/standard_output.hpp"

namespace gannet::tools {
namespace {

std::unique_ptr<corpora::RunWriter> open_run(const OptionSet& options,
                                             const std::stop_token& stop) {
  const auto& tag = options.get<std::string>("tag");
  if (!is_to_stdout(options, "output")) {
    return std::make_unique<corpora::RunWriter>(
        std::filesystem::path(options.get<std::string>("output")), tag, stop,
        options.choice<corpora::RunLayout>("run-format"), existing_output(options));
  }
  const auto print_lines = [](std::string_view lines) {
    print_text(stdout, lines);
    flush_stdout();
  };
  return std::make_unique<corpora::RunWriter>(corpora::RunWriter::Sink(print_lines), tag,
                                              options.choice<corpora::RunLayout>("run-format"));
}

/// Lines of JSON, to a file or to stdout.
class AnswerFile {
 public:
  AnswerFile(const std::string& path, index::Existing existing)
      : output_(output_name(path), existing) {
    terminal_ = output_name(path) == "-" && is_terminal(stdout);
  }
  void write(std::string_view lines) {
    if (terminal_) {
      print_styled(stdout, printable_json(lines));
    } else {
      output_.write(std::as_bytes(std::span(lines)));
    }
  }
  void finish() { output_.finish(); }

 private:
  RawOutput output_;
  bool terminal_ = false;
};

}  // namespace

/// Optional things stay where they are made: writers cannot be moved.
struct RunFiles::Impl {
  std::unique_ptr<corpora::RunWriter> run;
  std::optional<AnswerFile> answers;
};

RunFiles::RunFiles(const OptionSet& options, const std::stop_token& stop)
    : impl_(std::make_unique<Impl>()) {
  if (options.has("output")) impl_->run = open_run(options, stop);
  if (options.has("results")) {
    impl_->answers.emplace(options.get<std::string>("results"), existing_output(options));
  }
}

RunFiles::~RunFiles() = default;

TopicOutputs RunFiles::outputs() {
  TopicOutputs outputs;
  outputs.run = impl_->run.get();
  if (impl_->answers) {
    outputs.answers = [this](std::string_view lines) { impl_->answers->write(lines); };
  }
  return outputs;
}

void RunFiles::close() {
  if (impl_->run) impl_->run->close();
  if (impl_->answers) impl_->answers->finish();
}

namespace {

void print_skipped(const OptionSet& options, const std::vector<BadTopic>& skipped) {
  constexpr std::size_t kMax = 20;
  const auto& file = options.get<std::string>("topics");
  for (std::size_t i = 0; i < std::min(kMax, skipped.size()); ++i) {
    note("skipped: {}", to_string(skipped[i], file));
  }
  if (skipped.size() > kMax) {
    note("skipped: {} topics in all", with_commas(skipped.size()));
  }
}

}  // namespace

void print_outcome(const OptionSet& options, const TopicOutcome& outcome) {
  const bool stdout_taken = is_to_stdout(options, "output") || is_to_stdout(options, "results");
  std::FILE* const messages = stdout_taken ? stderr : stdout;
  print_skipped(options, outcome.skipped);
  if (options.json()) {
    print_result("run", run_summary_json(options, outcome), messages);
  } else if (!options.has("quiet")) {
    print(messages, "{}", run_summary(options, outcome));
  }
}

}  // namespace gannet::tools
