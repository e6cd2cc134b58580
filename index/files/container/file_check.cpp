#include "index/files/container/file_check.hpp"

#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include <algorithm>

namespace gannet::index {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{16} << 20;

/// Order of the problems of one file: that of the whole first, sections next, meaning last.
enum ProblemOrder : std::uint64_t { kLength, kWhole, kContainer, kPadding, kFirstSection };

std::uint64_t checksum(std::span<const std::byte> bytes, Progress& progress) {
  Hasher hasher;
  while (!bytes.empty()) {
    const auto chunk = bytes.first(std::min(kChunkBytes, bytes.size()));
    hasher.update(chunk);
    progress.add(chunk.size());
    bytes = bytes.subspan(chunk.size());
  }
  return hasher.digest();
}

class FileCheck {
 public:
  FileCheck(const std::filesystem::path& path, const MappedFile& file, std::uint32_t area,
            ProblemList& problems, Progress& progress)
      : path_(path), file_(file), area_(area), problems_(problems), progress_(progress) {}

  void check_whole(const FileSummary& expected) {
    const auto bytes = file_.bytes();
    if (bytes.size() != expected.length) {
      report(kLength, "it has " + std::to_string(bytes.size()) + " bytes, the manifest says " +
                          std::to_string(expected.length));
    }
    if (checksum(bytes, progress_) != expected.checksum) {
      report(kWhole, "its checksum is not that of the manifest");
    }
  }

  void check_sections(FileKind kind) {
    try {
      const ContainerReader file(path_, file_, kind);
      if (!file.blocks()->checksums_are_sound()) {
        report(kPadding, "the checksums of its blocks are damaged");
      }
      if (!file.padding_is_zero()) report(kPadding, "the bytes between sections are not all 0");
      tbb::parallel_for(std::size_t{0}, file.sections().size(), [&](std::size_t i) {
        const SectionRow& row = file.sections()[i];
        if (checksum(file.content(row), progress_) == row.checksum) return;
        report(kFirstSection + i, "section '" + to_string(row.id) + "': the checksum is wrong");
      });
    } catch (const CancelledError&) {
      throw;
    } catch (const Error& error) {
      problems_.add(area_, kContainer, error.what());
    }
  }

 private:
  void report(std::uint64_t place, const std::string& what) {
    problems_.add(area_, place, path_.filename().string() + ": " + what);
  }

  const std::filesystem::path& path_;
  const MappedFile& file_;
  std::uint32_t area_;
  ProblemList& problems_;
  Progress& progress_;
};

}  // namespace

void check_file(const std::filesystem::path& path, const MappedFile& file, const FileKind* kind,
                const FileSummary& expected, std::uint32_t area, ProblemList& problems,
                Progress& progress) {
  FileCheck check(path, file, area, problems, progress);
  if (kind == nullptr) return check.check_whole(expected);
  tbb::parallel_invoke([&] { check.check_whole(expected); }, [&] { check.check_sections(*kind); });
}

}  // namespace gannet::index
