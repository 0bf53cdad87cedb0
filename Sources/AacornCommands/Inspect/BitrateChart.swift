import AacornSystem

/// A chart of the bitrate over time, as a self-contained SVG image.
///
/// The background is transparent and all lines are of medium brightness, so that the picture is
/// readable on both light and dark pages.
struct BitrateChart {
  /// The duration of a value in seconds; the last value may be shorter.
  let secondsPerValue: Double
  /// The bitrates in bits per second.
  let values: [Double]
  let mean: Double
  let title: String

  private static let width = 960.0
  private static let height = 360.0
  private static let left = 64.0
  private static let right = 16.0
  private static let top = 40.0
  private static let bottom = 44.0
  private static let gray = "#808080"

  var svg: String {
    let duration = max(secondsPerValue * Double(values.count), 1e-3)
    let steps = joinedValues
    let highest = max(steps.values.max() ?? 0, mean, 1000) / 1000
    let rateStep = Self.step(for: highest, parts: 6)
    let rateLimit = (highest / rateStep).rounded(.up) * rateStep
    let plotWidth = Self.width - Self.left - Self.right
    let plotHeight = Self.height - Self.top - Self.bottom
    func x(_ seconds: Double) -> String {
      QuantityText.fixed(Self.left + seconds / duration * plotWidth, decimals: 1)
    }
    func y(_ kilobits: Double) -> String {
      QuantityText.fixed(Self.top + (1 - kilobits / rateLimit) * plotHeight, decimals: 1)
    }
    let end = QuantityText.fixed(Self.width - Self.right, decimals: 1)

    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 360\" "
        + "font-family=\"sans-serif\" font-size=\"12\" fill=\"\(Self.gray)\">",
      "<title>\(Self.escaped(title))</title>",
      "<text x=\"\(x(0))\" y=\"20\" font-size=\"15\">\(Self.escaped(title))</text>",
    ]
    var rate = 0.0
    while rate <= rateLimit + rateStep / 2 {
      lines.append(
        "<path d=\"M\(x(0)) \(y(rate))H\(end)\" stroke=\"\(Self.gray)\" stroke-opacity=\"0.3\"/>")
      lines.append(Self.label(Self.number(rate), x: "56", y: y(rate), anchor: "end", shift: "4"))
      rate += rateStep
    }
    let timeStep = Self.timeStep(for: duration)
    var time = 0.0
    while time <= duration {
      lines.append(
        "<path d=\"M\(x(time)) \(y(0))v5\" stroke=\"\(Self.gray)\"/>")
      lines.append(
        Self.label(Self.clock(time, timeStep), x: x(time), y: y(0), anchor: "middle", shift: "19"))
      time += timeStep
    }
    lines.append(Self.label("kb/s", x: "56", y: "28", anchor: "end", shift: "0"))
    lines.append(Self.label("time", x: end, y: y(0), anchor: "end", shift: "36"))
    lines.append(
      "<path d=\"\(Self.path(steps, x, y))\" fill=\"none\" stroke=\"#3a87c8\" stroke-width=\"1.2\"/>"
    )
    lines.append(
      "<path d=\"M\(x(0)) \(y(mean / 1000))H\(end)\" stroke=\"#d2691e\" stroke-width=\"1.5\" "
        + "stroke-dasharray=\"6 4\"/>")
    lines.append(
      "<text x=\"\(end)\" y=\"20\" text-anchor=\"end\" fill=\"#d2691e\">mean "
        + "\(QuantityText.bitrate(mean))</text>")
    lines.append("</svg>")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The values and their end times; neighbors are averaged so that at most 480 remain.
  private var joinedValues: (values: [Double], ends: [Double]) {
    let group = max(1, (values.count + 479) / 480)
    var joined: [Double] = []
    var ends: [Double] = []
    var index = 0
    while index < values.count {
      let end = min(index + group, values.count)
      joined.append(values[index..<end].reduce(0, +) / Double(end - index))
      ends.append(Double(end) * secondsPerValue)
      index = end
    }
    return (joined, ends)
  }

  /// Returns the path of a step line.
  private static func path(
    _ steps: (values: [Double], ends: [Double]), _ x: (Double) -> String, _ y: (Double) -> String
  ) -> String {
    var path = ""
    for (value, end) in zip(steps.values, steps.ends) {
      path += (path.isEmpty ? "M\(x(0)) " : "V") + y(value / 1000) + "H" + x(end)
    }
    return path
  }

  /// Returns 1, 2 or 5 times a power of ten, so that at most `parts` steps reach `limit`.
  static func step(for limit: Double, parts: Int) -> Double {
    var step = 0.001
    while true {
      for factor in [1.0, 2, 5] where step * factor * Double(parts) >= limit {
        return step * factor
      }
      step *= 10
    }
  }

  /// Returns a round interval of time.
  private static func timeStep(for duration: Double) -> Double {
    if duration < 8 { return step(for: duration, parts: 8) }
    let steps = [1.0, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800]
    return steps.first { $0 * 10 >= duration } ?? step(for: duration, parts: 10)
  }

  private static func clock(_ seconds: Double, _ step: Double) -> String {
    step < 1 ? QuantityText.duration(seconds) : QuantityText.clock(Int(seconds.rounded()))
  }

  private static func number(_ value: Double) -> String {
    QuantityText.fixed(value, decimals: value == value.rounded() ? 0 : 1)
  }

  private static func label(
    _ text: String, x: String, y: String, anchor: String, shift: String
  ) -> String {
    "<text x=\"\(x)\" y=\"\(y)\" dy=\"\(shift)\" text-anchor=\"\(anchor)\">\(text)</text>"
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in displayed(text) {
      switch character {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      default: result.append(character)
      }
    }
    return result
  }
}
