import AacornContainers
package import AacornSignal
import AacornSoundFiles
package import AacornSystem

/// Random access to the samples of a file or pipe in any supported format.
///
/// One thread at a time may use it. Damage is concealed as in decoding, and reported at the end.
package final class SeekableSound {
  private enum Reader {
    /// Uncompressed samples.
    case stored(InputFile, PCMFileInfo)
    /// AAC; the decoder is a separate property, so that it is changed in place.
    case coded(InputFile)
    /// Another format; the file is retained to keep it open.
    case library(LibrarySoundFile, InputFile)
  }

  /// The name in messages.
  package let name: String
  /// Frames per second.
  package let sampleRate: Int
  /// Samples per frame.
  package let channelCount: Int
  /// The loudspeaker of each channel, if known.
  package let layout: ChannelLayout?
  /// The number of frames, if known in advance.
  package let frameCount: Int?
  package var isAAC: Bool { if case .coded = reader { true } else { false } }
  /// The index of the next frame.
  package private(set) var position = 0

  /// An object to retain while the sound is read.
  package var companion: AnyObject?

  /// Whether the audio is a live stream.
  ///
  /// A partial frame at the beginning or after a break does not count as damage in a live stream.
  package var isBroadcast = false

  private let interruption: Interruption
  private let reader: Reader
  private var coded: CodedSound?
  private var frames: PCMFrameReader
  /// The range of samples in the block that was read with the header.
  private var leftover: Range<Int>?
  private var block: [UInt8]
  private var floats: [Float] = []
  private var isAtEnd = false
  /// Frames to drop before the next ones.
  private var skipCount = 0

  private static let blockSize = 16_384
  /// The number of frames to request from the system's library.
  private static let libraryFrameCount = 2048

  /// Opens a file or pipe and reads its header.
  ///
  /// - Parameters:
  ///   - path: The path; `-` is standard input.
  ///   - name: The name in messages; nil for the path.
  ///   - endless: Whether a pipe has no known end, so that MPEG audio is decoded as it arrives.
  ///   - usesLibrary: Whether the system's library may read the file.
  ///   - interruption: Cancels reading with an error of the kind `interrupted`; the sound is
  ///     unusable then.
  /// - Throws: The reason why the file cannot be read.
  package init(
    _ path: String, name: String? = nil, endless: Bool = false, usesLibrary: Bool = true,
    interruption: Interruption
  ) throws(AACFileError) {
    self.interruption = interruption
    var block = [UInt8](repeating: 0, count: Self.blockSize)
    let file = try InputFile(path, name: name, interruption: interruption)
    let sound = try DetectedSound(
      in: file, block: &block, endless: endless, usesLibrary: usesLibrary)
    self.name = file.path
    self.block = block
    let info = sound.info(of: file)
    sampleRate = info.format.sampleRate
    channelCount = info.format.channelCount
    layout = info.format.layout
    frameCount = sound.frameCount(of: file)
    frames = PCMFrameReader(format: info.format, byteCount: info.dataByteCount)
    switch sound {
    case .stored(_, let leftover):
      reader = .stored(file, info)
      self.leftover = leftover
    case .coded(let sound):
      reader = .coded(file)
      coded = sound
    case .library(let sound): reader = .library(sound, file)
    }
  }

  /// Whether earlier frames can be read again.
  package var isSeekable: Bool {
    switch reader {
    case .stored(let file, _), .coded(let file), .library(_, let file): file.isSeekable
    }
  }

  /// The title, performer and album, if the file has them; read once.
  package private(set) lazy var tags = readTags()

  private func readTags() -> (title: String?, artist: String?, album: String?) {
    guard let tags = try? coded?.tags().tags else { return (nil, nil, nil) }
    return (tags.title, tags.artist, tags.album)
  }

  /// The damage found up to now, as a message; nil if there is none.
  package var damageMessage: String? {
    coded?.concealmentWarning ?? damage(wasUsed: "played").map { "“\(displayed(name))” \($0)." }
  }

  /// Returns the damage found up to now, as a clause about a file that was “played” or otherwise
  /// used; nil if there is none.
  func damage(wasUsed participle: String) -> String? {
    var incomplete: String { "is damaged or cut off; the readable part was \(participle)" }
    switch reader {
    case .library(let sound, _):
      // Unread frames are not damage before the end.
      return isAtEnd && skipCount == 0 && sound.shortfall != nil ? incomplete : nil
    case .stored(let file, let info):
      // A header in a pipe may state a wrong length, because its writer did not know the final
      // length.
      guard isAtEnd, file.isSeekable, let count = frames.remainingByteCount else { return nil }
      return info.shortfall(count, wasUsed: participle)
    case .coded:
      guard let coded, coded.isDamaged else { return nil }
      if let clause = coded.damage.concealment() { return "is damaged: \(clause)" }
      return isBroadcast ? nil : incomplete
    }
  }

  // MARK: Reading

  /// Replaces `samples` with the next frames, interleaved, at least one; returns false at the end.
  package func next(into samples: inout [Float]) throws(AACFileError) -> Bool {
    while true {
      samples.removeAll(keepingCapacity: true)
      guard try read(into: &samples) else {
        isAtEnd = true
        return false
      }
      let count = samples.count / channelCount
      let skipped = min(skipCount, count)
      skipCount -= skipped
      position += count - skipped
      if skipped > 0 { samples.removeFirst(skipped * channelCount) }
      if !samples.isEmpty { return true }
      if let signal = interruption.signal { throw AACFileError(signal: signal) }
    }
  }

  /// Reads the next frames, possibly none; returns false at the end.
  private func read(into samples: inout [Float]) throws(AACFileError) -> Bool {
    switch reader {
    case .coded:
      if coded == nil {
        throw AACFileError(
          .badInput, "“\(displayed(name))” could not be opened again.",
          suggestion: .text("Open it again."))
      }
      guard try coded?.next() == true else { return false }
      samples += coded?.samples ?? []
      return true
    case .stored(let file, _):
      if frames.isAtEnd { return false }
      if let leftover {
        self.leftover = nil
        appendFrames(leftover, into: &samples)
        return true
      }
      let count = try file.read(into: &block)
      if count == 0 { return false }
      appendFrames(0..<count, into: &samples)
      return true
    case .library(let sound, let file):
      if let signal = interruption.signal { throw AACFileError(signal: signal) }
      let wanted = Self.libraryFrameCount * channelCount
      if floats.count != wanted { floats = [Float](repeating: 0, count: wanted) }
      let count = unsafe floats.withUnsafeMutableBytes { bytes in unsafe sound.read(into: bytes) }
      if count == 0 {
        if let error = sound.systemError { throw AACFileError(.read, file.path, because: error) }
        #if os(Linux)
        if let failure = sound.streamFailure { throw failure }
        #endif
        return false
      }
      samples += floats[..<(count * channelCount)]
      return true
    }
  }

  private func appendFrames(_ range: Range<Int>, into samples: inout [Float]) {
    let bytes = block
    frames.read(bytes.span.extracting(range), into: &samples)
  }

  // MARK: Positions

  /// Seeks exactly to a frame; a frame beyond the end means the end.
  ///
  /// Returns false and changes nothing if the input can only be read forward.
  package func seek(toFrame frame: Int) throws(AACFileError) -> Bool {
    let frame = max(0, frame)
    // `position` includes the frames that must still be skipped, although they have not been read.
    let reached = position
    if frame == reached, skipCount == 0 { return true }
    isAtEnd = false
    if !isSeekable {
      guard frame >= reached else { return false }
      skip(frame - reached)
      return true
    }
    switch reader {
    case .stored(let file, let info):
      let size = info.format.bytesPerFrame
      let (distance, isTooFar) = frame.multipliedReportingOverflow(by: size)
      let all = info.dataByteCount ?? .max
      let offset = isTooFar ? all : min(UInt64(distance), all)
      let (fileOffset, overflow) = info.dataOffset.addingReportingOverflow(offset)
      try file.seek(to: overflow ? .max : Int(clamping: fileOffset))
      leftover = nil
      frames = PCMFrameReader(
        format: info.format, byteCount: info.dataByteCount.map { $0 - min($0, offset) })
    case .coded(let file):
      // For a short distance, decoding is faster than opening the file again.
      if frame > reached, frame - reached < 2 * sampleRate {
        skip(frame - reached)
        return true
      }
      var options = AACFile.DecodingOptions()
      options.start = Duration(samples: frame, at: sampleRate)
      coded = nil
      coded = try CodedSound(file, name: name, options: options, for: .encoding)
    case .library(let sound, _):
      if frame > reached {
        skip(frame - reached)
        return true
      }
      if !sound.rewind() {
        throw AACFileError(
          .badInput, "“\(displayed(name))” has changed while it was being read.",
          suggestion: .text("Open it again."))
      }
      skipCount = frame
      position = frame
      return true
    }
    skipCount = 0
    position = frame
    return true
  }

  private func skip(_ count: Int) {
    skipCount += count
    position += count
  }
}
