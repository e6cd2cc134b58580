// Reads a document (by a reader that needs most of what the component links) and a judgement.
#include <gannet/corpora/documents/documents.hpp>
#include <gannet/corpora/evaluation/qrels.hpp>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto source =
      gannet::corpora::open_documents(gannet::corpora::DocumentFormat::kDirectory, {argv[1]});
  const gannet::corpora::Qrels judged = gannet::corpora::read_qrels(argv[2]);
  std::cout << (source != nullptr) << ' ' << judged.size() << '\n';
}
