#include "bench/frame/report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <stdexcept>

namespace gannet::bench {
namespace {

namespace po = boost::program_options;
/// Members stay in the order in which they were added.
using Json = nlohmann::ordered_json;

bool is_whole(double value) { return value == std::floor(value) && std::abs(value) < 1e15; }

/// Four significant digits, without an exponent where that can be avoided.
std::string text_of(const Cell& cell) {
  if (cell.is_text()) return cell.text();
  const double value = cell.number();
  if (is_whole(value)) return fmt::format("{:.0f}", value);
  return fmt::format("{:.4g}", value);
}

/// Whole numbers without a fraction; what is not finite becomes null.
Json json_of(const Cell& cell) {
  if (cell.is_text()) return cell.text();
  const double value = cell.number();
  if (is_whole(value)) return static_cast<std::int64_t>(value);
  return value;
}

Json json_of(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json named = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) named[table.columns[i]] = json_of(row[i]);
    rows.push_back(std::move(named));
  }
  return {{"name", table.name}, {"title", table.title}, {"rows", std::move(rows)}};
}

void print_rows(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += i == 0 ? fmt::format("{:<{}}", row[i], widths[i])
                     : fmt::format("  {:>{}}", row[i], widths[i]);
    }
    std::cout << line << '\n';
  }
  std::cout << '\n';
}

void print_table(const Table& table) {
  std::cout << table.title << '\n';
  std::vector<std::vector<std::string>> rows{table.columns};
  for (const auto& row : table.rows) {
    std::vector<std::string> texts;
    std::transform(row.begin(), row.end(), std::back_inserter(texts), text_of);
    rows.push_back(std::move(texts));
  }
  print_rows(rows);
}

Table table_of(const Figure& figure) {
  Table table{figure.name, fmt::format("{}: {}", figure.title, figure.y), {figure.x}, {}};
  std::set<double> places;
  for (const std::string& curve : figure.order) {
    table.columns.push_back(curve);
    for (const auto& [x, y] : figure.curves.at(curve)) places.insert(x);
  }
  for (const double x : places) {
    std::vector<Cell> row{x};
    for (const std::string& curve : figure.order) {
      const auto& points = figure.curves.at(curve);
      const auto found = points.find(x);
      row.push_back(found == points.end() ? Cell("") : Cell(found->second));
    }
    table.add(std::move(row));
  }
  return table;
}

std::string gnuplot_quoted(const std::string& text) {
  std::string result(1, '\'');
  for (const char c : text) result.append(c == '\'' ? 2 : 1, c);
  return result + "'";
}

void write_script(const Figure& figure, const std::filesystem::path& image,
                  const std::filesystem::path& script) {
  std::ofstream out(script);
  out << "set terminal svg size 900,540 dynamic background '#ffffff'\nset output "
      << gnuplot_quoted(image.string()) << "\nset title " << gnuplot_quoted(figure.title)
      << " noenhanced\nset xlabel " << gnuplot_quoted(figure.x) << " noenhanced\nset ylabel "
      << gnuplot_quoted(figure.y) << " noenhanced\nset key outside noenhanced\nset grid\n";
  if (figure.log_x) out << "set logscale x\n";
  if (figure.log_y) out << "set logscale y\n";
  for (std::size_t i = 0; i < figure.order.size(); ++i) {
    out << "$curve" << i << " << EOD\n";
    for (const auto& [x, y] : figure.curves.at(figure.order[i])) out << x << ' ' << y << '\n';
    out << "EOD\n";
  }
  out << "plot ";
  for (std::size_t i = 0; i < figure.order.size(); ++i) {
    out << (i > 0 ? ", " : "") << "$curve" << i << " with linespoints title "
        << gnuplot_quoted(figure.order[i]);
  }
  out << '\n';
  if (!out.flush()) throw std::runtime_error("cannot write " + script.string());
}

void run_gnuplot(const std::string& script) {
  std::string program = "gnuplot";
  std::string argument = script;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  int status = 0;
  if (posix_spawnp(&child, "gnuplot", nullptr, nullptr, arguments, environ) != 0 ||
      waitpid(child, &status, 0) != child || status != 0) {
    std::cerr << "bench: gnuplot did not draw " << script << " (is gnuplot-nox installed?)\n";
  }
}

}  // namespace

void Figure::add(const std::string& curve, double at, double value) {
  if (curves.find(curve) == curves.end()) order.push_back(curve);
  curves[curve][at] = value;
}

Report::Report(std::string program, std::string description)
    : program_(std::move(program)), description_(std::move(description)) {
  options_.add_options()("help,h", "print this and exit")(
      "json", po::value(&json_)->value_name("FILE"), "also write everything as JSON")(
      "plot", po::value(&plot_)->value_name("FOLDER"), "also draw the figures as SVG (gnuplot)");
}

bool Report::parse(int argc, char** argv) {
  try {
    po::variables_map values;
    po::store(po::command_line_parser(argc, argv).options(options_).run(), values);
    if (values.count("help") > 0) {
      std::cout << "usage: " << program_ << " [options]\n" << description_ << "\n\n" << options_;
      return false;
    }
    po::notify(values);
    return true;
  } catch (const po::error& error) {
    std::cerr << program_ << ": " << error.what() << " (see --help)\n";
    status_ = 2;
    return false;
  }
}

Figure& Report::figure(Figure figure) { return figures_.emplace_back(std::move(figure)); }
Table& Report::table(Table table) { return tables_.emplace_back(std::move(table)); }
void Report::fact(const std::string& key, const Cell& value) { facts_.emplace_back(key, value); }

int Report::finish() {
  print();
  if (!json_.empty()) write_json(json_);
  if (!plot_.empty()) plot(plot_);
  return status_;
}

void Report::print() const {
  for (const auto& [key, value] : facts_) std::cout << key << ": " << text_of(value) << '\n';
  std::cout << '\n';
  for (const Table& table : tables_) print_table(table);
  for (const Figure& figure : figures_) print_table(table_of(figure));
}

void Report::write_json(const std::string& path) const {
  Json json = {{"program", program_}};
  for (const auto& [key, value] : facts_) json[key] = json_of(value);
  Json& tables = json["tables"] = Json::array();
  for (const Table& table : tables_) tables.push_back(json_of(table));
  for (const Figure& figure : figures_) tables.push_back(json_of(table_of(figure)));
  std::ofstream out(path);
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
  if (!out.flush()) throw std::runtime_error("cannot write " + path);
}

void Report::plot(const std::string& folder) const {
  std::filesystem::create_directories(folder);
  for (const Figure& figure : figures_) {
    const auto base = std::filesystem::path(folder) / figure.name;
    const std::string script = base.string() + ".gp";
    write_script(figure, base.string() + ".svg", script);
    run_gnuplot(script);
  }
}

}  // namespace gannet::bench
