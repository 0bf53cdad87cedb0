import AacornRecording
import AacornSystem

/// The keys that start and stop tracks: the digits 1 to 9, for files and test signals in the order
/// of their options.
struct TrackKeys: Sendable, Equatable {
  /// The names of these tracks; the first has key 1.
  let names: [String]
  /// The names of the tracks that are silent until their key is pressed.
  let waiting: [String]

  /// The maximum number of keys.
  static let limit = 9

  /// Assigns keys to tracks.
  init(_ tracks: [SoundChoice.Track]) {
    let played = tracks.filter(\.isSynthetic).prefix(Self.limit).map(\.configuration)
    names = played.map(\.name)
    waiting = played.filter { !$0.startsByItself }.map(\.name)
  }

  func track(_ number: Int) -> String? {
    names.indices.contains(number - 1) ? names[number - 1] : nil
  }

  /// The help for the keys; nil if there are none.
  var help: String? {
    if names.isEmpty { return nil }
    let keys = names.enumerated().map { "\($0.offset + 1) “\(displayed($0.element))”" }
    return "Keys that start and stop tracks: \(keys.joined(separator: ", "))."
  }

  /// The warning about tracks that wait for a key when keys are unavailable; nil if there are none.
  var warning: String? {
    if waiting.isEmpty { return nil }
    let tracks = waiting.map { "“\(displayed($0))”" }.joined(separator: ", ")
    return
      "Without a terminal there are no keys, so these tracks never start: \(tracks). Give --start-track a time."
  }

  /// Rejects tracks that wait for a key if `--quiet` disables keys and warnings.
  func check(isQuiet: Bool) throws(UsageError) {
    guard isQuiet, let name = waiting.first else { return }
    throw UsageError(
      "The track “\(displayed(name))” waits for its key, but --quiet disables the keys.",
      hint: "Give --start-track a time, or omit --quiet.")
  }
}
