// Writes the reference collection of RESULTS.md: synthetic posting lists with topical clustering in
// ds2i layout, and queries of terms that occur together. Deterministic for given arguments,
// whatever the number of threads.
//
//   reference_collection BASE [DOCUMENTS TERMS MAX_DF_SHARE QUERIES SEED]
//
// The defaults (25000000 200000 0.5 2000 11) give about 1.0 G postings in 8 GB. Writes BASE.docs,
// BASE.freqs, BASE.sizes and BASE.queries ("qid:term<TAB>term", terms by number).
//
// Model: documents fall into 4,096 clusters of neighbours. Term t is in MAX_DF_SHARE / (t + 1)^0.75
// of the documents, at least 8; its documents are shared out over the clusters by log-normal
// weights (sigma 1.5), scattered evenly within one, and its frequencies are geometric, larger where
// its weight is. Lengths are log-normal. A query picks a cluster and takes, for each word, the
// likeliest in it of twelve random terms.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "bench/collection_random.hpp"

namespace {

using Random = gannet::bench::CollectionRandom;
using gannet::corpora::mix64;

constexpr std::uint32_t kClusters = 4096;

struct Parameters {
  std::string base;
  std::uint64_t documents = 25'000'000;
  std::uint32_t terms = 200'000;
  double max_share = 0.5;
  std::uint32_t queries = 2'000;
  std::uint64_t seed = 11;
};

struct List {
  std::vector<std::uint32_t> docids, freqs;
};

/// How much more often than elsewhere the term occurs in the cluster.
double weight(std::uint64_t seed, std::uint32_t term, std::uint32_t cluster) {
  Random random{mix64(seed ^ (std::uint64_t{term} << 20) ^ cluster)};
  return std::exp(1.5 * random.normal());
}

double wanted_frequency(const Parameters& p, std::uint32_t term) {
  return std::max(8.0, p.max_share * static_cast<double>(p.documents) / std::pow(term + 1.0, 0.75));
}

/// Documents [low, high) of a cluster, each with probability p: geometric steps from one to the
/// next.
void scatter(Random& random, std::uint64_t low, std::uint64_t high, double p, double cluster_weight,
             List& list) {
  const double log_absent = std::log1p(-p);
  const double stop = std::min(1 / (1.4 + 0.6 * std::log1p(cluster_weight)), 0.95);
  const double log_more = std::log1p(-stop);
  double place = static_cast<double>(low) + std::floor(std::log(random.unit()) / log_absent);
  while (place < static_cast<double>(high)) {
    list.docids.push_back(static_cast<std::uint32_t>(place));
    const double extra = std::min(200.0, std::floor(std::log(random.unit()) / log_more));
    list.freqs.push_back(1 + static_cast<std::uint32_t>(extra));
    place += 1 + std::floor(std::log(random.unit()) / log_absent);
  }
}

List make_list(const Parameters& p, std::uint32_t term) {
  const double df = wanted_frequency(p, term);
  std::vector<double> weights(kClusters);
  double sum = 0;
  for (std::uint32_t c = 0; c < kClusters; ++c) sum += weights[c] = weight(p.seed, term, c);
  Random random{mix64(p.seed * 31 + term)};
  List list;
  for (std::uint32_t c = 0; c < kClusters; ++c) {
    const std::uint64_t low = p.documents * c / kClusters;
    const std::uint64_t high = p.documents * (c + 1) / kClusters;
    const double share = std::min(0.9, df * weights[c] / sum / static_cast<double>(high - low));
    if (share >= 1e-12) scatter(random, low, high, share, weights[c], list);
  }
  if (list.docids.empty()) list = {{static_cast<std::uint32_t>(mix64(term) % p.documents)}, {1}};
  return list;
}

std::vector<List> make_lists(const Parameters& p) {
  std::vector<List> lists(p.terms);
  std::atomic<std::uint32_t> next{0};
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) {
    workers.emplace_back([&] {
      for (std::uint32_t term; (term = next++) < p.terms;) lists[term] = make_list(p, term);
    });
  }
  for (std::thread& worker : workers) worker.join();
  return lists;
}

void write_sequence(std::ofstream& file, const std::vector<std::uint32_t>& values) {
  const auto length = static_cast<std::uint32_t>(values.size());
  file.write(reinterpret_cast<const char*>(&length), sizeof length);
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(std::uint32_t)));
}

std::ofstream open(const Parameters& p, const char* ending) {
  std::ofstream file(p.base + ending, std::ios::binary);
  file.exceptions(std::ios::badbit | std::ios::failbit);
  return file;
}

std::uint64_t write_lists(const Parameters& p, const std::vector<List>& lists) {
  std::ofstream docs = open(p, ".docs");
  std::ofstream freqs = open(p, ".freqs");
  std::uint64_t postings = 0;
  write_sequence(docs, {static_cast<std::uint32_t>(p.documents)});
  for (const List& list : lists) {
    write_sequence(docs, list.docids);
    write_sequence(freqs, list.freqs);
    postings += list.docids.size();
  }
  return postings;
}

void write_sizes(const Parameters& p) {
  std::vector<std::uint32_t> sizes(p.documents);
  Random random{mix64(p.seed + 99)};
  for (auto& size : sizes) {
    size = static_cast<std::uint32_t>(
        std::clamp(std::exp(6.2 + 0.9 * random.normal()), 20.0, 50000.0));
  }
  std::ofstream file = open(p, ".sizes");
  write_sequence(file, sizes);
}

std::uint32_t query_length(Random& random) {
  constexpr std::array kShares = {.25, .32, .22, .12, .09};
  double left = random.unit();
  std::uint32_t length = 1;
  while (length < kShares.size() && left > kShares[length - 1]) left -= kShares[length++ - 1];
  return length;
}

std::uint32_t likely_term(const Parameters& p, Random& random, std::uint32_t cluster) {
  std::uint32_t best = 0;
  double best_weight = -1;
  for (int i = 0; i < 12; ++i) {
    const double rank = std::pow(p.terms, random.unit()) - 1;
    const auto term = static_cast<std::uint32_t>(std::min<double>(p.terms - 1, rank));
    const double w = weight(p.seed, term, cluster);
    if (w > best_weight) {
      best_weight = w;
      best = term;
    }
  }
  return best;
}

void write_queries(const Parameters& p) {
  std::ofstream file = open(p, ".queries");
  Random random{mix64(p.seed + 7)};
  for (std::uint32_t q = 0; q < p.queries; ++q) {
    const std::uint32_t length = query_length(random);
    const auto cluster = static_cast<std::uint32_t>(random.next() % kClusters);
    std::vector<std::uint32_t> terms;
    for (std::uint32_t i = 0; i < length; ++i) {
      const std::uint32_t term = likely_term(p, random, cluster);
      if (std::find(terms.begin(), terms.end(), term) == terms.end()) terms.push_back(term);
    }
    file << q << ':';
    for (std::size_t i = 0; i < terms.size(); ++i) file << (i > 0 ? "\t" : "") << terms[i];
    file << '\n';
  }
}

Parameters parse(int count, char** arguments) {
  if (count != 2 && count != 7) {
    throw std::runtime_error(
        "usage: reference_collection BASE [DOCUMENTS TERMS MAX_DF_SHARE QUERIES SEED]");
  }
  Parameters p;
  p.base = arguments[1];
  if (count == 2) return p;
  p.documents = std::stoull(arguments[2]);
  p.terms = static_cast<std::uint32_t>(std::stoul(arguments[3]));
  p.max_share = std::stod(arguments[4]);
  p.queries = static_cast<std::uint32_t>(std::stoul(arguments[5]));
  p.seed = std::stoull(arguments[6]);
  if (p.documents < kClusters || p.documents > 0xffffffffu || p.terms == 0) {
    throw std::runtime_error("DOCUMENTS must be 4096 .. 2^32 - 1, TERMS at least 1");
  }
  return p;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const Parameters p = parse(count, arguments);
    const std::uint64_t postings = write_lists(p, make_lists(p));
    write_sizes(p);
    write_queries(p);
    std::cerr << p.documents << " documents, " << p.terms << " terms, " << postings
              << " postings\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "reference_collection: " << error.what() << '\n';
    return 2;
  }
}
