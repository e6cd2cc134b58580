// The input of commands that build: documents or posting lists, the options that say how they are
// read, and reading them.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/documents/documents.hpp"
#include "index/builder.hpp"
#include "index/inverted_source.hpp"
#include "tools/building/skipped_records.hpp"
#include "tools/options/option_set.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {

/// Formats of posting lists.
bool is_inverted(std::string_view format);

/// Of the options that say how files are read. Throws UsageError.
corpora::ReaderOptions reader_options(const OptionSet& options);

/// What a build needs while it runs: the stop token, progress, rows. Keep it as long as the build.
class BuildRun {
 public:
  /// Fills in memory, threads, stop token and progress of `build`, and opens --rows, whose fields
  /// the reader is not to look for then, and the file of --skipped.
  BuildRun(const OptionSet& options, index::BuildOptions& build, corpora::ReaderOptions& reader);

  std::unique_ptr<index::InvertedSource> open_inverted() const;
  std::unique_ptr<index::DocumentSource> open_documents(const corpora::ReaderOptions& reader) const;
  std::vector<std::filesystem::path> inputs() const;
  /// How many files were left out for their endings, unless the source counts them itself.
  std::uint64_t left_out() const;

  /// Input and output are open: the list of --skipped begins anew, by the first of several
  /// processes. Done with the first progress where nobody has called it.
  void opened(bool first = true);

 private:
  /// Tells of a file that is not read: the first few, and the list all of them.
  void pass_over(std::string_view what);
  void leave_out(const std::filesystem::path& file);
  void tell_left_out() const;

  const OptionSet& options_;
  InterruptGuard guard_;
  std::optional<SkippedRecords> skipped_;
  std::uint64_t passed_over_ = 0;                  ///< files
  std::map<std::string, std::uint64_t> left_out_;  ///< files of each ending
  std::unique_ptr<index::DocumentSource> rows_;
  Progress progress_;
};

}  // namespace gannet::tools
