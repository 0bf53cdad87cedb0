public import AacornDevices
public import AacornSignal
import AacornSystem

/// A sound file as a signal, so that it can be recorded like a microphone.
///
/// The file can be WAV, AIFF or CAF, an AAC file, or a file that the system's sound library reads.
///
/// A copy reads independently: the position in the file belongs to the value. Copies share the open
/// file until their positions differ; then one of them opens the file again.
public struct FileSignal: SyntheticSignal {
  /// Frames per second.
  public var sampleRate: Int { info.sampleRate }
  /// Samples per frame.
  public var channelCount: Int { info.channelCount }
  /// The position of each channel, if the file specifies it.
  public var layout: ChannelLayout? { info.layout }
  /// The number of frames, if the file specifies it.
  public var frameCount: Int? { info.frameCount }
  /// The error that ended reading, or the damage found up to now.
  public private(set) var failure: DeviceError?

  private let path: String
  private let usesLibrary: Bool
  private let info: SoundFileReader.Info
  private var reader: Lock<SoundFileReader>
  /// The index of the next frame.
  private var position = 0

  /// Opens a file and reads its header.
  public init(path: String) throws(DeviceError) {
    try self.init(path: path, usesLibrary: true)
  }

  /// Opens a file; if our own readers reject it and `usesLibrary` is set, uses the system's
  /// library.
  init(path: String, usesLibrary: Bool) throws(DeviceError) {
    if let status = try? System.status(of: path), status.kind != .file {
      throw .unreadableFile(path: path, reason: "it is not a regular file. Name a sound file")
    }
    self.path = path
    self.usesLibrary = usesLibrary
    do throws(AACFileError) {
      reader = try Self.open(path, usesLibrary)
      info = reader.withLock(\.info)
    } catch {
      throw .unreadableFile(path: path, reason: error.clause(about: path))
    }
  }

  private static func open(
    _ path: String, _ usesLibrary: Bool
  ) throws(AACFileError) -> Lock<SoundFileReader> {
    Lock(
      SoundFileReader(
        try SeekableSound(
          AACFile.filePath(path), name: path, usesLibrary: usesLibrary, interruption: .never))
    )
  }

  /// Appends the next frames and returns their number: fewer than requested only at the end.
  public mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    if let failure, !failure.isDamage { return 0 }
    let (first, start) = (samples.count, position)
    do throws(AACFileError) {
      // A copy in the middle needs its own reader: seeking for each block would be too slow.
      if start > 0, reader.withLock({ $0.position != start }) {
        reader = try Self.open(path, usesLibrary)
      }
      let damage = try reader.withLock { (reader) throws(AACFileError) in
        if reader.position != start { try reader.seek(toFrame: start) }
        _ = try reader.read(frameCount: frameCount, into: &samples)
        return reader.damage
      }
      if let damage { failure = .damagedFile(path: path, reason: damage) }
    } catch {
      failure = .unreadableFile(path: path, reason: error.clause(about: path))
    }
    let count = (samples.count - first) / channelCount
    position += count
    return count
  }
}

extension AACFileError {
  /// Returns the problem of the file at `path`, and its remedy, as a clause that follows the path.
  fileprivate func clause(about path: String) -> String {
    var text = problem
    if let systemError {
      let (reason, advice) = Self.explanation(of: systemError, isWriting: false)
      text = "\(reason). \(advice.description)"
    } else {
      let subject = "“\(displayed(path))” "
      if text.hasPrefix(subject) { text = "it " + text.dropFirst(subject.count) }
      if case .text(let remedy) = recoverySuggestion { text += " " + remedy }
    }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

/// A signal that restarts whenever it ends, without a gap.
package struct RepeatedSignal: SyntheticSignal {
  private let original: any SyntheticSignal
  private var current: any SyntheticSignal
  /// The damage that an earlier pass over the signal has reported.
  private var damage: DeviceError?

  /// Repeats a signal that has not been read.
  package init(_ signal: any SyntheticSignal) {
    original = signal
    current = signal
  }

  package var sampleRate: Int { original.sampleRate }
  package var channelCount: Int { original.channelCount }
  package var layout: ChannelLayout? { original.layout }
  package var failure: DeviceError? { current.failure ?? damage }

  package mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    var filled = 0
    var isFresh = false
    while filled < frameCount {
      let count = current.read(into: &samples, frameCount: frameCount - filled)
      filled += count
      if filled == frameCount { break }
      if let failure = current.failure {
        guard failure.isDamage else { break }
        damage = failure
      }
      // An empty signal would be repeated forever.
      if isFresh && count == 0 { break }
      isFresh = true
      current = original
    }
    return filled
  }
}
