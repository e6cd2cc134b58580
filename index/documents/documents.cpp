#include "index/documents/documents.hpp"

#include <array>
#include <utility>

namespace gannet::index {
namespace {

constexpr Tag kIds{"IDTX"};
constexpr Tag kIdOffsets{"IBLK"};
constexpr Tag kLengths{"LENS"};
constexpr Tag kIdBuckets{"IHSH"};
constexpr Tag kIdDocids{"IDOC"};
constexpr Tag kIdMarks{"IMRK"};
constexpr std::array kKnown{kIds, kIdOffsets, kLengths, kIdBuckets, kIdDocids, kIdMarks};

}  // namespace

DocumentsWriter::DocumentsWriter(const std::filesystem::path& path,
                                 const std::filesystem::path& scratch)
    : file_(path, kDocumentsFile), ids_(scratch) {}

void DocumentsWriter::add(std::string_view id, std::uint32_t length) {
  if (lengths_.size() == kMaxDocuments) {
    throw UsageError("an index can have at most " + std::to_string(kMaxDocuments) +
                     " documents; split the collection");
  }
  if (lengths_.empty() && !id.empty()) {
    has_ids_ = true;
    file_.begin_section(kIds);
  }
  if (has_ids_ == id.empty()) {
    throw UsageError("document " + std::to_string(lengths_.size()) +
                     (has_ids_ ? " has no id, but those before it have one"
                               : " has an id, but those before it have none"));
  }
  if (has_ids_) {
    ids_.add(file_, id);
    hashes_.push_back(id_hash(id));
  }
  lengths_.push_back(length);
  tokens_ += length;
}

FileSummary DocumentsWriter::finish() {
  if (has_ids_) ids_.finish(file_, kIdOffsets);
  file_.write_section(kLengths, lengths());
  if (has_ids_) {
    const IdTables tables(std::exchange(hashes_, {}));
    file_.write_section(kIdBuckets, std::span(tables.buckets));
    file_.write_section(kIdDocids, std::span(tables.docids));
    file_.write_section(kIdMarks, std::span(tables.marks));
  }
  return file_.finish();
}

Documents::Documents(std::filesystem::path path, MappedFile file, std::uint64_t documents)
    : file_(std::move(path), std::move(file), kDocumentsFile, kKnown) {
  lengths_ = file_.section<std::uint32_t>(kLengths, documents);
  if (file_.has(kIds) != file_.has(kIdOffsets)) file_.fail("half of the ids' sections are missing");
  if (!file_.has(kIds)) return;
  ids_ = FrontCoded(file_, kIds, kIdOffsets, documents);
  const std::uint64_t buckets = (std::uint64_t{1} << id_bucket_bits(documents)) + 1;
  lookup_ = IdLookup(file_.section<std::uint32_t>(kIdBuckets, buckets),
                     file_.section<Docid>(kIdDocids, documents),
                     file_.section<std::uint8_t>(kIdMarks, documents), file_.blocks());
}

void Documents::check_lengths() const {
  file_.check(lengths_);
  lengths_known_.store(true, std::memory_order_relaxed);
}

bool Documents::lengths_are_sound(Docid first, Docid end) const {
  return !file_.blocks()->problem(lengths_.subspan(first, end - first));
}

bool Documents::salvage_lengths() const {
  const bool sound = lengths_are_sound(0, static_cast<Docid>(lengths_.size()));
  lengths_known_.store(true, std::memory_order_relaxed);
  return !sound;
}

std::string Documents::id(Docid docid) const {
  return file_.has(kIds) ? ids_.at(docid) : std::to_string(docid);
}

void Documents::find(std::string_view id, std::vector<Docid>& found) const {
  const bool sound = lookup_.each(id_hash(id), [&](Docid docid) {
    if (ids_.at(docid) == id) found.push_back(docid);
  });
  if (!sound) file_.fail("the documents' lookup by id is damaged");
}

std::optional<std::string> Documents::salvaged_id(Docid docid) const {
  try {
    return id(docid);
  } catch (const FormatError&) {
    // Perhaps it is another id of the block that is damaged.
  }
  try {
    std::string text = ids_.unchecked_at(docid);
    bool found = false;
    const bool sound = lookup_.each(id_hash(text), [&](Docid same) { found |= same == docid; });
    if (sound && found) return text;
  } catch (const FormatError&) {
    // It is not.
  }
  return std::nullopt;
}

void Documents::find_salvaged(std::string_view id, std::vector<Docid>& found) const {
  lookup_.each(id_hash(id), [&](Docid docid) {
    if (salvaged_id(docid) == id) found.push_back(docid);
  });
}

bool Documents::lookup_is_sound() const {
  std::vector<std::uint32_t> hashes;
  hashes.reserve(ids_.size());
  FrontCoded::Cursor ids(ids_, 0);
  while (ids.next()) hashes.push_back(id_hash(ids.text()));
  return !has_ids() || lookup_ == IdTables(hashes);
}

}  // namespace gannet::index
