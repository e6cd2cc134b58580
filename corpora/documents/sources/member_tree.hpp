// Which members of a JSON object are values of fields.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/fields/schema.hpp"

namespace gannet::corpora {

/// A member, with the members below it that fields name by dotted paths.
struct MemberTree {
  std::string path = {};                   ///< down to the member, for messages
  std::string key = {};                    ///< its last part
  std::vector<std::uint32_t> fields = {};  ///< that have their values here
  std::vector<MemberTree> members = {};

  static MemberTree of(const index::Schema& schema) {
    MemberTree root;
    for (std::uint32_t i = 0; i < schema.fields().size(); ++i) {
      root.add(schema.fields()[i].source(), i);
    }
    return root;
  }

  /// The member with this key; nullptr if no field asks for it or for what is below it. A key with
  /// dots is a path written in one: {"a.b": 1} is {"a": {"b": 1}}.
  const MemberTree* find(std::string_view wanted) const {
    const MemberTree* member = find_own(wanted.substr(0, wanted.find('.')));
    for (std::size_t dot = wanted.find('.'); member != nullptr && dot != std::string_view::npos;) {
      wanted.remove_prefix(dot + 1);
      dot = wanted.find('.');
      member = member->find_own(wanted.substr(0, dot));
    }
    return member;
  }

 private:
  const MemberTree* find_own(std::string_view wanted) const {
    for (const MemberTree& member : members) {
      if (member.key == wanted) return &member;
    }
    return nullptr;
  }

  void add(std::string_view rest, std::uint32_t field) {
    const std::size_t dot = rest.find('.');
    const std::string_view first = rest.substr(0, dot);
    auto member = std::find_if(members.begin(), members.end(),
                               [&](const MemberTree& known) { return known.key == first; });
    if (member == members.end()) {
      const std::string own(first);
      members.push_back({path.empty() ? own : path + "." + own, own, {}, {}});
      member = members.end() - 1;
    }
    if (dot == std::string_view::npos) {
      member->fields.push_back(field);
    } else {
      member->add(rest.substr(dot + 1), field);
    }
  }
};

}  // namespace gannet::corpora
