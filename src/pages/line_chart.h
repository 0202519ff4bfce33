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
  std::string color;               // a class of report.css: first, second or third
  bool dots = false;               // a mark at each point
  std::vector<ChartPoint> points;  // by increasing x; points that are not finite are skipped
};

/// The title of an axis: text in both languages.
struct AxisTitle {
  std::string english;
  std::string korean;
};

struct ChartOptions {
  std::string name;          // text for screen readers
  AxisTitle x;               // below the chart
  bool logarithmic = false;  // y axis; draws only points above 0
  bool time = false;         // x is in seconds, labelled as minutes or hours
  bool from_zero = true;     // the x axis begins at 0
};

/// An <svg> element that fills its container, with axes at round numbers; empty if no line has a
/// point. Long lines are thinned to screen resolution.
std::string line_chart(const std::vector<ChartLine>& lines, const ChartOptions& options);

/// Round numbers within [low, high], at most about `count` of them.
std::vector<double> round_ticks(double low, double high, int count);

}  // namespace nmt
