#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <tuple>

#include "codecs/base/error.hpp"
#include "tools/measure/report.hpp"
#include "tools/options/raw_values.hpp"

namespace gannet::tools {
namespace {

/// A curve is a codec in a panel; a panel is a source, a content and a way of decoding.
struct Panel {
  std::string title;
  std::map<std::string, std::vector<std::pair<double, double>>> curves;  // codec: (length, speed)
};

std::vector<Panel> panels_of(const DecodeReport& report) {
  std::map<std::tuple<std::string, Output, std::size_t>, Panel> panels;
  for (const DecodeResult& result : report.results) {
    for (std::size_t way = 0; way < kWays; ++way) {
      if (!result.speeds[way] || result.label == "all") continue;
      Panel& panel = panels[{result.source, result.output, way}];
      panel.title = fmt::format("{}, {}: {}", result.source, to_string(result.output),
                                to_string(static_cast<Way>(way)));
      panel.curves[result.codec].emplace_back(result.mean_length,
                                              result.speeds[way]->giga_values());
    }
  }
  std::vector<Panel> list;
  list.reserve(panels.size());
  for (auto& [key, panel] : panels) list.push_back(std::move(panel));
  return list;
}

std::string terminal_of(const std::string& file, std::size_t rows) {
  const std::string ending = std::filesystem::path(file).extension();
  const std::size_t height = 100 + 360 * rows;
  if (ending == ".png") return fmt::format("pngcairo size 1200,{} fontscale 0.9", height);
  if (ending == ".svg") return fmt::format("svg size 1200,{} dynamic", height);
  if (ending == ".pdf") {
    return fmt::format("pdfcairo size 12in,{:.1f}in", static_cast<double>(height) / 100);
  }
  throw UsageError(fmt::format("--plot: '{}' does not end in .png, .svg or .pdf", file));
}

/// A string in gnuplot's single quotes, in which only the quote itself is special.
std::string quoted(const std::string& text) {
  std::string result(1, '\'');
  for (const char c : text) result.append(c == '\'' ? 2 : 1, c);
  result.push_back('\'');
  return result;
}

/// One block of "length speed" lines for each curve; gnuplot counts the blocks from 0.
std::string data_of(const std::vector<Panel>& panels) {
  std::string text = "# list length, billion integers per second\n";
  for (const Panel& panel : panels) {
    for (const auto& [codec, points] : panel.curves) {
      text += fmt::format("# {}; {}\n", panel.title, codec);
      for (const auto& [length, speed] : points) text += fmt::format("{} {}\n", length, speed);
      text += "\n\n";
    }
  }
  return text;
}

std::string program_of(const std::vector<Panel>& panels, const std::string& file,
                       const std::string& data) {
  const std::size_t columns = panels.size() > 1 ? 2 : 1;
  const std::size_t rows = (panels.size() + columns - 1) / columns;
  std::string text = fmt::format(
      "set terminal {}\nset output {}\nset multiplot layout {},{} title 'Decode throughput'\n"
      "set linetype 3 lc rgb '#0072b2'\nset linetype 4 lc rgb '#e69f00'\nset linetype 5 lc rgb "
      "'#d55e00'\n"
      "set linetype 6 lc rgb 'gray40'\nset logscale x 2\nset logscale y 10\nset format x "
      "'2^{{%L}}'\nset grid\n"
      "set xlabel 'list length'\nset ylabel 'billion integers/s'\nset key outside right "
      "noenhanced\n",
      terminal_of(file, rows), quoted(file), rows, columns);
  std::size_t block = 0;
  for (const Panel& panel : panels) {
    text += fmt::format("set title {} noenhanced\nplot ", quoted(panel.title));
    std::size_t color = 1;
    for (const auto& [codec, points] : panel.curves) {
      text += fmt::format("{}{} index {} with linespoints lt {} title {}", color > 1 ? ", " : "",
                          quoted(data), block++, color, quoted(codec));
      ++color;
    }
    text += '\n';
  }
  return text + "unset multiplot\n";
}

void run_gnuplot(const std::string& program) {
  std::string name = "gnuplot", argument = program;
  char* const arguments[] = {name.data(), argument.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, "gnuplot", nullptr, nullptr, arguments, environ) != 0) {
    throw UsageError(
        fmt::format("--plot needs gnuplot; install it (tools/setup.sh does) and run "
                    "'gnuplot {}'",
                    program));
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw Error(fmt::format("gnuplot failed; its program is {}", program));
  }
}

}  // namespace

void write_file(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw IoError(fmt::format("{}: cannot be written; check the folder", file));
}

void check_plot_file(const std::string& file, bool overwrite) {
  terminal_of(file, 1);
  for (const char* const ending : {"", ".dat", ".gp"}) check_file_output(file + ending, overwrite);
}

void plot(const DecodeReport& report, const std::string& file) {
  const std::vector<Panel> panels = panels_of(report);
  if (panels.empty()) throw UsageError("--plot: there is nothing to draw");
  const std::string program = program_of(panels, file, file + ".dat");
  write_file(file + ".dat", data_of(panels));
  write_file(file + ".gp", program);
  run_gnuplot(file + ".gp");
}

}  // namespace gannet::tools
