// URLs as texts whose order keeps sites together.
#pragma once

#include <string>
#include <string_view>

namespace gannet::index {

/// A text by whose bytes URLs sort as their hosts do from the last label to the first
/// (org.example.www), then by port, then by what follows the host. The scheme, a user's name, and
/// the ports 80 and 443 make no difference, nor does the case of the host's letters; a host that is
/// a number (IPv4, IPv6) is taken as it is. Anything is taken for a URL: one without "//" for a
/// host and a path.
std::string url_key(std::string_view url);

}  // namespace gannet::index
