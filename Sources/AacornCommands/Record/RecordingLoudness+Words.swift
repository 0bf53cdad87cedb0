import AacornRecording
import AacornSystem

// Loudness for people and for programs.
extension RecordingLoudness {
  /// “-23.1 LUFS”, as it is now; nil if it is silent.
  var currentText: String? { current.map { Self.number($0) + " LUFS" } }

  /// “-18.3 LUFS, range 5.2 LU, true peak -1.2 dBTP”, of the whole; nil if it is silent.
  var totalText: String? {
    guard let integrated else { return nil }
    var text = Self.number(integrated) + " LUFS"
    if let range { text += ", range \(Self.number(range)) LU" }
    return text + ", true peak \(Self.number(truePeak)) dBTP"
  }

  /// What was measured while it ran; keys keep their names and order.
  var members: [JSONValue.Member] {
    [
      .init("momentary", Self.level(momentary)), .init("shortTerm", Self.level(shortTerm)),
      .init("integrated", Self.level(integrated)), .init("truePeak", Self.level(truePeak)),
    ]
  }

  /// What the whole comes to.
  var totalMembers: [JSONValue.Member] {
    [
      .init("loudness", Self.level(integrated)), .init("loudnessRange", Self.level(range)),
      .init("truePeak", Self.level(truePeak)),
    ]
  }

  // Silence is minus infinity, which JSON lacks: null.
  private static func level(_ value: Float?) -> JSONValue {
    value.map { .decimal(Double($0), 2) } ?? .null
  }

  private static func number(_ value: Float) -> String {
    QuantityText.fixed(Double(value), decimals: 1)
  }
}
