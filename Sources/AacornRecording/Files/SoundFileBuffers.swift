public import AacornSignal
import AacornSystem

/// A block of frames of a sound file.
public struct SoundFileBuffer: Equatable, Sendable {
  /// Interleaved samples; full scale is ±1.
  public let samples: [Float]
  /// Frames per second.
  public let sampleRate: Int
  /// Samples per frame.
  public let channelCount: Int
  /// The loudspeaker of each channel, if the file specifies it.
  public let layout: ChannelLayout?

  /// The number of frames in the buffer.
  public var frameCount: Int { samples.count / channelCount }
}

/// The audio of a file in buffers, read on threads outside of Swift's concurrency.
///
///     for try await buffer in SoundFileBuffers("song.m4a") { … }
///
/// The file is opened when the first buffer is requested. Errors are of the type ``AACFileError``.
public struct SoundFileBuffers: AsyncSequence, Sendable {
  private let path: String
  private let frameCount: Int

  /// Creates a sequence of a file's buffers.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - frameCount: Frames per buffer, at least 1; the last one may have fewer.
  public init(_ path: String, frameCount: Int = 32_768) {
    self.path = path
    self.frameCount = Swift.max(1, frameCount)
  }

  /// Creates an iterator that reads the file from its beginning.
  public func makeAsyncIterator() -> Iterator {
    Iterator(feed: Feed(path: path, frameCount: frameCount))
  }

  /// Reads one buffer after another.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let feed: Feed

    /// Returns the next buffer; nil at the end.
    public mutating func next() async throws -> SoundFileBuffer? {
      let feed = feed
      return try await ThreadBridge.run { (_) throws(AACFileError) in try feed.next() }
    }
  }

  /// The reader, used by one thread at a time.
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
