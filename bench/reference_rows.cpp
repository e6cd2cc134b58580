// Writes the columns of the reference collection (reference_collection.cpp), to be joined to its
// documents by row: a CSV file with a header. Deterministic for given arguments.
//
//   reference_rows FILE.csv [DOCUMENTS SEED]
//
// The defaults (25000000 12) give 0.8 GB. The columns:
//
//   k100     keyword of 100 values, "c00" to "c99", uniform
//   k100000  keyword of 100,000 values, "v00000" to "v99999", uniform
//   u        uniform 32-bit number without sign
//   day      date of the 20 years from 2004-01-01 on: in proportion to the docid, and up to 6 days
//            earlier or later (the sum of three uniform numbers from -2 to 2)
//
//   gannet index --input BASE --format ds2i --output IDX --rows FILE.csv --field k100:keyword
//                --field k100000:keyword --field u:u32 --field day:date
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/collection_random.hpp"

namespace {

using Random = gannet::bench::CollectionRandom;
using gannet::corpora::mix64;

constexpr int kNoise = 6;
/// From 2004-01-01 to 2023-12-31.
constexpr std::uint32_t kDays = 7305;

struct Parameters {
  std::string path;
  std::uint64_t documents = 25'000'000;
  std::uint64_t seed = 12;
};

/// `2004-01-01` and so on, kNoise days longer on either side.
std::vector<std::array<char, 10>> day_names() {
  using std::chrono::year;
  const std::chrono::sys_days first = year{2004} / std::chrono::January / 1;
  std::vector<std::array<char, 10>> names;
  for (int day = -kNoise; day < static_cast<int>(kDays) + kNoise; ++day) {
    const std::chrono::year_month_day date{first + std::chrono::days(day)};
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()) % 100, static_cast<unsigned>(date.day()));
    std::copy_n(text.begin(), 10, names.emplace_back().begin());
  }
  return names;
}

/// A file written in large pieces. Errors are thrown.
class Writer {
 public:
  explicit Writer(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
    if (!file_) fail();
    buffer_.reserve(kBytes + 256);
  }

  std::string& line() {
    if (buffer_.size() >= kBytes) flush();
    return buffer_;
  }
  void close() {
    flush();
    if (std::fclose(file_.release()) != 0) fail();
  }

 private:
  static constexpr std::size_t kBytes = std::size_t{1} << 20;
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void flush() {
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size()) fail();
    buffer_.clear();
  }
  [[noreturn]] void fail() const { throw std::runtime_error(path_ + ": cannot be written"); }

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string buffer_;
};

/// The number with zeros before it.
void append_digits(std::string& line, std::uint64_t number, std::size_t digits) {
  line.append(digits, '0');
  for (auto at = line.rbegin(); number != 0; ++at, number /= 10) {
    *at = static_cast<char>('0' + number % 10);
  }
}

void append_number(std::string& line, std::uint64_t number) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  line.append(digits.data(), end);
}

void write_rows(const Parameters& p) {
  const std::vector<std::array<char, 10>> days = day_names();
  Writer file(p.path);
  file.line() += "k100,k100000,u,day\n";
  Random random{mix64(p.seed)};
  for (std::uint64_t i = 0; i < p.documents; ++i) {
    std::string& line = file.line();
    line += 'c';
    append_digits(line, random.next() % 100, 2);
    line += ",v";
    append_digits(line, random.next() % 100'000, 5);
    line += ',';
    append_number(line, random.next() >> 32);
    line += ',';
    const std::uint64_t noise = random.next() % 5 + random.next() % 5 + random.next() % 5;
    const auto& day = days[i * kDays / p.documents + noise];
    line.append(day.data(), day.size());
    line += '\n';
  }
  file.close();
}

Parameters parse(int count, char** arguments) {
  if (count != 2 && count != 4) {
    throw std::runtime_error("usage: reference_rows FILE.csv [DOCUMENTS SEED]");
  }
  Parameters p;
  p.path = arguments[1];
  if (count == 2) return p;
  p.documents = std::stoull(arguments[2]);
  p.seed = std::stoull(arguments[3]);
  if (p.documents == 0 || p.documents > 0xffffffffu) {
    throw std::runtime_error("DOCUMENTS must be 1 .. 2^32 - 1");
  }
  return p;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    write_rows(parse(count, arguments));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "reference_rows: " << error.what() << '\n';
    return 2;
  }
}
