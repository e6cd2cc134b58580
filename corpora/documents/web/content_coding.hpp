// Content codings of HTTP, undone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gannet::corpora {

/// Undoes the codings that a `Content-Encoding` lists, the last one first: gzip, deflate and zstd.
/// A body that does not begin as its coding does has been decoded already and stays as it is, and
/// one that ends too early gives what is there. `body` may be a view of `spare`. The result is
/// `body`, or a view of `spare` or `content`. What is no coding, as a charset in the wrong header
/// is, changes nothing. Throws InputError with the reason for damaged data, for codings that are
/// not undone (brotli, compress, ...), for more than four, and where more than `limit` bytes come
/// out.
std::string_view undo_codings(std::string_view codings, std::string_view body, std::size_t limit,
                              std::string& spare, std::string& content);

}  // namespace gannet::corpora
