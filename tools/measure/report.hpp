// Output of `gannet bench decode`: tables, JSON, a plot.
#pragma once

#include <string>

#include "tools/measure/decode.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {

/// Tables for reading: a row for each list length, a column for each codec.
void print_tables(const DecodeReport& report, const DecodePlan& plan);

/// Everything, as a JSON object.
Json json_of(const DecodeReport& report, const DecodePlan& plan);

/// Throws IoError.
void write_file(const std::string& file, const std::string& text);

/// Throws UsageError if `file` has no ending that plot() knows, or one of the three files is there
/// and may not be replaced; for before a long measurement.
void check_plot_file(const std::string& file, bool overwrite);

/// Draws throughput over list length with gnuplot, one panel for each source, content and way of
/// decoding; the format follows from the file's ending (.png, .svg, .pdf). The data and the
/// program stay beside it, as FILE.dat and FILE.gp. Throws UsageError for another ending or where
/// there is no gnuplot, IoError if a file cannot be written.
void plot(const DecodeReport& report, const std::string& file);

/// "Intel(R) Xeon(R) ...", as the operating system names the processor; may be "unknown CPU".
std::string cpu_name();

}  // namespace gannet::tools
