import AacornRecording
import AacornSystem

/// The JSON of the commands, in which names and order of the keys are stable.
extension JSONValue {
  /// Returns an event with its members, after its type and time.
  static func event(
    _ name: String, at wallTime: Int64 = System.wallNanoseconds, _ members: [Member] = []
  ) -> JSONValue {
    .object(
      [.init("event", .text(name)), .init("time", .text(Timestamp.iso8601(wallTime)))] + members)
  }

  /// Returns the event with the name of its stream, after its type and time.
  func adding(stream: String?) -> JSONValue {
    guard let stream, case .object(var members) = self else { return self }
    members.insert(.init("stream", .text(stream)), at: min(2, members.count))
    return .object(members)
  }

  /// Returns the number, limited to the range of `Int`.
  static func clamped(_ value: some BinaryInteger) -> JSONValue { .integer(Int(clamping: value)) }

  /// Returns the number with a fixed number of decimals, or null if there is none.
  static func optional(_ value: Double?, _ decimals: Int) -> JSONValue {
    value.map { .decimal($0, decimals) } ?? .null
  }

  /// Returns a level in a logarithmic unit, or null if there is none.
  ///
  /// Silence is −∞, which JSON cannot represent, so its value is null as well.
  static func level(_ value: Float?) -> JSONValue { .optional(value.map { Double($0) }, 2) }

  static func texts(_ values: some Sequence<String>) -> JSONValue {
    .list(values.map { .text($0) })
  }
}
