// The frame of a program of bench/: options, facts of the machine, errors, the exit status.
//
//   int main(int argc, char** argv) {
//     Settings settings;
//     Program program("bench_cuda_x", "Rebuilds ...");
//     program.repeats(25).parts({"5", "7"}).option("values", settings.values, "values a column");
//     return program.main(argc, argv, [&] { run(program, settings); });
//   }
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/frame/report.hpp"
#include "tools/measure/device/ceilings.hpp"

namespace gannet::bench {

class Program {
 public:
  Program(std::string name, const std::string& description);

  /// Adds --repeats, of which `usual` is the default.
  Program& repeats(int usual);
  /// Adds --only, a list of these parts with commas in between; all of them without it.
  Program& parts(std::vector<std::string> all);
  /// Adds an option with a value; what the value is now, is its default.
  template <class T>
  Program& option(const char* name, T& value, const char* what) {
    options()(name, boost::program_options::value(&value)->default_value(value), what);
    return *this;
  }
  /// Adds options in Boost's own way.
  boost::program_options::options_description_easy_init options() {
    return report_.options().add_options();
  }

  /// Parses the command line, runs, and prints what there is to report; returns the exit status: 0,
  /// 1 after an exception (an output that is not what it should be is one), 2 for a wrong command
  /// line.
  int main(int argc, char** argv, const std::function<void()>& run);

  Report& report() { return report_; }
  int repeats() const { return repeats_; }
  bool wants(std::string_view part) const;

  /// Names the device and measures its memory's ceilings, once: facts of the report.
  const measure::MemoryCeilings& device();

 private:
  void check() const;

  std::string name_;
  Report report_;
  int repeats_ = 1;
  std::vector<std::string> parts_;
  std::string only_;
  measure::MemoryCeilings ceilings_;
  bool has_device_ = false;
};

}  // namespace gannet::bench
