/// Human-readable text for numbers with units.
package enum QuantityText {
  /// Formats a number with a fixed number of decimals, rounded half away from zero.
  package static func fixed(_ value: Double, decimals: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "?" }
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    // Scale the fraction without the integer part, so that it keeps all its digits.
    let whole = abs(value).rounded(.down)
    let scaled = Int(((abs(value) - whole) * Double(scale)).rounded())
    let units = Int(whole) + scaled / scale
    let fraction = scaled % scale
    let sign = value < 0 && (units, fraction) != (0, 0) ? "-" : ""
    if decimals == 0 { return sign + "\(units)" }
    return sign + "\(units)." + padded(fraction, to: decimals)
  }

  /// Formats an integer padded with leading zeros.
  package static func padded(_ value: Int, to width: Int) -> String {
    let digits = "\(value)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Formats a size such as `987 B`, `12.3 kB` or `4.56 MB`, in powers of ten, like the sizes of
  /// disks.
  package static func size(_ bytes: Int) -> String {
    if bytes < 1000 { return "\(bytes) B" }
    var value = Double(bytes)
    for unit in ["kB", "MB", "GB"] {
      value /= 1000
      if value < 999.5 || unit == "GB" {
        let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        return fixed(value, decimals: decimals) + " " + unit
      }
    }
    return "\(bytes) B"
  }

  /// Formats a duration such as `0:05.2`, `3:25.0` or `1:02:03.4`.
  package static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "?" }
    let tenths = Int((seconds * 10).rounded())
    return clock(tenths / 10) + ".\(tenths % 10)"
  }

  /// Formats a length such as `340 ms` or `1.8 s`, and from one minute on `1:02.5`.
  package static func length(_ seconds: Double) -> String {
    if seconds >= 59.95 { return duration(seconds) }
    if seconds >= 0.9995 { return fixed(seconds, decimals: 1) + " s" }
    return fixed(seconds * 1000, decimals: seconds < 0.00995 ? 1 : 0) + " ms"
  }

  /// Formats whole seconds such as `0:05` or `1:02:03`.
  package static func clock(_ seconds: Int) -> String {
    let minutes = seconds / 60
    let rest = padded(seconds % 60, to: 2)
    if minutes < 60 { return "\(minutes):\(rest)" }
    return "\(minutes / 60):\(padded(minutes % 60, to: 2)):\(rest)"
  }

  /// Formats a bitrate such as `127.9 kb/s`.
  package static func bitrate(_ bitsPerSecond: Double) -> String {
    fixed(bitsPerSecond / 1000, decimals: 1) + " kb/s"
  }

  /// Formats a bitrate without rounding, such as `128 kb/s` or `18.75 kb/s`.
  package static func exactBitrate(_ bitsPerSecond: Int) -> String {
    thousands(bitsPerSecond) + " kb/s"
  }

  /// Formats the limits of a bitrate without rounding, such as `18.75 to 575.25 kb/s`.
  package static func bitrateRange(_ lowest: Int, _ highest: Int) -> String {
    thousands(lowest) + " to " + exactBitrate(highest)
  }

  /// Formats a frequency such as `44.1 kHz` or `16 kHz`.
  package static func frequency(_ hertz: Int) -> String {
    hertz < 1000 ? "\(hertz) Hz" : thousands(hertz) + " kHz"
  }

  /// Formats a number in thousands, with at most three decimals.
  private static func thousands(_ number: Int) -> String {
    var text = fixed(Double(number) / 1000, decimals: 3)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// Formats a speed such as `152×` or `0.84×`.
  package static func speed(_ factor: Double) -> String {
    fixed(factor, decimals: factor < 9.95 ? 2 : factor < 99.5 ? 1 : 0) + "×"
  }

  /// Formats a number with a noun: “1 file”, “2 files”.
  package static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }
}
