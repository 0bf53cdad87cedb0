import AacornSystem

/// The frames that a simulated output has played, with their times; for tests.
public final class SyntheticRecorder: Sendable {
  /// Frames that were played without interruption.
  public struct Piece: Sendable, Equatable {
    /// The time at which the first frame was played, in nanoseconds.
    public var time: Int64
    /// The index in the feed of the piece's first frame.
    ///
    /// In a piece of silence, the index of the next frame that the feed will supply.
    public var firstFrame: Int
    /// The number of frames from the feed; silence follows them.
    public var feedFrameCount: Int
    /// All frames, interleaved.
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

  /// Creates a recorder for audio with this many channels.
  public init(channelCount: Int) {
    self.channelCount = max(1, channelCount)
  }

  /// The pieces played up to now.
  public var pieces: [Piece] { recorded.withLock { $0 } }

  /// All samples played up to now, with the silence in between.
  public var samples: [Float] { pieces.flatMap(\.samples) }

  /// The samples of the feed played up to now, without the silence in between.
  public var feedSamples: [Float] {
    pieces.flatMap { $0.samples.prefix($0.feedFrameCount * channelCount) }
  }

  /// The number of frames of the feed played up to now.
  public var feedFrameCount: Int {
    recorded.withLock { pieces in pieces.reduce(0) { $0 + $1.feedFrameCount } }
  }

  /// Adds a piece.
  func record(_ piece: Piece) {
    recorded.withLock { $0.append(piece) }
  }
}
