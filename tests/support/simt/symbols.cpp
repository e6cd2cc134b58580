#include "tests/support/simt/symbols.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string_view>
#include <unordered_map>

namespace gannet::simt {
namespace {

struct Symbol {
  std::string name;
  std::uintptr_t value;
  std::size_t size;
};

/// The functions of the program by address, and its variables that each thread has of its own,
/// which is how __shared__ variables are declared.
class SymbolTable {
 public:
  static const SymbolTable& of_this_program() {
    static const SymbolTable table;
    return table;
  }

  /// The mangled names of what starts at an address.
  std::vector<std::string_view> names_at(const void* address) const;
  std::vector<Symbol> thread_variables_of(std::string_view function) const;

 private:
  SymbolTable();
  void read(const std::vector<char>& file, const ElfW(Shdr) & symbols, const ElfW(Shdr) & names);

  std::unordered_multimap<std::uintptr_t, std::string> functions_;
  std::vector<Symbol> thread_variables_;
};

template <class T>
T read_at(const std::vector<char>& file, std::size_t offset) {
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

/// Where the program was loaded, and its variables of this thread.
dl_phdr_info program() {
  dl_phdr_info found{};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<dl_phdr_info*>(result) = *info;
        return 1;  // the program comes first
      },
      &found);
  return found;
}

SymbolTable::SymbolTable() {
  std::ifstream stream("/proc/self/exe", std::ios::binary);
  const std::vector<char> file{std::istreambuf_iterator<char>(stream), {}};
  const auto header = read_at<ElfW(Ehdr)>(file, 0);
  const auto section = [&](std::size_t i) {
    return read_at<ElfW(Shdr)>(file, header.e_shoff + i * header.e_shentsize);
  };
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    if (section(i).sh_type == SHT_SYMTAB) read(file, section(i), section(section(i).sh_link));
  }
}

void SymbolTable::read(const std::vector<char>& file, const ElfW(Shdr) & symbols,
                       const ElfW(Shdr) & names) {
  for (std::size_t at = 0; at < symbols.sh_size; at += symbols.sh_entsize) {
    const auto symbol = read_at<ElfW(Sym)>(file, symbols.sh_offset + at);
    const char* const name = file.data() + names.sh_offset + symbol.st_name;
    const int type = symbol.st_info & 0xf;
    if (type == STT_FUNC) functions_.emplace(symbol.st_value, name);
    if (type == STT_TLS && symbol.st_shndx != SHN_UNDEF) {
      thread_variables_.push_back({name, symbol.st_value, symbol.st_size});
    }
  }
}

std::vector<std::string_view> SymbolTable::names_at(const void* address) const {
  const std::uintptr_t value = reinterpret_cast<std::uintptr_t>(address) - program().dlpi_addr;
  const auto [first, last] = functions_.equal_range(value);
  std::vector<std::string_view> names;
  for (auto at = first; at != last; ++at) names.push_back(at->second);
  return names;
}

/// A variable `v` in the body of a function with the mangled name _Zf is named _ZZfEv.
std::vector<Symbol> SymbolTable::thread_variables_of(std::string_view function) const {
  std::vector<Symbol> variables;
  if (!function.starts_with("_Z")) return variables;
  const std::string beginning = "_ZZ" + std::string(function.substr(2)) + 'E';
  for (const Symbol& variable : thread_variables_) {
    if (variable.name.starts_with(beginning)) variables.push_back(variable);
  }
  return variables;
}

}  // namespace

std::string kernel_name(const void* kernel) {
  for (const std::string_view mangled : SymbolTable::of_this_program().names_at(kernel)) {
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(std::string(mangled).c_str(), nullptr, nullptr, nullptr), std::free);
    if (name != nullptr) return name.get();
  }
  std::ostringstream address;
  address << kernel;
  return address.str();
}

std::vector<std::span<std::byte>> shared_variables(const void* kernel) {
  const SymbolTable& table = SymbolTable::of_this_program();
  auto* const memory = static_cast<std::byte*>(program().dlpi_tls_data);
  std::vector<std::span<std::byte>> variables;
  for (const std::string_view name : table.names_at(kernel)) {
    for (const Symbol& variable : table.thread_variables_of(name)) {
      variables.emplace_back(memory + variable.value, variable.size);
    }
  }
  return variables;
}

std::uintptr_t program_base() { return program().dlpi_addr; }

std::span<std::byte> thread_variables() {
  const dl_phdr_info info = program();
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_TLS) continue;
    return {static_cast<std::byte*>(info.dlpi_tls_data), segment.p_memsz};
  }
  return {};
}

}  // namespace gannet::simt
