#include "corpora/documents/html_text.hpp"

#include <gumbo.h>

#include <memory>
#include <vector>

namespace gannet::corpora {
namespace {

bool is_hidden(GumboTag tag) {
  switch (tag) {
    case GUMBO_TAG_SCRIPT:
    case GUMBO_TAG_STYLE:
    case GUMBO_TAG_NOSCRIPT:
    case GUMBO_TAG_TEMPLATE:
    case GUMBO_TAG_IFRAME:
    case GUMBO_TAG_OBJECT:
    case GUMBO_TAG_SVG:
      return true;
    default:
      return false;
  }
}

// Inline elements may stand inside a word.
bool is_inline(GumboTag tag) {
  switch (tag) {
    case GUMBO_TAG_A:
    case GUMBO_TAG_ABBR:
    case GUMBO_TAG_B:
    case GUMBO_TAG_BIG:
    case GUMBO_TAG_CITE:
    case GUMBO_TAG_CODE:
    case GUMBO_TAG_DFN:
    case GUMBO_TAG_EM:
    case GUMBO_TAG_FONT:
    case GUMBO_TAG_I:
    case GUMBO_TAG_KBD:
    case GUMBO_TAG_MARK:
    case GUMBO_TAG_Q:
    case GUMBO_TAG_S:
    case GUMBO_TAG_SAMP:
    case GUMBO_TAG_SMALL:
    case GUMBO_TAG_SPAN:
    case GUMBO_TAG_STRIKE:
    case GUMBO_TAG_STRONG:
    case GUMBO_TAG_SUB:
    case GUMBO_TAG_SUP:
    case GUMBO_TAG_TIME:
    case GUMBO_TAG_TT:
    case GUMBO_TAG_U:
    case GUMBO_TAG_VAR:
    case GUMBO_TAG_WBR:
      return true;
    default:
      return false;
  }
}

const GumboVector* children_of(const GumboNode& node) {
  if (node.type == GUMBO_NODE_DOCUMENT) return &node.v.document.children;
  if (node.type != GUMBO_NODE_ELEMENT || is_hidden(node.v.element.tag)) return nullptr;
  return &node.v.element.children;
}

void separate(const GumboNode& node, std::string& text) {
  const bool breaks = node.type == GUMBO_NODE_ELEMENT && !is_inline(node.v.element.tag);
  if (breaks && !text.empty() && text.back() != '\n') text += '\n';
}

// With a stack of its own: pages may be nested deeper than the thread's stack allows.
void append_visible(const GumboNode& root, std::string& text) {
  struct Open {
    const GumboNode* node;
    unsigned next_child;
  };
  std::vector<Open> path{{&root, 0}};
  while (!path.empty()) {
    Open& open = path.back();
    const GumboVector* children = children_of(*open.node);
    if (children == nullptr || open.next_child == children->length) {
      separate(*open.node, text);
      path.pop_back();
      continue;
    }
    const auto* child = static_cast<const GumboNode*>(children->data[open.next_child++]);
    if (child->type == GUMBO_NODE_ELEMENT || child->type == GUMBO_NODE_DOCUMENT) {
      separate(*child, text);
      path.push_back({child, 0});
    } else if (child->type != GUMBO_NODE_COMMENT) {
      text += child->v.text.text;
    }
  }
}

}  // namespace

void append_html_text(std::string_view html, std::string& text) {
  GumboOptions options = kGumboDefaultOptions;
  options.max_errors = 0;
  const auto destroy = [&](GumboOutput* output) { gumbo_destroy_output(&options, output); };
  const std::unique_ptr<GumboOutput, decltype(destroy)> output(
      gumbo_parse_with_options(&options, html.data(), html.size()), destroy);
  append_visible(*output->document, text);
}

}  // namespace gannet::corpora
