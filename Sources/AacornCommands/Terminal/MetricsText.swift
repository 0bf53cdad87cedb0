import AacornSystem

/// Metrics in Prometheus's text format (version 0.0.4).
///
///     # HELP aacorn_frames_total Encoded frames.
///     # TYPE aacorn_frames_total counter
///     aacorn_frames_total 1234
struct MetricsText {
  enum Kind: String { case counter, gauge }
  typealias Label = (name: String, value: String)
  typealias Sample = (labels: [Label], value: Double)

  private(set) var text = ""
  /// The value of the `Content-Type` header.
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// Adds a metric.
  ///
  /// The format requires all samples of a metric to be consecutive.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    // A metric without samples would be valid but useless.
    if samples.isEmpty { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples {
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
      text += name + (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}")
      text += " \(Self.number(sample.value))\n"
    }
  }

  /// Escapes backslashes and quotation marks in a label; line feeds become spaces.
  private static func escaped(_ value: String) -> String {
    var result = ""
    for scalar in displayed(value.replacing("\n", with: " ")).unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    // Double represents whole numbers up to 2⁵³ exactly.
    return value == value.rounded() && abs(value) <= 0x1p53 ? "\(Int(value))" : "\(value)"
  }
}
