import AacornRecording

/// The result for one input, for people and for programs.
protocol FileReport: Sendable {
  /// Things worth knowing that are not errors, as sentences.
  var warnings: [String] { get }
  /// Seconds of audio.
  var duration: Double { get }
  /// The size of the file in bytes.
  var byteCount: Int { get }
  /// What the exit code must tell, although there is a result.
  var status: ExitStatus { get }
  /// One line for people.
  var line: String { get }
  /// The JSON object for programs; keys keep their names and order.
  var json: JSONValue { get }
}
