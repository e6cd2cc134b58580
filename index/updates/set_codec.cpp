#include "index/updates/set_codec.hpp"

#include <chrono>
#include <utility>
#include <vector>

#include "codecs/base/deadline.hpp"
#include "codecs/base/error.hpp"
#include "index/files/messages.hpp"
#include "index/index_writer.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge/write_merged.hpp"
#include "index/work/thread_limit.hpp"

namespace gannet::index {
namespace {

/// The number of the field; throws UsageError that lists those that there are.
std::size_t field_number(const Schema& schema, std::string_view field,
                         const std::filesystem::path& directory) {
  const int number = schema.find(field);
  if (number >= 0) return static_cast<std::size_t>(number);
  std::string names;
  for (const FieldSpec& known : schema.fields()) names += (names.empty() ? "" : ", ") + known.name;
  throw UsageError(directory.string() + ": there is no field '" + printable(field) + "'; " +
                   (names.empty() ? "the index has none" : "there are " + names));
}

/// Writes each segment again, in its place.
void rewrite(IndexWriter& writer, const MergeOptions& options, MergeReport& report) {
  const std::shared_ptr<const Index> index = writer.shared_kept();
  const MergeWork work{BuildBudget::of(options.memory, thread_count(options.threads)), options.stop,
                       options.progress};
  report.segments_before = index->segments().size();
  for (std::size_t s = 0; s < index->segments().size(); ++s) {
    if (s > 0) writer.next_segment();
    writer.replace(s, 1);
    const MergedSegment segment(*index->segments()[s], index->live(s), 0);
    report.documents_merged += write_merged({&segment, 1}, index->schema(), work, writer);
  }
  report.dropped = index->statistics().documents - report.documents_merged;
  report.documents = writer.commit().documents;
  report.segments = writer.segments();
  report.fallbacks = writer.fallbacks();
}

}  // namespace

SetCodecReport set_codec(const std::filesystem::path& directory, std::string_view field,
                         const std::string& codec, const MergeOptions& options) {
  if (options.deadline != kNoDeadline) {
    return within_limits(options, [&](const MergeOptions& limited) {
      return set_codec(directory, field, codec, limited);
    });
  }
  const auto start = std::chrono::steady_clock::now();
  WriteOptions write = options_to_change(directory, options.stop, options.lock, options.lock_wait);
  std::vector<FieldSpec> fields = write.schema.fields();
  FieldSpec& wanted = fields[field_number(write.schema, field, directory)];
  SetCodecReport report{std::exchange(wanted.codec, codec), {}};
  write.schema = Schema(std::move(fields));  // throws for a codec that there is not
  if (report.before == codec) return report;
  write.recode = true;
  IndexWriter writer(directory, std::move(write));
  rewrite(writer, options, report.written);
  report.written.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace gannet::index
