// Files that commands and the Python package write: none is replaced unasked.
#pragma once

#include <string>

#include "index/files/atomic_file.hpp"

namespace gannet::tools {

/// "-" for every name of stdout (/dev/stdout, a link to it), else `path`.
std::string output_name(const std::string& path);

/// Throws ExistsError if `path` is there already and may not be replaced, UsageError if it is no
/// regular file.
void check_file_output(const std::string& path, bool overwrite);

/// The same for text, which "-", pipes and devices take, too. Every output of every command is
/// checked by one of these three, or is a folder whose --overwrite is checked by what writes it.
void check_text_output(const std::string& path, bool overwrite);

/// The same for a collection in the format of ds2i: throws if any of its files is there. What is no
/// regular file is told by what writes them.
void check_ds2i_output(const std::string& base, bool overwrite);

/// What becomes of a file that appears under an output's name meanwhile.
inline index::Existing existing_output(bool overwrite) {
  return overwrite ? index::Existing::kReplace : index::Existing::kKeep;
}

}  // namespace gannet::tools
