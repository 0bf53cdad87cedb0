import AacornRecording

/// The result for one input, human-readable and as JSON.
protocol FileReport: Sendable {
  /// Warnings about the result.
  var warnings: [String] { get }
  /// The duration of the audio in seconds.
  var duration: Double { get }
  /// The size of the file in bytes.
  var byteCount: Int { get }
  /// The exit status for the result, for example for a damaged input.
  var status: ExitStatus { get }
  /// A human-readable line.
  var line: String { get }
  /// The result as JSON, with stable names and order of the keys.
  var json: JSONValue { get }
}
