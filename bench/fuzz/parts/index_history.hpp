// An index that is written to, and a model of it: documents come and go, commits, crashes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/fuzz/disagreement.hpp"
#include "index/updates/writer.hpp"
#include "index/verify.hpp"
#include "query/searcher.hpp"
#include "tests/support/index/fault_file_system.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::fuzz {

/// Live documents, id and text, in the order in which they came last.
class DocumentModel {
 public:
  using Documents = std::vector<std::pair<std::string, std::string>>;

  bool has(const std::string& id) const {
    return std::ranges::count(documents_, id, &Documents::value_type::first) != 0;
  }
  void remove(const std::string& id) {
    std::erase_if(documents_, [&](const auto& document) { return document.first == id; });
  }
  void put(const std::string& id, const std::string& text) {
    remove(id);
    documents_.emplace_back(id, text);
  }
  const Documents& documents() const { return documents_; }
  bool operator==(const DocumentModel&) const = default;

  /// Ids of the documents that have a word.
  std::vector<std::string> with(const std::string& word) const {
    std::vector<std::string> ids;
    for (const auto& [id, text] : documents_) {
      if ((" " + text + " ").find(" " + word + " ") != std::string::npos) ids.push_back(id);
    }
    return ids;
  }

 private:
  Documents documents_;
};

inline DocumentModel::Documents documents_of(const index::Index& index) {
  DocumentModel::Documents documents;
  for (index::Docid d = 0; d < index.statistics().documents; ++d) {
    if (!index.is_live(d)) continue;
    documents.emplace_back(index.document_id(d), index.stored_text(d).value_or("?"));
  }
  return documents;
}

/// Whether an index has the documents of the model, by number and by id, and its queries find them.
inline bool is_model(const std::shared_ptr<const index::Index>& index, const DocumentModel& model) {
  if (documents_of(*index) != model.documents()) return false;
  for (const auto& [id, text] : model.documents()) {
    const auto found = index->find_document(id);
    if (!found || index->stored_text(*found) != text) return false;
  }
  query::SearcherOptions options{.backend = query::BackendChoice::kCpu};
  options.cpu.threads = 1;
  const query::Searcher searcher(index, options);
  for (const char* word : {"w0", "w1", "w2", "w3"}) {
    std::vector<std::string> ids;
    for (const auto docid : searcher.search({.text = word, .want = query::Want::kDocids}).docids) {
      ids.push_back(index->document_id(docid));
    }
    if (ids != model.with(word)) return false;
  }
  return true;
}

/// One history. Each step is two bytes: what is done, and with which document and words.
class IndexHistory {
 public:
  void run(std::span<const std::uint8_t> input) {
    {
      const index::ReplacedFileSystem replaced(faults_);
      open();
      for (; input.size() >= 2; input = input.subspan(2)) {
        if (input[0] >= 0xf0 && commits_ > 0) {
          crash(input[0], input[1]);
          input = input.subspan(2);
          break;
        }
        step(input[0], input[1]);
      }
    }
    for (; input.size() >= 2; input = input.subspan(2)) step(input[0], input[1]);
    commit();
    writer_.reset();
    check_whole();
  }

 private:
  void open() {
    index::WriterOptions options;
    options.build.threads = 2;
    options.build.write.store_text = true;
    options.merge_tier = 3;
    writer_ = std::make_unique<index::Writer>(path_, options);
  }

  void step(std::uint8_t what, std::uint8_t with) {
    const std::string id = "d" + std::to_string(with % 16);
    switch (what % 8) {
      case 0:
        return commit();
      case 1:
        writer_->rollback();
        model_ = committed_;
        return;
      case 2:
        need(writer_->remove(id) == model_.has(id), "remove() says what is there");
        return model_.remove(id);
      case 3:
        if (what < 128) return add(id, text_of(with));
        writer_.reset();  // ends without a commit
        model_ = committed_;
        if (with % 2 == 0) index::merge_index(path_, {.threads = 2});
        return open();
      default:
        put(id, text_of(with));
    }
  }

  std::string text_of(std::uint8_t with) {
    const std::string number = std::to_string(++texts_);
    return "w" + std::to_string(with % 3) + " w" + std::to_string(with / 64) + " x" + number;
  }

  void add(const std::string& id, const std::string& text) {
    const bool known = model_.has(id);
    const index::TextField field{index::kContentsField, text};
    bool refused = false;
    try {
      writer_->add({.id = id, .fields = {&field, 1}});
      model_.put(id, text);
    } catch (const UsageError&) {
      refused = true;
    }
    need(refused == known, "ids are unique");
  }

  void put(const std::string& id, const std::string& text) {
    const index::TextField field{index::kContentsField, text};
    writer_->update({.id = id, .fields = {&field, 1}});
    model_.put(id, text);
  }

  void commit() {
    before_ = committed_;
    begun_ = faults_.log().size();
    writer_->commit();
    committed_ = model_;
    ++commits_;
    need(is_model(writer_->index(), committed_), "a commit shows the model");
  }

  /// Power fails while the last commit is at work, or after it; a new writer goes on.
  void crash(std::uint8_t what, std::uint8_t with) {
    writer_.reset();
    const std::size_t operations = faults_.log().size() - begun_;
    const std::size_t count = begun_ + operations * with / 255;
    auto next = std::make_unique<test::TemporaryDirectory>();
    write_crashed(faults_.log(), count, test::kCrashes[what % std::size(test::kCrashes)], with,
                  next->path());
    path_ = next->path() / "idx";
    folders_.push_back(std::move(next));
    const auto index = std::make_shared<const index::Index>(index::Index::open(path_));
    if (is_model(index, before_)) committed_ = before_;
    need(is_model(index, committed_), "after a crash there is one commit or the other");
    model_ = committed_;
    open();
  }

  void check_whole() const {
    const auto index = std::make_shared<const index::Index>(index::Index::open(path_));
    need(is_model(index, committed_), "the index is the model");
    need(index::verify_index(path_, 1).problems.empty(), "the index is sound");
  }

  std::vector<std::unique_ptr<test::TemporaryDirectory>> folders_ = first_folder();
  test::FaultFileSystem faults_{folders_.front()->path()};
  std::filesystem::path path_ = folders_.front()->path() / "idx";
  std::unique_ptr<index::Writer> writer_;
  DocumentModel model_, committed_, before_;
  std::size_t begun_ = 0;  ///< operations of files before the last commit
  std::uint64_t commits_ = 0;
  std::uint64_t texts_ = 0;

  static std::vector<std::unique_ptr<test::TemporaryDirectory>> first_folder() {
    std::vector<std::unique_ptr<test::TemporaryDirectory>> folders;
    folders.push_back(std::make_unique<test::TemporaryDirectory>());
    return folders;
  }
};

}  // namespace gannet::fuzz
