#include "query/gpu/plan/ranked/rank_compiler.hpp"

#include <algorithm>

#include "query/bounds/word_in_text.hpp"
#include "query/gpu/plan/assign.hpp"

namespace gannet::query::cuda {
namespace {

/// Where the operands of each node of a postfix expression begin.
std::vector<std::uint32_t> first_nodes(const std::vector<Node>& expression) {
  std::vector<std::uint32_t> firsts, waiting;
  for (std::uint32_t i = 0; i < expression.size(); ++i) {
    std::uint32_t first = i;
    const Node::Kind kind = expression[i].kind;
    if (kind == Node::Kind::kAnd || kind == Node::Kind::kOr || kind == Node::Kind::kNot) {
      waiting.resize(waiting.size() - expression[i].operand + 1);
      first = waiting.back();
    } else {
      waiting.push_back(i);
    }
    firsts.push_back(first);
  }
  return firsts;
}

/// The terms that are operands of the outermost OR, or the whole expression.
std::vector<char> outermost_terms(const Plan& plan) {
  const std::vector<Node>& expression = plan.expression();
  const std::vector<std::uint32_t> firsts = first_nodes(expression);
  std::vector<char> found(plan.terms().size(), 0);
  std::vector<std::uint32_t> waiting;
  if (!expression.empty()) waiting.push_back(static_cast<std::uint32_t>(expression.size()) - 1);
  while (!waiting.empty()) {
    const std::uint32_t at = waiting.back();
    waiting.pop_back();
    const Node node = expression[at];
    if (node.kind == Node::Kind::kTerm) found[node.operand] = 1;
    if (node.kind != Node::Kind::kOr) continue;
    std::uint32_t operand = at - 1;
    for (std::uint32_t i = 0; i < node.operand; ++i) {
      waiting.push_back(operand);
      operand = firsts[operand] - 1;
    }
  }
  return found;
}

RankList list_of(const RankOperand& operand) {
  RankList list{};
  static_cast<ListLocation&>(list) = operand.list;
  list.lengths = operand.lengths;
  list.max_freqs = operand.max_freqs;
  list.min_lengths = operand.min_lengths;
  list.word = kNone;
  list.alone = 1;
  return list;
}

}  // namespace

void RankTables::clear() {
  match.clear();
  queries.clear();
  kinds.clear();
  costs.clear();
  lists.clear();
}

std::vector<char> scoring_terms(const Plan& plan) {
  std::vector<char> scores(plan.terms().size(), 0);
  if (plan.words().empty()) {
    for (std::size_t t = 0; t < scores.size(); ++t) scores[t] = plan.terms()[t].scored() ? 1 : 0;
  }
  for (const QueryWord& word : plan.words()) {
    for (const WordTerm& text : word.terms) scores[text.term] = 1;
  }
  return scores;
}

bool scores_decide(const Plan& plan, std::span<const char> scores) {
  const std::vector<char> outermost = outermost_terms(plan);
  bool some = false;
  for (std::size_t t = 0; t < scores.size(); ++t) {
    if (scores[t] == 0) continue;
    if (outermost[t] == 0) return false;
    some = true;
  }
  return some;
}

bool RankCompiler::add(const RankRequest& request, MatchRequest match, RankTables& tables) {
  const Plan& plan = *request.plan;
  const std::uint32_t k = largest_k(plan, request.documents, request.documents);
  if (k == 0) return false;
  match.use = request.by_score ? MatchUse::kRest : MatchUse::kRow;
  const std::size_t steps_before = tables.match.steps.size();
  const std::size_t lists_before = tables.match.lists.size();
  if (matching_.add(match, tables.match)) return false;
  RankQuery query{};
  query.first_list = tables.lists.size();
  query.by_score = request.by_score ? 1 : 0;
  const std::size_t steps = tables.match.steps.size() - steps_before;
  const bool guarded = request.by_score && match.filter != nullptr;
  query.row = steps > (guarded ? 1u : 0u) ? tables.match.steps.back().to : kNone;
  query.may_row = !request.by_score ? query.row : guarded ? 0 : kNone;
  query.k = k;
  query.k1 = plan.scorer().values[0];
  query.below = bound_in_part(plan.page().below, request.docid_base);
  plan.words().empty() ? add_lists(request, tables) : add_words(request, tables);
  query.lists = static_cast<std::uint32_t>(tables.lists.size() - query.first_list);
  std::uint64_t cost = 0;
  for (std::size_t i = query.first_list; i < tables.lists.size(); ++i)
    cost += tables.lists[i].count;
  for (std::size_t i = lists_before; i < tables.match.lists.size(); ++i) {
    cost += tables.match.lists[i].list.count;
  }
  tables.costs.push_back(cost);
  tables.queries.push_back(query);
  tables.kinds.push_back({!plan.words().empty(), is_usual(plan.scorer().id)});
  return true;
}

/// Lists of terms, each of which scores by itself.
void RankCompiler::add_lists(const RankRequest& request, RankTables& tables) {
  for (std::size_t t = 0; t < request.operands.size(); ++t) {
    if (request.operands[t].list.count == 0) continue;
    const PlanTerm& term = request.plan->terms()[t];
    RankList list = list_of(request.operands[t]);
    list.scoring = term.shared;
    list.constants = term.constants;
    tables.lists.push_back(list);
  }
}

/// Lists of words, word by word.
void RankCompiler::add_words(const RankRequest& request, RankTables& tables) {
  const Plan& plan = *request.plan;
  for (std::uint32_t w = 0; w < plan.words().size(); ++w) {
    const QueryWord& word = plan.words()[w];
    const std::size_t first = tables.lists.size();
    for (const WordTerm& text : word.terms) {
      if (request.operands[text.term].list.count == 0) continue;
      RankList list = list_of(request.operands[text.term]);
      list.constants.factor = word_factor(plan, word);
      list.in_text = word_in_text(plan, text);
      list.word = w;
      tables.lists.push_back(list);
    }
    const bool several = tables.lists.size() - first > 1;
    for (std::size_t i = first; i < tables.lists.size(); ++i) {
      tables.lists[i].alone = several ? 0 : 1;
    }
  }
}

}  // namespace gannet::query::cuda
