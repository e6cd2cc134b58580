#include "index/documents/documents.hpp"

#include <array>
#include <utility>

#include "index/files/offsets.hpp"

namespace gannet::index {
namespace {

constexpr Tag kIds{"IDTX"};
constexpr Tag kIdOffsets{"IDOF"};
constexpr Tag kLengths{"LENS"};
constexpr std::array kKnown{kIds, kIdOffsets, kLengths};

}  // namespace

DocumentsWriter::DocumentsWriter(const std::filesystem::path& path,
                                 const std::filesystem::path& scratch)
    : file_(path, kDocumentsFile), id_offsets_(scratch) {}

void DocumentsWriter::add(std::string_view id, std::uint32_t length) {
  if (lengths_.size() == kMaxDocuments) {
    throw UsageError("an index can have at most " + std::to_string(kMaxDocuments) +
                     " documents; split the collection");
  }
  if (lengths_.empty() && !id.empty()) {
    has_ids_ = true;
    file_.begin_section(kIds);
    id_offsets_.append_value(id_bytes_);
  }
  if (has_ids_ == id.empty()) {
    throw UsageError("document " + std::to_string(lengths_.size()) +
                     (has_ids_ ? " has no id, but those before it have one"
                               : " has an id, but those before it have none"));
  }
  if (has_ids_) {
    file_.append(bytes_of(id));
    id_bytes_ += id.size();
    id_offsets_.append_value(id_bytes_);
  }
  lengths_.push_back(length);
  tokens_ += length;
}

FileSummary DocumentsWriter::finish() {
  if (has_ids_) {
    file_.end_section();
    file_.write_spool(kIdOffsets, id_offsets_);
  }
  file_.write_section(kLengths, lengths());
  return file_.finish();
}

Documents::Documents(std::filesystem::path path, MappedFile file, std::uint64_t documents)
    : file_(std::move(path), std::move(file), kDocumentsFile, kKnown) {
  lengths_ = file_.section<std::uint32_t>(kLengths, documents);
  if (file_.has(kIds) != file_.has(kIdOffsets)) file_.fail("half of the ids' sections are missing");
  if (!file_.has(kIds)) return;
  const std::span<const char> ids = file_.section<char>(kIds);
  ids_ = {ids.data(), ids.size()};
  id_offsets_ = file_.section<std::uint64_t>(kIdOffsets, documents + 1);
  check_offsets(file_, kIdOffsets, id_offsets_, ids_.size());
}

std::string Documents::id(Docid docid) const {
  if (id_offsets_.empty()) return std::to_string(docid);
  return std::string(ids_.substr(id_offsets_[docid], id_offsets_[docid + 1] - id_offsets_[docid]));
}

}  // namespace gannet::index
