import AacornRecording
import AacornSystem

/// The keys that start and stop tracks: the digits, for those that are files or built-in sounds, in the
/// order in which they are named.
struct TrackKeys: Sendable, Equatable {
  /// The names of these tracks, that of key 1 first.
  let names: [String]
  /// The names of those that are silent until their key is pressed.
  let waiting: [String]

  /// The most that there are.
  static let limit = 9

  /// The keys for tracks.
  init(_ tracks: [SoundChoice.Track]) {
    let played = tracks.filter(\.isSynthetic).prefix(Self.limit).map(\.configuration)
    names = played.map(\.name)
    waiting = played.filter { !$0.startsByItself }.map(\.name)
  }

  /// The track of the key with this number; nil if it has none.
  func track(_ number: Int) -> String? {
    names.indices.contains(number - 1) ? names[number - 1] : nil
  }

  /// What the keys do; nil if there are none.
  var help: String? {
    if names.isEmpty { return nil }
    let keys = names.enumerated().map { "\($0.offset + 1) “\(displayed($0.element))”" }
    return "Keys that start and stop tracks: \(keys.joined(separator: ", "))."
  }

  /// Why tracks stay silent where no key is obeyed; nil if none waits for one.
  var warning: String? {
    if waiting.isEmpty { return nil }
    let tracks = waiting.map { "“\(displayed($0))”" }.joined(separator: ", ")
    return
      "Without a terminal there are no keys, so these tracks never start: \(tracks). Give --start-track a time."
  }

  /// Rejects tracks that wait for a key where none is obeyed, and no warning is read.
  func check(isQuiet: Bool) throws(UsageError) {
    guard isQuiet, let name = waiting.first else { return }
    throw UsageError(
      "The track “\(displayed(name))” waits for its key, but --quiet disables the keys.",
      advice: "Give --start-track a time, or omit --quiet.")
  }
}
