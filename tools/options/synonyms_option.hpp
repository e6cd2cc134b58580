// What --synonyms says, and the argument synonyms of Python.
#pragma once

#include <memory>
#include <string>

#include "query/plan/synonyms.hpp"

namespace gannet::tools {

/// Reads a file of synonyms for an index. Throws what parse_synonyms() throws, and IoError.
std::shared_ptr<const query::Synonyms> read_synonyms(const std::string& path,
                                                     const index::Index& index);

/// Which entries of the file could not be used, as a sentence; empty if all could.
std::string left_out_text(const query::Synonyms& synonyms, const std::string& path);

}  // namespace gannet::tools
