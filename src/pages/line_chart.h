#pragma once

#include <string>
#include <vector>

namespace nmt {

struct ChartPoint {
  double x = 0.0;
  double y = 0.0;
};

struct ChartLine {
  std::string name;                // text
  std::string colour;              // a class of report.css: first, second or third
  bool dots = false;               // a mark at each point
  std::vector<ChartPoint> points;  // by rising x; what is not finite is left out
};

struct ChartOptions {
  std::string name;          // text, for those who cannot see it
  bool logarithmic = false;  // y; then only points above 0 are drawn
  bool time = false;         // x is seconds, told as minutes or hours
};

/// An <svg> element as wide as it is given room, with axes at round numbers; empty where no line
/// has a point. Long lines are thinned, to what a screen can show.
std::string line_chart(const std::vector<ChartLine>& lines, const ChartOptions& options);

/// Round numbers within [low, high], at most about `count` of them.
std::vector<double> round_ticks(double low, double high, int count);

}  // namespace nmt
