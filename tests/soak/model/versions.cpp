#include "tests/soak/model/versions.hpp"

#include <algorithm>
#include <utility>

namespace gannet::soak {
namespace {

std::vector<unsigned> random_words(std::mt19937& random, unsigned longest) {
  std::vector<unsigned> words(random() % (longest + 1));
  for (unsigned& word : words) {
    const double x = static_cast<double>(random() % 1000) / 1000;
    word = static_cast<unsigned>(x * x * x * kWords);
  }
  return words;
}

}  // namespace

index::Schema schema() {
  return index::Schema({index::parse_field("n:u32"), index::parse_field("tag:keyword"),
                        index::parse_field("title:text:stemmer=none"),
                        index::parse_field("note:stored")});
}

index::BuildOptions build_options() {
  index::BuildOptions options;
  options.write.analyzer.stemmer = "none";
  options.write.schema = schema();
  options.write.store_text = true;
  options.threads = 2;
  return options;
}

std::string words_text(const std::vector<unsigned>& words) {
  std::string text;
  for (const unsigned word : words) {
    if (!text.empty()) text += ' ';
    text += 'w' + std::to_string(word);
  }
  return text;
}

std::string note_of(const Version& version) {
  return "version " + std::to_string(version.number) + " of " + version.id;
}

ReadyDocument::ReadyDocument(const Version& version)
    : id_(version.id), text_{index::kContentsField, keep(words_text(version.words))} {
  values_.push_back({kNumber, keep(std::to_string(version.number))});
  if (version.tag) values_.push_back({kTag, keep('t' + std::to_string(*version.tag))});
  if (!version.title.empty()) values_.push_back({kTitle, keep(words_text(version.title))});
  values_.push_back({kNote, keep(note_of(version))});
}

namespace {

struct Range : index::RawBatch {
  std::size_t first = 0, end = 0;
};

struct ReadyBatch : index::ParsedBatch {
  std::deque<ReadyDocument> documents;
  std::deque<std::string> names;
};

}  // namespace

std::unique_ptr<index::RawBatch> VersionSource::read() {
  if (next_ == documents_.size()) return nullptr;
  auto raw = std::make_unique<Range>();
  raw->first = next_;
  next_ = raw->end = std::min(next_ + 13, documents_.size());
  return raw;
}

std::unique_ptr<index::ParsedBatch> VersionSource::parse(
    std::unique_ptr<index::RawBatch> raw) const {
  const auto& range = static_cast<const Range&>(*raw);
  auto batch = std::make_unique<ReadyBatch>();
  for (std::size_t d = range.first; d < range.end; ++d) {
    const index::Document document = batch->documents.emplace_back(*documents_[d]).view();
    const std::string_view name =
        numbered_
            ? std::string_view(batch->names.emplace_back(std::to_string(documents_[d]->number)))
            : document.id;
    batch->add(name, document.fields.front().text);
    for (const index::FieldText& value : document.values) batch->add_value(value.field, value.text);
  }
  return batch;
}

VersionPointer Archive::make(std::mt19937& random, std::string id) {
  auto version = std::make_shared<Version>();
  version->id = std::move(id);
  version->words = random_words(random, random() % 4 == 0 ? 60 : 12);
  version->title = random_words(random, random() % 3 == 0 ? 0 : 5);
  if (random() % 4 != 0) version->tag = static_cast<unsigned>(random() % kTags);
  const std::lock_guard lock(mutex_);
  version->number = static_cast<std::uint32_t>(by_note_.size());
  by_note_[note_of(*version)] = version;
  return version;
}

VersionPointer Archive::find(const std::string& note) const {
  const std::lock_guard lock(mutex_);
  const auto found = by_note_.find(note);
  return found == by_note_.end() ? nullptr : found->second;
}

void take_away(Documents& documents, const std::string& id) {
  std::erase_if(documents, [&](const VersionPointer& version) { return version->id == id; });
}

void put(Documents& documents, const VersionPointer& version) {
  take_away(documents, version->id);
  documents.push_back(version);
}

bool has(const Documents& documents, const std::string& id) {
  return std::ranges::any_of(documents,
                             [&](const VersionPointer& version) { return version->id == id; });
}

}  // namespace gannet::soak
