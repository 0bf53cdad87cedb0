public import AacornSignal
import AacornSystem

/// Reads a sound file as samples.
///
/// The formats are WAV, AIFF, CAF; AAC in ADTS, LATM, ADIF, MP4 or a transport stream; and formats
/// of the system's sound library, such as FLAC and MP3.
///
///     let reader = try SoundFileReader("song.m4a")
///     var samples: [Float] = []
///     while try reader.read(frameCount: 4096, into: &samples) > 0 {
///       …
///       samples.removeAll(keepingCapacity: true)
///     }
///
/// Reading blocks for the disk; apps can use ``SoundFileBuffers`` instead. One thread at a time may
/// use a reader.
public final class SoundFileReader {
  /// The format of a file's audio.
  public struct Info: Equatable, Sendable {
    /// Frames per second.
    public let sampleRate: Int
    /// Samples per frame.
    public let channelCount: Int
    /// The loudspeaker of each channel, if the file specifies it.
    public let layout: ChannelLayout?
    /// The number of frames, if known in advance.
    public let frameCount: Int?
    /// Whether the samples are decoded from AAC.
    public let isAAC: Bool
  }

  /// The format of the file's audio.
  public let info: Info
  private let sound: SeekableSound
  /// Samples; the ones from `first` on are unread.
  private var waiting: [Float] = []
  private var first = 0

  /// Opens a file and reads its header.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: The reason why the file cannot be read.
  public convenience init(_ path: String) throws(AACFileError) {
    self.init(try SeekableSound(AACFile.filePath(path), interruption: Interruption()))
  }

  /// Creates a reader of an open file at its first frame.
  init(_ sound: SeekableSound) {
    self.sound = sound
    info = Info(
      sampleRate: sound.sampleRate, channelCount: sound.channelCount, layout: sound.layout,
      frameCount: sound.frameCount, isAAC: sound.isAAC)
  }

  /// The index of the next frame.
  var position: Int { sound.position - (waiting.count - first) / info.channelCount }

  /// The damage found up to now, as a clause about the file; nil if there is none.
  var damage: String? { sound.damage(wasUsed: "used") }

  /// Appends the next frames, interleaved, and returns their number: fewer than requested only at
  /// the end.
  public func read(
    frameCount: Int, into samples: inout [Float]
  ) throws(AACFileError) -> Int {
    let wanted = frameCount * info.channelCount
    var taken = 0
    while taken < wanted {
      if first == waiting.count {
        first = 0
        guard try sound.next(into: &waiting) else { break }
      }
      let count = min(wanted - taken, waiting.count - first)
      samples += waiting[first..<first + count]
      first += count
      taken += count
    }
    return taken / info.channelCount
  }

  /// Seeks exactly to a frame; returns false if the file can only be read forward.
  @discardableResult
  func seek(toFrame frame: Int) throws(AACFileError) -> Bool {
    waiting.removeAll(keepingCapacity: true)
    first = 0
    return try sound.seek(toFrame: frame)
  }
}

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
