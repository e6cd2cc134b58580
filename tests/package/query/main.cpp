// Makes an index of its own and searches it.
#include <gannet/index/index_writer.hpp>
#include <gannet/query/searcher.hpp>

#include <iostream>

int main(int /*argc*/, char** argv) {
  gannet::index::IndexWriter writer(argv[1], {.positions = false});
  writer.add_document("d0", 1);
  writer.add_document("d1", 2);
  const std::uint32_t docid = 1, frequency = 2;
  writer.add_list(gannet::index::encode_list("gannet", {&docid, 1}, {&frequency, 1},
                                             writer.document_lengths(), writer.docid_codec(),
                                             writer.freq_codec()));
  writer.commit();

  auto index = std::make_shared<gannet::index::Index>(gannet::index::Index::open(argv[1]));
  gannet::query::Searcher searcher(index, {.backend = gannet::query::BackendChoice::kCpu});
  const auto result = searcher.search({.text = "gannets", .k = 3});
  for (const auto hit : result.hits()) {
    std::cout << result.count << ' ' << index->document_id(hit.docid) << ' ' << hit.score << '\n';
  }
}
