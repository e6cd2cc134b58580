#include "index/documents/documents.hpp"

#include <array>
#include <utility>

namespace gannet::index {
namespace {

constexpr Tag kIds{"IDTX"};
constexpr Tag kIdOffsets{"IBLK"};
constexpr Tag kLengths{"LENS"};
constexpr std::array kKnown{kIds, kIdOffsets, kLengths};

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
  if (has_ids_) ids_.add(file_, id);
  lengths_.push_back(length);
  tokens_ += length;
}

FileSummary DocumentsWriter::finish() {
  if (has_ids_) ids_.finish(file_, kIdOffsets);
  file_.write_section(kLengths, lengths());
  return file_.finish();
}

Documents::Documents(std::filesystem::path path, MappedFile file, std::uint64_t documents)
    : file_(std::move(path), std::move(file), kDocumentsFile, kKnown) {
  lengths_ = file_.section<std::uint32_t>(kLengths, documents);
  if (file_.has(kIds) != file_.has(kIdOffsets)) file_.fail("half of the ids' sections are missing");
  if (!file_.has(kIds)) return;
  ids_ = FrontCoded(file_, kIds, kIdOffsets, documents);
}

std::string Documents::id(Docid docid) const {
  return file_.has(kIds) ? ids_.at(docid) : std::to_string(docid);
}

}  // namespace gannet::index
