// A folder that all writers of the process write to through a file layer that can fail, and crash.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "tests/support/index/fault_file_system.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::soak {

class Disk {
 public:
  Disk() = default;

  const std::filesystem::path& path() const { return folder_.path(); }
  test::FaultFileSystem& faults() { return faults_; }
  std::size_t operations() const { return faults_.log().size(); }

  /// A disk with what is left of this one if the power fails after `count` operations.
  std::unique_ptr<Disk> crashed(std::size_t count, test::Crash crash, unsigned seed) const {
    auto disk = std::make_unique<Disk>();
    test::write_crashed(faults_.log(), count, crash, seed, disk->path());
    disk->faults_.begin_anew();
    return disk;
  }

 private:
  test::TemporaryDirectory folder_;
  test::FaultFileSystem faults_{folder_.path()};
};

}  // namespace gannet::soak
