// Writes a collection as learned sparse models make them (SPLADE, uniCOIL): vectors of 8-bit
// impacts, and queries of weighted terms. Deterministic for given arguments, whatever the number of
// threads.
//
//   learned_sparse_collection FOLDER [DOCUMENTS QUERIES VOCABULARY SEED]
//
// The defaults (1000000 10000 30000 11) give about 0.12 G postings in 1.6 GB. Writes
// FOLDER/documents-NN.jsonl ({"id", "vector"}, the format json-vectors of gannet index) and
// FOLDER/queries.jsonl.
//
// Model: what such models share, not any one of them. Documents have 60 to 240 distinct terms, 120
// on average. Document frequencies follow Zipf's law with an exponent below that of words (0.65),
// since expansion evens them out. Half of a document's terms are those of one of 4,096 topics;
// neighbouring documents share topics often. Impacts are 1 to 255, exponential, and larger for the
// terms of the topic. A query has 20 to 60 terms, picked as a document's are, with weights of the
// same kind.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/collection_random.hpp"

namespace {

using Random = gannet::bench::CollectionRandom;
using gannet::corpora::mix64;

namespace fs = std::filesystem;

constexpr std::uint64_t kDocumentsPerFile = 50'000;
constexpr std::uint32_t kTopics = 4096;
constexpr std::uint32_t kTopicTerms = 400;
constexpr double kZipf = 0.65;
constexpr double kTopicZipf = 0.4;
constexpr std::uint32_t kMaxImpact = 255;

struct Parameters {
  fs::path folder;
  std::uint64_t documents = 1'000'000;
  std::uint64_t queries = 10'000;
  std::uint32_t vocabulary = 30'000;
  std::uint64_t seed = 11;
};

struct Weighted {
  std::uint32_t term, impact;
};

/// A term with a probability that falls with its number as Zipf's law has it: the inverse of the
/// continuous distribution at `share`, in (0, 1).
std::uint32_t zipf_term(const Parameters& p, double exponent, double share) {
  const double rank = std::pow(share, 1 / (1 - exponent)) * p.vocabulary;
  return std::min(p.vocabulary - 1, static_cast<std::uint32_t>(rank));
}

/// One of a topic's terms; the first of them are its usual ones.
std::uint32_t topic_term(const Parameters& p, std::uint32_t topic, Random& random) {
  const auto i = static_cast<std::uint64_t>(random.unit() * random.unit() * kTopicTerms);
  Random of_term{mix64(p.seed ^ (std::uint64_t{topic} << 20) ^ i)};
  return zipf_term(p, kTopicZipf, of_term.unit());
}

std::uint32_t impact(Random& random, bool of_topic) {
  const double drawn = -std::log(random.unit()) * (of_topic ? 55 : 25);
  return 1 + static_cast<std::uint32_t>(std::min<double>(kMaxImpact - 1, drawn));
}

/// Distinct terms, `share` of them the topic's, in ascending order.
std::vector<Weighted> make_vector(const Parameters& p, std::uint32_t topic, std::size_t length,
                                  double share, Random& random) {
  std::vector<Weighted> terms;
  // Some draws give terms that are there already: a few more rounds fill up.
  for (int round = 0; round < 8 && terms.size() < length; ++round) {
    while (terms.size() < length) {
      const bool of_topic = random.unit() < share;
      const std::uint32_t term =
          of_topic ? topic_term(p, topic, random) : zipf_term(p, kZipf, random.unit());
      terms.push_back({term, impact(random, of_topic)});
    }
    const auto by_term = [](const Weighted& a, const Weighted& b) { return a.term < b.term; };
    const auto same = [](const Weighted& a, const Weighted& b) { return a.term == b.term; };
    std::stable_sort(terms.begin(), terms.end(), by_term);
    terms.erase(std::unique(terms.begin(), terms.end(), same), terms.end());
  }
  return terms;
}

void append(const std::string& id, const std::vector<Weighted>& terms, std::string& text) {
  text += "{\"id\": \"" + id + "\", \"vector\": {";
  for (std::size_t i = 0; i < terms.size(); ++i) {
    text += (i > 0 ? ", \"t" : "\"t") + std::to_string(terms[i].term);
    text += "\": " + std::to_string(terms[i].impact);
  }
  text += "}}\n";
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file.exceptions(std::ios::badbit | std::ios::failbit);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
}

std::string document(const Parameters& p, std::uint64_t number) {
  Random random{mix64(p.seed * 31 + number)};
  const auto neighbourhood = number * kTopics / p.documents;
  const bool stays = random.unit() < 0.7;
  const auto topic = static_cast<std::uint32_t>(stays ? neighbourhood : random.next() % kTopics);
  const double length = std::clamp(std::exp(4.75 + 0.25 * random.normal()), 60.0, 240.0);
  std::string line;
  append(std::to_string(number),
         make_vector(p, topic, static_cast<std::size_t>(length), 0.5, random), line);
  return line;
}

/// A file a task: the threads share the numbers of files.
std::uint64_t write_documents(const Parameters& p) {
  const std::uint64_t files = (p.documents + kDocumentsPerFile - 1) / kDocumentsPerFile;
  std::atomic<std::uint64_t> next{0};
  std::vector<std::thread> workers;
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<bool> failed{false};
  const auto work = [&] {
    for (std::uint64_t file; !failed && (file = next++) < files;) {
      std::string text;
      const std::uint64_t end = std::min(p.documents, (file + 1) * kDocumentsPerFile);
      for (std::uint64_t d = file * kDocumentsPerFile; d < end; ++d) text += document(p, d);
      const std::string name = std::to_string(100'000 + file).substr(1);
      try {
        write(p.folder / ("documents-" + name + ".jsonl"), text);
      } catch (const std::exception&) {
        failed = true;
      }
      bytes += text.size();
    }
  };
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) {
    workers.emplace_back(work);
  }
  for (std::thread& worker : workers) worker.join();
  if (failed) throw std::runtime_error("cannot write into " + p.folder.string() + "; is it full?");
  return bytes;
}

void write_queries(const Parameters& p) {
  std::string text;
  for (std::uint64_t q = 0; q < p.queries; ++q) {
    Random random{mix64(p.seed * 17 + q) ^ 0x5bd1e995};
    const auto topic = static_cast<std::uint32_t>(random.next() % kTopics);
    const std::size_t length = 20 + random.next() % 41;
    append(std::to_string(q), make_vector(p, topic, length, 0.6, random), text);
  }
  write(p.folder / "queries.jsonl", text);
}

Parameters parse(int count, char** arguments) {
  if (count != 2 && count != 6) {
    throw std::runtime_error(
        "usage: learned_sparse_collection FOLDER [DOCUMENTS QUERIES VOCABULARY SEED]");
  }
  Parameters p;
  p.folder = arguments[1];
  if (count == 6) {
    p.documents = std::stoull(arguments[2]);
    p.queries = std::stoull(arguments[3]);
    p.vocabulary = static_cast<std::uint32_t>(std::stoul(arguments[4]));
    p.seed = std::stoull(arguments[5]);
  }
  if (p.documents == 0 || p.documents > 0xffffffffu || p.vocabulary < 1000) {
    throw std::runtime_error("DOCUMENTS must be 1 .. 2^32 - 1, VOCABULARY at least 1000");
  }
  return p;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const Parameters p = parse(count, arguments);
    fs::create_directories(p.folder);
    const std::uint64_t bytes = write_documents(p);
    write_queries(p);
    std::cerr << p.documents << " documents in " << bytes << " bytes, " << p.queries
              << " queries\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "learned_sparse_collection: " << error.what() << '\n';
    return 2;
  }
}
