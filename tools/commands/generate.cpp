// gannet generate: synthetic collections, topics and posting lists.
#include <functional>
#include <ostream>
#include <span>
#include <streambuf>
#include <string>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "corpora/lists/ds2i.hpp"
#include "corpora/synthetic/synthetic.hpp"
#include "index/builder.hpp"
#include "tools/building/scratch_folder.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/raw_values.hpp"
#include "tools/options/table/data.hpp"
#include "tools/output/synthetic_lists.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kGenerateHelp{"gannet generate --output PATH [OPTIONS]",
                                 R"(
Makes a synthetic collection; the same options give the same bytes everywhere.
Format jsonl: documents of words drawn by Zipf's law, lengths log-normal; with --topics also
queries of 1 to 5 words that occur together. Format ds2i: the same collection as posting
lists or, with --lists, lists that are uniform or clustered (after Anh and Moffat) over the
documents, list i having about documents / 2 * 2.7 / (i + 2.7) postings.)",
                                 R"(
  gannet generate --documents 100000 --output synthetic.jsonl --topics queries.tsv
  gannet generate --documents 25000000 --lists 1000 --model clustered --format ds2i \
                  --output lists
  gannet generate --documents 1000 --output - | gzip >synthetic.jsonl.gz)"};

corpora::SyntheticText text_shape(const OptionSet& options) {
  corpora::SyntheticText shape;
  shape.documents = options.get<std::uint64_t>("documents");
  shape.vocabulary = options.get<std::uint32_t>("vocabulary");
  shape.mean_length = options.get<double>("mean-length");
  shape.seed = options.get<std::uint64_t>("seed");
  return shape;
}

/// Buffers what a stream is given on its way to a RawOutput.
class OutputBuffer : public std::streambuf {
 public:
  explicit OutputBuffer(RawOutput& output) : output_(output), block_(std::size_t{1} << 16) {
    setp(block_.data(), block_.data() + block_.size());
  }

 protected:
  int_type overflow(int_type c) override {
    sync();
    return traits_type::eq_int_type(c, traits_type::eof()) ? 0 : sputc(static_cast<char>(c));
  }
  int sync() override {
    output_.write(std::as_bytes(std::span(pbase(), pptr())));
    setp(block_.data(), block_.data() + block_.size());
    return 0;
  }

 private:
  RawOutput& output_;
  std::vector<char> block_;
};

/// Writes a file that appears complete or not at all; "-" is stdout.
void write_output(const OptionSet& options, const char* name,
                  const std::function<void(std::ostream&)>& write) {
  RawOutput output(output_name(options.get<std::string>(name)), existing_output(options));
  OutputBuffer buffer(output);
  std::ostream stream(&buffer);
  stream.exceptions(std::ios::badbit);  // what the output throws passes through
  write(stream);
  stream.flush();
  output.finish();
}

void generate_lists(const OptionSet& options, const std::string& base) {
  const InterruptGuard guard;
  Progress progress(options.has("quiet"));
  const ScratchFolder scratch(base);
  index::BuildOptions build;
  build.stop = guard.token();
  build.write.analyzer.stemmer = "none";
  build.progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t total) {
    progress.update(stage, done, total);
  };
  if (options.has("lists")) {
    ListShape shape;
    shape.documents = options.get<std::uint64_t>("documents");
    shape.lists = options.get<std::uint64_t>("lists");
    shape.model = options.choice<corpora::ListModel>("model");
    shape.seed = options.get<std::uint64_t>("seed");
    index::build_inverted(SyntheticLists(shape, guard.token()), scratch.index(), build);
  } else {
    const auto source = corpora::synthetic_documents(text_shape(options), guard.token());
    index::build_index(*source, scratch.index(), build);
  }
  corpora::export_ds2i(
      index::Index::open(scratch.index()), base,
      [&](std::uint64_t done, std::uint64_t total) { progress.update("postings", done, total); },
      guard.token(), existing_output(options));
}

void generate_topics(const OptionSet& options) {
  const InterruptGuard guard;
  const corpora::TextGenerator generator(text_shape(options), guard.token());
  write_output(options, "topics", [&](std::ostream& out) {
    for (std::uint64_t i = 0; i < options.get<std::uint64_t>("topic-count"); ++i) {
      throw_if_stopped(guard.token());
      const corpora::Topic topic = generator.topic(i);
      out << topic.id << '\t' << topic.text << '\n';
    }
  });
}

void check_options(const OptionSet& options) {
  const auto& format = options.get<std::string>("format");
  if (options.has("lists") && format != "ds2i") throw UsageError("--lists needs --format ds2i");
  if (options.has("lists") && options.has("topics")) {
    throw UsageError("--topics: lists have numbers for terms; topics go with documents");
  }
  if (format == "ds2i" && output_name(options.get<std::string>("output")) == "-") {
    throw UsageError("--output: ds2i is several files; give the beginning of their names");
  }
  const auto& output = options.get<std::string>("output");
  const bool overwrite = options.has("overwrite");
  (format == "ds2i" ? check_ds2i_output : check_text_output)(output, overwrite);
  if (!options.has("topics")) return;
  check_text_output(options.get<std::string>("topics"), overwrite);
  check_distinct_files(options, "output", "topics");
}

}  // namespace

int cmd_generate(Args args) {
  OptionSet options(kGenerateHelp);
  options.add(options::kGenerateOptions);
  if (!options.parse(args)) return kOk;
  check_options(options);

  const std::string output = output_name(options.get<std::string>("output"));
  if (options.get<std::string>("format") == "ds2i") {
    generate_lists(options, output);
  } else {
    const InterruptGuard guard;
    write_output(options, "output", [&](std::ostream& out) {
      corpora::write_synthetic_jsonl(text_shape(options), out, guard.token());
    });
  }
  if (options.has("topics")) generate_topics(options);

  std::FILE* const messages = output == "-" ? stderr : stdout;
  if (options.json()) {
    const Json json{
        {"output", output},
        {"documents", options.get<std::uint64_t>("documents")},
        {"seed", options.get<std::uint64_t>("seed")},
    };
    print_result("generate", json, messages);
  } else if (!options.has("quiet")) {
    print(messages, "{}: {}\n", output,
          counted(options.get<std::uint64_t>("documents"), "document"));
  }
  return kOk;
}

}  // namespace gannet::tools
