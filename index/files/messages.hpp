// Errors about the files of an index: what, where, and what to do next.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace gannet::index {

/// Throws DamageError: "PATH: WHAT; ... `gannet repair` ... or rebuild ...".
[[noreturn]] void fail_format(const std::filesystem::path& path, const std::string& what);

/// What to do about damage; ends the messages of DamageErrors.
inline constexpr std::string_view kDamageAdvice =
    "`gannet repair` saves what is whole; or restore the index from a backup, or rebuild it with "
    "`gannet index`";

/// Such a message without its advice, for lists that give it once; others as they are.
std::string_view without_advice(std::string_view message);

/// Throws VersionError: the file has format `version`, this program reads kFormatVersion.
[[noreturn]] void fail_version(const std::filesystem::path& path, std::uint64_t version);

/// A term or name as it can stand in one line: control characters become '?', a long one is cut.
std::string printable(std::string_view text);

}  // namespace gannet::index
