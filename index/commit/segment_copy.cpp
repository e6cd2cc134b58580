#include "index/commit/segment_copy.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "index/files/messages.hpp"
#include "index/reading/segment_reader.hpp"

namespace gannet::index {
namespace {

/// Between two looks at the stop token.
constexpr std::size_t kCheckedBytesPerLook = std::size_t{16} << 20;

/// What a message calls a term, which may be damaged itself.
std::string name_of(const SegmentReader& segment, TermId id) {
  try {
    return printable(segment.term(id));
  } catch (const FormatError&) {
    return "term " + std::to_string(id);
  }
}

/// The lists that have bytes of `damaged`, as far as the list table can be read; first and last.
class DamagedLists {
 public:
  DamagedLists(const SegmentReader& segment, std::span<const std::byte> damaged)
      : segment_(segment), begin_(damaged.data()), end_(damaged.data() + damaged.size()) {}

  std::string describe() {
    const Postings& postings = segment_.postings();
    try {
      ListTable::Cursor rows(postings.table());
      while (rows.next()) look_at(rows.number(), postings.list(rows.row()));
    } catch (const FormatError&) {
      // The table itself is damaged: some lists may be missing from the message.
    }
    if (!first_) return {};
    const std::string last = name_of(segment_, last_);
    if (*first_ == last_) return "; it is of the list of '" + last + "'";
    return "; it is of the lists of '" + name_of(segment_, *first_) + "' to '" + last + "'";
  }

 private:
  void look_at(std::uint64_t id, const PostingList& list) {
    if (list.is_short()) return;
    if (!meets(list.docid_words) && !meets(list.freq_words) && !meets(list.skips) &&
        !meets(list.max_freqs) && !meets(list.min_lengths)) {
      return;
    }
    if (!first_) first_ = static_cast<TermId>(id);
    last_ = static_cast<TermId>(id);
  }

  template <class T>
  bool meets(std::span<const T> values) const {
    const auto bytes = std::as_bytes(values);
    return !bytes.empty() && bytes.data() < end_ && bytes.data() + bytes.size() > begin_;
  }

  const SegmentReader& segment_;
  const std::byte* begin_;
  const std::byte* end_;
  std::optional<TermId> first_;
  TermId last_ = 0;
};

/// Which lists stand in a part of section ROWS that is damaged.
std::string lists_in_rows(const SegmentReader& segment, std::span<const std::byte> damaged) {
  const auto [first, end] = segment.postings().table().lists_in(damaged);
  if (first >= end) return {};
  return "; it is of the lists of '" + name_of(segment, static_cast<TermId>(first)) + "' to '" +
         name_of(segment, static_cast<TermId>(end - 1)) + "'";
}

std::string lists_in_section(const SegmentReader& segment, Tag section,
                             std::span<const std::byte> damaged) {
  if (section == Tag("ROWS")) return lists_in_rows(segment, damaged);
  return DamagedLists(segment, damaged).describe();
}

void check_sections_of(const SegmentReader& segment, const ContainerReader& file,
                       const std::stop_token& stop) {
  for (const SectionRow& row : file.sections()) {
    for (std::span<const std::byte> bytes = file.content(row); !bytes.empty();) {
      throw_if_stopped(stop);
      const auto piece = bytes.first(std::min(kCheckedBytesPerLook, bytes.size()));
      if (const auto problem = file.blocks()->problem(piece)) {
        const bool lists = &file == &segment.postings().file();
        const auto damaged = file.blocks()->damaged_part(piece);
        file.fail(*problem + (lists ? lists_in_section(segment, row.id, damaged) : std::string()));
      }
      bytes = bytes.subspan(piece.size());
    }
  }
}

void add_known(const ContainerReader& file, std::vector<std::string>& unknown) {
  for (const Tag section : file.unknown()) {
    unknown.push_back("section '" + to_string(section) + "' of " + file.path().filename().string());
  }
}

[[noreturn]] void fail_unknown(const std::filesystem::path& path, const std::string& what) {
  throw VersionError(path.string() + ": " + what + ", which Gannet " + library_version() +
                     " does not know and would lose by writing it again; use the version that "
                     "wrote it, or a newer one");
}

}  // namespace

void check_undamaged(const Segment& segment, const std::stop_token& stop) {
  const auto* const reader = dynamic_cast<const SegmentReader*>(&segment);
  if (reader == nullptr) return;
  reader->each_file([&](const ContainerReader& file) { check_sections_of(*reader, file, stop); });
}

void check_undamaged(const Index& index, const std::stop_token& stop) {
  for (const auto& segment : index.segments()) check_undamaged(*segment, stop);
}

void check_all_known(const SegmentReader& segment) {
  std::vector<std::string> unknown = unknown_parts(segment.record());
  segment.each_file([&](const ContainerReader& file) { add_known(file, unknown); });
  if (unknown.empty()) return;
  fail_unknown(segment.lexicon().file().path().parent_path(),
               segment.record().name + " has " + unknown.front());
}

void check_all_known(const Manifest& manifest, const std::filesystem::path& directory) {
  if (manifest.other.empty()) return;
  fail_unknown(directory / kManifestName, "it has " + names_in_json(manifest.other));
}

void check_for_copy(const Segment& segment, const std::stop_token& stop) {
  const auto* const reader = dynamic_cast<const SegmentReader*>(&segment);
  if (reader == nullptr) return;
  check_all_known(*reader);
  check_undamaged(segment, stop);
}

}  // namespace gannet::index
