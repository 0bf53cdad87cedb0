/// The options `--start`, `--end` and `--duration` of commands that read a part of a file.
struct PartChoice: Equatable, Sendable {
  var start = Duration.zero
  var end: Duration?
  var duration: Duration?

  /// Rejects an end with a duration, and an end before the start.
  func check() throws(UsageError) {
    guard let end else { return }
    try reject(if: duration != nil, "The options --end and --duration exclude each other.")
    try reject(if: end <= start, "--end must be later than --start.")
  }
}
