// Search from C++: search INDEX QUERY prints the best documents.
#include <gannet/query/searcher.hpp>

#include <exception>
#include <iostream>
#include <memory>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: search INDEX QUERY\n";
    return 2;
  }
  try {
    using gannet::index::Index;
    const auto index = std::make_shared<const Index>(Index::open(argv[1]));
    // On the GPU if there is one and the index fits, else on the CPU.
    gannet::query::Searcher searcher(index);
    const auto result = searcher.search({.text = argv[2], .k = 5});
    for (const auto hit : result.hits()) {
      std::cout << index->document_id(hit.docid) << ' ' << hit.score << '\n';
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
