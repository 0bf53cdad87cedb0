import AacornRecording
import AacornSystem

// Loudness as human-readable text and as JSON.
extension RecordingLoudness {
  /// The current loudness, such as “-23.1 LUFS”; nil during silence.
  var currentText: String? { current.map { Self.number($0) + " LUFS" } }

  /// The total loudness, such as “-18.3 LUFS, range 5.2 LU, true peak -1.2 dBTP”; nil for silence.
  var totalText: String? {
    guard let integrated else { return nil }
    var text = Self.number(integrated) + " LUFS"
    if let range { text += ", range \(Self.number(range)) LU" }
    return text + ", true peak \(Self.number(truePeak)) dBTP"
  }

  /// The current measurements as JSON, with stable names and order of the keys.
  var members: [JSONValue.Member] {
    [
      .init("momentary", .level(momentary)), .init("shortTerm", .level(shortTerm)),
      .init("integrated", .level(integrated)), .init("truePeak", .level(truePeak)),
    ]
  }

  var totalMembers: [JSONValue.Member] {
    [
      .init("loudness", .level(integrated)), .init("loudnessRange", .level(range)),
      .init("truePeak", .level(truePeak)),
    ]
  }

  private static func number(_ value: Float) -> String {
    QuantityText.fixed(Double(value), decimals: 1)
  }
}
