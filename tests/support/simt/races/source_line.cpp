#include "tests/support/simt/races/source_line.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>

#include "tests/support/simt/symbols.hpp"

namespace gannet::simt {
namespace {

struct Close {
  void operator()(std::FILE* pipe) const { pclose(pipe); }
};

std::string output_of(const std::string& command) {
  const std::unique_ptr<std::FILE, Close> pipe(popen(command.c_str(), "r"));
  std::string output;
  char buffer[512];
  while (pipe != nullptr && std::fgets(buffer, sizeof buffer, pipe.get()) != nullptr) {
    output += buffer;
  }
  return output;
}

}  // namespace

std::uint32_t code_offset(const void* code) {
  static const std::uintptr_t base = program_base();
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(code) - base);
}

std::string source_line(std::uint32_t code) {
  char address[32];
  // Calls are told by where they return to.
  std::snprintf(address, sizeof address, " 0x%x", code - 1);
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::string lines = output_of("addr2line -p -i -e '" + program + '\'' + address + " 2>/dev/null");
  while (!lines.empty() && lines.back() == '\n') lines.pop_back();
  if (lines.empty() || lines.starts_with("?")) return "code at" + std::string(address);
  for (std::size_t at = 0; (at = lines.find("\n", at)) != std::string::npos; at += 3) {
    lines.insert(at + 1, "  ");
  }
  return lines;
}

}  // namespace gannet::simt
