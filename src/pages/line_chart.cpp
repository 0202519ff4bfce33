#include "pages/line_chart.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pages/html_escape.h"
#include "pages/text_width.h"

namespace nmt {
namespace {

// A phone shows a chart at nearly this width, so its text keeps about this size there.
constexpr double kWidth = 340;
constexpr double kHeight = 220;
constexpr double kRight = 14;
constexpr double kTop = 10;
constexpr double kBottom = 42;
constexpr double kTextSize = 13;
constexpr double kGap = 6;
constexpr size_t kMaxPoints = 500;
constexpr int kTicks = 4;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
  double share(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

std::vector<ChartPoint> drawable(const ChartLine& line, bool logarithmic) {
  std::vector<ChartPoint> points;
  for (const auto& point : line.points) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    if (logarithmic && point.y <= 0) continue;
    points.push_back({point.x, logarithmic ? std::log10(point.y) : point.y});
  }
  if (points.size() <= kMaxPoints) return points;
  std::vector<ChartPoint> thinned;
  for (size_t i = 0; i < kMaxPoints; ++i) {
    thinned.push_back(points[i * (points.size() - 1) / (kMaxPoints - 1)]);
  }
  return thinned;
}

std::string tick_text(double value) {
  const double size = std::abs(value);
  if (size >= 1e6) return fmt::format("{:.4g}M", value / 1e6);
  if (size >= 1e4) return fmt::format("{:.4g}k", value / 1e3);
  return fmt::format("{:.4g}", value);
}

/// Tick positions with their labels.
struct Tick {
  double position;
  std::string text;
};

std::vector<Tick> linear_ticks(const Range& range) {
  std::vector<Tick> ticks;
  for (const double value : round_ticks(range.low, range.high, kTicks)) {
    ticks.push_back({value, tick_text(value)});
  }
  return ticks;
}

std::vector<Tick> logarithmic_ticks(const Range& range) {
  std::vector<Tick> ticks;
  // Every decade if the range has several; else 1, 2 and 5 times each.
  const bool decades = range.high - range.low > 2.5;
  const double step = std::max(1.0, std::floor((range.high - range.low) / kTicks));
  for (double decade = std::floor(range.low); decade <= range.high; decade += decades ? step : 1) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (decades && factor > 1) break;
      const double position = decade + std::log10(factor);
      if (position < range.low - 1e-9 || position > range.high + 1e-9) continue;
      ticks.push_back({position, tick_text(factor * std::pow(10.0, decade))});
    }
  }
  return ticks.size() >= 2 ? ticks
                           : std::vector<Tick>{{range.low, tick_text(std::pow(10.0, range.low))},
                                               {range.high, tick_text(std::pow(10.0, range.high))}};
}

std::vector<Tick> time_ticks(const Range& range) {
  const double unit = range.high >= 7200 ? 3600 : range.high >= 120 ? 60 : 1;
  const char* name = unit == 3600 ? "h" : unit == 60 ? "min" : "s";
  std::vector<Tick> ticks;
  for (const double value : round_ticks(range.low / unit, range.high / unit, kTicks)) {
    ticks.push_back({value * unit, fmt::format("{:.4g} {}", value, name)});
  }
  return ticks;
}

class Chart {
 public:
  Chart(const Range& x, const Range& y, const ChartOptions& options)
      : x_(x),
        y_(y),
        options_(options),
        y_ticks_(options.logarithmic ? logarithmic_ticks(y) : linear_ticks(y)),
        x_ticks_(options.time ? time_ticks(x) : linear_ticks(x)) {
    for (const auto& tick : y_ticks_) left_ = std::max(left_, text_width(tick.text, kTextSize));
    left_ = std::ceil(left_) + kGap;
  }

  std::string axes() const {
    std::string svg;
    for (const auto& tick : y_ticks_) {
      svg += fmt::format("<path class=\"grid\" d=\"M{:g} {:.1f}H{:g}\"/>", left_,
                         at_y(tick.position), kWidth - kRight) +
             text(left_ - kGap, at_y(tick.position) + kTextSize / 3, "end", tick.text);
    }
    double free = 0;  // the row of labels is empty from here on
    for (const auto& tick : x_ticks_) {
      const double half = text_width(tick.text, kTextSize) / 2;
      const double x = std::min(at_x(tick.position), kWidth - half);
      if (x - half < free) continue;
      free = x + half + kGap;
      svg += text(x, kHeight - kBottom + kTextSize + kGap, "middle", tick.text);
    }
    const double middle = (left_ + kWidth - kRight) / 2;
    return svg + text(middle, kHeight - 5, "middle\" class=\"en", options_.x.english) +
           text(middle, kHeight - 5, "middle\" class=\"ko", options_.x.korean);
  }

  std::string line(const ChartLine& line, const std::vector<ChartPoint>& points) const {
    std::string places;
    std::string values;
    for (const auto& point : points) {
      places += fmt::format("{:.1f},{:.1f} ", at_x(point.x), at_y(point.y));
      values += fmt::format("{:.7g},{:.4g} ", point.x,
                            options_.logarithmic ? std::pow(10.0, point.y) : point.y);
    }
    std::string svg = "<polyline class=\"" + line.color + "\" data-name=\"" +
                      escape_html(line.name) + "\" data-values=\"" + values + "\" points=\"" +
                      places + "\"/>\n";
    if (!line.dots && points.size() > 1) return svg;
    for (const auto& point : points) {
      svg += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>",
                         line.color.c_str(), at_x(point.x), at_y(point.y));
    }
    return svg + "\n";
  }

  /// The script draws its marker between the upper and lower edges.
  std::string begin() const {
    return fmt::format(
               "<svg class=\"chart\" viewBox=\"0 0 {:g} {:g}\" role=\"img\" "
               "font-size=\"{:g}\" data-top=\"{:g}\" data-bottom=\"{:g}\" ",
               kWidth, kHeight, kTextSize, kTop, kHeight - kBottom) +
           (options_.time ? "data-time=\"1\" " : "") + "aria-label=\"" +
           escape_html(options_.name) + "\">\n";
  }

 private:
  static std::string text(double x, double y, const char* anchor, const std::string& content) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">", x, y, anchor) +
           escape_html(content) + "</text>\n";
  }

  double at_x(double value) const { return left_ + x_.share(value) * (kWidth - kRight - left_); }
  double at_y(double value) const {
    return kHeight - kBottom - y_.share(value) * (kHeight - kBottom - kTop);
  }

  Range x_;
  Range y_;
  const ChartOptions& options_;
  std::vector<Tick> y_ticks_;
  std::vector<Tick> x_ticks_;
  double left_ = 0;  // the labels of the y axis end here
};

}  // namespace

std::vector<double> round_ticks(double low, double high, int count) {
  // Doubles cannot represent ticks between values this close.
  if (!(high - low > 1e-12 * std::max(std::abs(low), std::abs(high)))) return {low};
  const double rough = (high - low) / count;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= rough) step = factor * power;
  }
  std::vector<double> ticks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) {
    ticks.push_back(i == 0 ? 0.0 : i * step);
  }
  return ticks;
}

std::string line_chart(const std::vector<ChartLine>& lines, const ChartOptions& options) {
  Range x;
  Range y;
  std::vector<std::vector<ChartPoint>> points;
  for (const auto& line : lines) {
    points.push_back(drawable(line, options.logarithmic));
    for (const auto& point : points.back()) {
      x.add(point.x);
      y.add(point.y);
    }
  }
  if (x.empty()) return "";
  if (options.from_zero) x.add(0);
  const Chart chart(x, y, options);
  std::string svg = chart.begin() + chart.axes();
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!points[i].empty()) svg += chart.line(lines[i], points[i]);
  }
  return svg + "</svg>\n";
}

}  // namespace nmt
