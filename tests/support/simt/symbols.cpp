#include "tests/support/simt/symbols.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string_view>
#include <unordered_map>

namespace gannet::simt {
namespace {

using Symbol = ElfW(Sym);
using Section = ElfW(Shdr);

/// The program's symbols, as the linker has written them.
class SymbolTable {
 public:
  static const SymbolTable& of_this_program() {
    static const SymbolTable table;
    return table;
  }

  /// The mangled names of what starts at an address.
  std::vector<std::string_view> names_at(const void* address) const;
  /// The variables in a function's body that each thread has of its own, which is how __shared__
  /// variables are declared.
  std::vector<Symbol> thread_variables_of(std::string_view function) const;

 private:
  SymbolTable();
  std::string_view name_of(const Symbol& symbol) const { return names_.data() + symbol.st_name; }

  std::vector<Symbol> symbols_;
  std::vector<char> names_;
};

template <class T>
std::vector<T> read(std::ifstream& file, std::size_t offset, std::size_t count) {
  std::vector<T> values(count);
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(count * sizeof(T)));
  return values;
}

int type_of(const Symbol& symbol) { return symbol.st_info & 0xf; }

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
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const auto header = read<ElfW(Ehdr)>(file, 0, 1).front();
  const auto sections = read<Section>(file, header.e_shoff, header.e_shnum);
  for (const Section& section : sections) {
    if (section.sh_type != SHT_SYMTAB) continue;
    const Section& names = sections[section.sh_link];
    symbols_ = read<Symbol>(file, section.sh_offset, section.sh_size / sizeof(Symbol));
    names_ = read<char>(file, names.sh_offset, names.sh_size);
  }
}

std::vector<std::string_view> SymbolTable::names_at(const void* address) const {
  const std::uintptr_t value = reinterpret_cast<std::uintptr_t>(address) - program_base();
  std::vector<std::string_view> names;
  for (const Symbol& symbol : symbols_) {
    if (type_of(symbol) == STT_FUNC && symbol.st_value == value) names.push_back(name_of(symbol));
  }
  return names;
}

/// A variable `v` in the body of a function with the mangled name _Zf is named _ZZfEv.
std::vector<Symbol> SymbolTable::thread_variables_of(std::string_view function) const {
  std::vector<Symbol> variables;
  if (!function.starts_with("_Z")) return variables;
  const std::string beginning = "_ZZ" + std::string(function.substr(2)) + 'E';
  for (const Symbol& symbol : symbols_) {
    if (type_of(symbol) == STT_TLS && symbol.st_shndx != SHN_UNDEF &&
        name_of(symbol).starts_with(beginning)) {
      variables.push_back(symbol);
    }
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
  static thread_local std::unordered_map<const void*, std::vector<std::span<std::byte>>> known;
  const auto [at, is_new] = known.try_emplace(kernel);
  if (!is_new) return at->second;
  const SymbolTable& table = SymbolTable::of_this_program();
  auto* const memory = static_cast<std::byte*>(program().dlpi_tls_data);
  for (const std::string_view name : table.names_at(kernel)) {
    for (const Symbol& variable : table.thread_variables_of(name)) {
      at->second.emplace_back(memory + variable.st_value, variable.st_size);
    }
  }
  return at->second;
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
