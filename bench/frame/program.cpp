#include "bench/frame/program.hpp"

#include <algorithm>
#include <exception>
#include <iostream>
#include <sstream>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/error.hpp"

namespace gannet::bench {
namespace {

namespace po = boost::program_options;

std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

bool contains(const std::vector<std::string>& all, std::string_view one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

Program::Program(std::string name, const std::string& description)
    : name_(std::move(name)), report_(name_, description) {}

Program& Program::repeats(int usual) {
  repeats_ = usual;
  return option("repeats", repeats_, "timed runs, of which the median counts");
}

Program& Program::parts(std::vector<std::string> all) {
  parts_ = std::move(all);
  std::string list;
  for (const std::string& part : parts_) list += (list.empty() ? "" : ",") + part;
  options()("only", po::value(&only_)->value_name("A,B"), ("only these of " + list).c_str());
  return *this;
}

bool Program::wants(std::string_view part) const {
  return only_.empty() || contains(parts_of(only_), part);
}

void Program::check() const {
  if (repeats_ < 1) throw UsageError("--repeats must be at least 1");
  for (const std::string& part : parts_of(only_)) {
    if (!contains(parts_, part)) throw UsageError("--only has no part '" + part + "'");
  }
}

const measure::MemoryCeilings& Program::device() {
  if (has_device_) return ceilings_;
  ceilings_ = measure::measure_ceilings();
  has_device_ = true;
  report_.fact("device", codecs::cuda::device_name());
  report_.fact("copy GB/s", ceilings_.copy_bytes_per_second * 1e-9);
  report_.fact("read GB/s", ceilings_.read_bytes_per_second * 1e-9);
  report_.fact("write GB/s", ceilings_.write_bytes_per_second * 1e-9);
  for (std::size_t i = 0; i < ceilings_.mixed_bytes_per_second.size(); ++i) {
    report_.fact("1 read, " + std::to_string(1 << i) + " written GB/s",
                 ceilings_.mixed_bytes_per_second[i] * 1e-9);
  }
  return ceilings_;
}

int Program::main(int argc, char** argv, const std::function<void()>& run) {
  if (!report_.parse(argc, argv)) return report_.status();
  try {
    check();
    run();
    return report_.finish();
  } catch (const UsageError& error) {
    std::cerr << name_ << ": " << error.what() << " (see --help)\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << name_ << ": " << error.what() << '\n';
    return 1;
  }
}

}  // namespace gannet::bench
