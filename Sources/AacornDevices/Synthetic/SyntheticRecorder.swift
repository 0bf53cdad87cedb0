import AacornSystem

/// What a simulated output has played, with the times at which it sounded; for tests.
public final class SyntheticRecorder: Sendable {
  /// Frames that sounded one after the other.
  public struct Piece: Sendable, Equatable {
    /// When the first of them sounded.
    public var time: Int64
    /// The number of the first in the feed, or of the next if all are silence.
    public var firstFrame: Int
    /// How many came from the feed; silence follows them.
    public var feedFrameCount: Int
    /// All of them, interleaved.
    public var samples: [Float]

    /// Creates a piece.
    public init(time: Int64, firstFrame: Int, feedFrameCount: Int, samples: [Float]) {
      self.time = time
      self.firstFrame = firstFrame
      self.feedFrameCount = feedFrameCount
      self.samples = samples
    }
  }

  private let recorded = Lock<[Piece]>([])
  private let channelCount: Int

  /// Creates a recorder for sound with this many channels.
  public init(channelCount: Int) {
    self.channelCount = max(1, channelCount)
  }

  /// The pieces so far.
  public var pieces: [Piece] { recorded.withLock { $0 } }

  /// All that was played so far, with the silence between.
  public var samples: [Float] { pieces.flatMap(\.samples) }

  /// What came from the feed so far, without the silence between.
  public var feedSamples: [Float] {
    pieces.flatMap { $0.samples.prefix($0.feedFrameCount * channelCount) }
  }

  /// How many frames have come from the feed so far.
  public var feedFrameCount: Int {
    recorded.withLock { pieces in pieces.reduce(0) { $0 + $1.feedFrameCount } }
  }

  /// Adds a piece.
  func record(_ piece: Piece) {
    recorded.withLock { $0.append(piece) }
  }
}
