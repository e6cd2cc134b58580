// What a program of bench/ that rebuilds a paper's tables and figures prints and writes: text
// tables on stdout, JSON (--json FILE) and plots (--plot FOLDER, with gnuplot).
#pragma once

#include <boost/program_options.hpp>

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gannet::bench {

/// Curves over one x axis; also printed as a table with a column a curve.
struct Figure {
  std::string name;  ///< file name of the plot, such as "sigmod22-fig7a"
  std::string title;
  std::string x;  ///< axis labels, with units
  std::string y;
  bool log_x = false;
  bool log_y = false;
  std::vector<std::string> order;  ///< curves in the order in which they were first added
  std::map<std::string, std::map<double, double>> curves;

  void add(const std::string& curve, double at, double value);
};

/// A text or a number. (No std::variant: g++ 12 warns of uninitialised strings in moved ones.)
class Cell {
 public:
  Cell(double number) : number_(number) {}
  Cell(std::string text) : text_(std::move(text)), is_text_(true) {}
  Cell(const char* text) : text_(text), is_text_(true) {}

  bool is_text() const { return is_text_; }
  const std::string& text() const { return text_; }
  double number() const { return number_; }

 private:
  std::string text_;
  double number_ = 0;
  bool is_text_ = false;
};

/// Rows of cells.
struct Table {
  std::string name;
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;

  void add(std::vector<Cell> row) { rows.push_back(std::move(row)); }
};

/// The program's options and all that it measures. Typical use:
///   Report report("bench_cuda_x", "Rebuilds ...");
///   report.options().add_options()("values", po::value(&n)->default_value(...), "...");
///   if (!report.parse(argc, argv)) return report.status();
///   Figure& figure = report.figure({...}); ...; return report.finish();
class Report {
 public:
  Report(std::string program, std::string description);

  /// Where a program adds its own options.
  boost::program_options::options_description& options() { return options_; }

  /// False if the program should end now, with status() (after --help, or a wrong option).
  bool parse(int argc, char** argv);
  int status() const { return status_; }

  /// A new figure or table; references stay valid.
  Figure& figure(Figure figure);
  Table& table(Table table);

  /// A fact of the run for the JSON and the printed head: machine, size, ceilings.
  void fact(const std::string& key, const Cell& value);

  /// Prints everything to stdout, writes what the options ask for; returns the exit status.
  int finish();

 private:
  void print() const;
  void write_json(const std::string& path) const;
  void plot(const std::string& folder) const;

  std::string program_;
  std::string description_;
  boost::program_options::options_description options_{"options"};
  std::string json_;
  std::string plot_;
  int status_ = 0;
  std::vector<std::pair<std::string, Cell>> facts_;
  std::deque<Figure> figures_;
  std::deque<Table> tables_;
};

}  // namespace gannet::bench
