// Making a question and a collection smaller, as long as they show a difference.
#include <algorithm>
#include <chrono>
#include <utility>

#include "tests/soak/expressions/comparison.hpp"

namespace gannet::oracle {
namespace {

class Reduction {
 public:
  Reduction(Reduced smallest, query::BackendChoice backend, double seconds)
      : smallest_(std::move(smallest)), backend_(backend), seconds_(seconds) {}

  Reduced run() {
    // Fewer documents make each try of a simpler question cheaper.
    do {
      changed_ = false;
      remove_documents();
      simplify();
    } while (changed_ && !over());
    return std::move(smallest_);
  }

 private:
  bool over() const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    return passed.count() > seconds_;
  }

  bool accept(const Collection& collection, const Question& question) {
    Compared ignored;
    auto difference = compare(collection, {question}, backend_, 1, ignored);
    if (!difference) return false;
    smallest_ = {collection, question, std::move(difference->what)};
    changed_ = true;
    return true;
  }

  /// Chunks of documents, each half as long as before.
  void remove_documents() {
    for (std::size_t chunk = smallest_.collection.documents.size() / 2; chunk > 0; chunk /= 2) {
      std::size_t begin = 0;
      while (!over() && begin < smallest_.collection.documents.size()) {
        Collection fewer = without(smallest_.collection, begin, begin + chunk);
        if (fewer.documents.empty() || !accept(fewer, smallest_.question)) begin += chunk;
      }
    }
    Collection one = smallest_.collection;
    one.ends = {one.documents.size()};
    if (!over() && smallest_.collection.ends.size() > 1) accept(one, smallest_.question);
    Collection none_deleted = smallest_.collection;
    for (Document& document : none_deleted.documents) document.deleted = false;
    if (!over()) accept(none_deleted, smallest_.question);
    changed_ = false;
  }

  static Collection without(const Collection& collection, std::size_t begin, std::size_t end) {
    Collection fewer = collection;
    end = std::min(end, fewer.documents.size());
    const auto at = [&](std::size_t i) {
      return fewer.documents.begin() + static_cast<std::ptrdiff_t>(i);
    };
    fewer.documents.erase(at(begin), at(end));
    for (std::size_t& last : fewer.ends) {
      if (last > begin) last -= std::min(last, end) - begin;
    }
    std::erase(fewer.ends, 0u);
    fewer.ends.erase(std::unique(fewer.ends.begin(), fewer.ends.end()), fewer.ends.end());
    return fewer;
  }

  void simplify() {
    bool smaller = true;
    while (smaller && !over()) {
      smaller = false;
      for (const Question& question : simpler(smallest_.question)) {
        if (over() || !accept(smallest_.collection, question)) continue;
        smaller = true;
        break;
      }
    }
  }

  Reduced smallest_;
  query::BackendChoice backend_;
  double seconds_;
  bool changed_ = false;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

std::optional<Reduced> reduce(const Collection& collection, const Question& question,
                              query::BackendChoice backend, double seconds) {
  Compared ignored;
  auto difference = compare(collection, {question}, backend, 1, ignored);
  if (!difference) return {};
  return Reduction({collection, question, std::move(difference->what)}, backend, seconds).run();
}

}  // namespace gannet::oracle
