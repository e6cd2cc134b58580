#include "tests/soak/model/snapshot.hpp"

#include <string>

namespace gannet::soak {
namespace {

VersionPointer read_document(const index::Index& index, const Archive& archive,
                             index::Docid docid) {
  const std::string where = "docid " + std::to_string(docid);
  const std::string note = index.stored_field(kNote, docid).value_or("nothing");
  VersionPointer version = archive.find(note);
  if (version == nullptr) throw Failure(where + ": '" + note + "' was never written");
  if (index.document_id(docid) != version->id) {
    throw Failure(where + ": " + note + " has the id " + index.document_id(docid));
  }
  const std::string text = index.stored_text(docid).value_or("nothing");
  if (text != words_text(version->words)) {
    throw Failure(where + ": " + note + " has the text '" + text + "', not '" +
                  words_text(version->words) + "'");
  }
  return version;
}

}  // namespace

Documents Snapshot::alive() const {
  Documents alive;
  for (std::size_t d = 0; d < documents.size(); ++d) {
    if (live[d]) alive.push_back(documents[d]);
  }
  return alive;
}

Snapshot read_snapshot(const index::Index& index, const Archive& archive) {
  Snapshot snapshot;
  for (index::Docid d = 0; d < index.statistics().documents; ++d) {
    const VersionPointer version = read_document(index, archive, d);
    snapshot.documents.push_back(version);
    snapshot.live.push_back(index.is_live(d));
    if (snapshot.live.back() && index.find_document(version->id) != d) {
      throw Failure(note_of(*version) + " is docid " + std::to_string(d) +
                    ", and is not found by its id");
    }
  }
  return snapshot;
}

void expect_documents(const Documents& found, const Documents& expected) {
  for (std::size_t d = 0; d < std::max(found.size(), expected.size()); ++d) {
    const std::string here = d < found.size() ? note_of(*found[d]) : "nothing";
    const std::string there = d < expected.size() ? note_of(*expected[d]) : "nothing";
    if (here == there) continue;
    throw Failure("the index has " + std::to_string(found.size()) + " documents, " +
                  std::to_string(expected.size()) + " were written; number " + std::to_string(d) +
                  " is " + here + ", not " + there);
  }
}

}  // namespace gannet::soak
