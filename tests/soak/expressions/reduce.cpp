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
    simplify();  // needs no other index
    std::size_t before = 0;
    do {
      before = smallest_.collection.documents.size();
      remove_documents();
      make_plain();
      simplify();
    } while (smallest_.collection.documents.size() < before && !over());
    return std::move(smallest_);
  }

 private:
  bool over() const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    return passed.count() > seconds_;
  }

  bool accept(Collection collection) {
    if (over() || collection.documents.empty()) return false;
    Compared ignored;
    const auto difference = Comparison(collection, backend_).run({smallest_.question}, 1, ignored);
    if (!difference) return false;
    smallest_.collection = std::move(collection);
    smallest_.what = difference->what;
    return true;
  }

  /// Chunks of documents, each half as long as before.
  void remove_documents() {
    for (std::size_t chunk = smallest_.collection.documents.size() / 2; chunk > 0; chunk /= 2) {
      std::size_t begin = 0;
      while (!over() && begin < smallest_.collection.documents.size()) {
        if (!accept(without(smallest_.collection, begin, begin + chunk))) begin += chunk;
      }
    }
  }

  /// One segment, and nothing deleted, if that will do.
  void make_plain() {
    Collection one = smallest_.collection;
    one.ends = {one.documents.size()};
    if (smallest_.collection.ends.size() > 1) accept(one);
    Collection whole = smallest_.collection;
    for (Document& document : whole.documents) document.deleted = false;
    accept(std::move(whole));
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
    const Comparison comparison(smallest_.collection, backend_);
    for (bool smaller = true; smaller && !over();) {
      smaller = false;
      for (Question& question : simpler(smallest_.question)) {
        Compared ignored;
        const auto difference = comparison.run({question}, 1, ignored);
        if (!difference) continue;
        smallest_.question = std::move(question);
        smallest_.what = difference->what;
        smaller = true;
        break;
      }
    }
  }

  Reduced smallest_;
  query::BackendChoice backend_;
  double seconds_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

std::optional<Reduced> reduce(const Collection& collection, const Question& question,
                              query::BackendChoice backend, double seconds) {
  Compared ignored;
  auto difference = Comparison(collection, backend).run({question}, 1, ignored);
  if (!difference) return {};
  return Reduction({collection, question, std::move(difference->what)}, backend, seconds).run();
}

}  // namespace gannet::oracle
