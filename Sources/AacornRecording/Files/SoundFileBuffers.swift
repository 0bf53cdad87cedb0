public import AacornSignal
import AacornSystem

/// Some frames of a sound file.
public struct SoundFileBuffer: Equatable, Sendable {
  /// Interleaved samples at full scale ±1.
  public let samples: [Float]
  /// Frames per second.
  public let sampleRate: Int
  /// Samples per frame.
  public let channelCount: Int
  /// The loudspeaker of each channel, if the file says so.
  public let layout: ChannelLayout?

  /// How many frames there are.
  public var frameCount: Int { samples.count / channelCount }
}

/// The sound of a file in pieces, read on threads that Swift's concurrency does not wait for.
///
///     for try await buffer in SoundFileBuffers("song.m4a") { … }
///
/// The file is opened when the first piece is asked for. Errors are of the type ``AACFileError``.
public struct SoundFileBuffers: AsyncSequence, Sendable {
  private let path: String
  private let frameCount: Int

  /// The pieces of a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - frameCount: Frames of a piece, at least 1; the last one may have fewer.
  public init(_ path: String, frameCount: Int = 32_768) {
    self.path = path
    self.frameCount = Swift.max(1, frameCount)
  }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator {
    Iterator(feed: Feed(path: path, frameCount: frameCount))
  }

  /// Gives one piece after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let feed: Feed

    /// The next piece; nil at the end.
    public mutating func next() async throws -> SoundFileBuffer? {
      let feed = feed
      return try await FileThread.run { (_) throws(AACFileError) in try feed.next() }
    }
  }

  /// The reader, which one thread after the other uses.
  fileprivate final class Feed: Sendable {
    private let path: String
    private let frameCount: Int
    private let reader = Lock<SoundFileReader?>(nil)

    init(path: String, frameCount: Int) {
      self.path = path
      self.frameCount = frameCount
    }

    func next() throws(AACFileError) -> SoundFileBuffer? {
      try reader.withLock { (slot) throws(AACFileError) in
        let reader: SoundFileReader
        if let slot {
          reader = slot
        } else {
          reader = try SoundFileReader(path)
          slot = reader
        }
        var samples: [Float] = []
        guard try reader.read(frameCount: frameCount, into: &samples) > 0 else { return nil }
        return SoundFileBuffer(
          samples: samples, sampleRate: reader.info.sampleRate,
          channelCount: reader.info.channelCount, layout: reader.info.layout)
      }
    }
  }
}
