public import AacornRecording

/// The summary of a playback.
public struct PlayerSummary: Sendable, Equatable {
  /// The number of played items.
  ///
  /// A repeated item counts every time.
  public var playedItemCount = 0
  /// The duration of the played audio.
  public var playedDuration = Duration.zero
  /// The last played position.
  public var position: PlayerPosition?
  /// Whether the last item was played to its end.
  public var isComplete = false
  /// The items that could not be read, or not to their end, by index.
  public var unreadable: [Int: AACFileError] = [:]
  /// The indices of damaged items.
  public var damaged: Set<Int> = []
  /// The lost duration of live streams.
  public var lost = Duration.zero
  /// The number of times samples were late.
  public var underrunCount = 0
  /// The error that ended the playback; nil without one.
  public var failure: PlayerError?

  /// Creates the summary of an empty playback.
  public init() {}
}
