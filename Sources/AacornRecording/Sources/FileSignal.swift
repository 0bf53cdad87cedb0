public import AacornDevices
public import AacornSignal
import AacornSoundFiles
import AacornSystem

/// A sound file as a signal, so that it can be recorded like a microphone.
///
/// The file can be WAV, AIFF or CAF, an AAC file, or a file that the system's sound library reads.
///
/// A copy reads independently: the position in the file belongs to the value.
public struct FileSignal: SyntheticSignal {
  /// Frames per second.
  public let sampleRate: Int
  /// Samples per frame.
  public let channelCount: Int
  /// The position of each channel, if the file specifies it.
  public let layout: ChannelLayout?
  /// The number of frames, if the file specifies it.
  public let frameCount: Int?
  /// The error that ended reading, or the damage found up to now.
  public private(set) var failure: DeviceError?

  private let file: SignalFile
  private var reader: Reader

  private enum Reader: Sendable {
    /// Uncompressed samples.
    case stored(StoredSignal)
    /// AAC.
    case coded(CodedSignal)
    /// Another format.
    case library(LibrarySignal)
    /// A placeholder while one of the readers is in use.
    case taken
  }

  /// Opens a file and reads its header.
  public init(path: String) throws(DeviceError) {
    try self.init(path: path, usesLibrary: true)
  }

  /// Opens a file; if our own readers reject it and `usesLibrary` is set, uses the system's
  /// library.
  init(path: String, usesLibrary: Bool) throws(DeviceError) {
    let file = try SignalFile(path)
    self.file = file
    let readerError: PCMFileError
    do throws(PCMFileError) {
      let info = try file.header()
      let sound = StoredSignal(info, in: file)
      sampleRate = info.format.sampleRate
      channelCount = info.format.channelCount
      layout = info.format.layout
      frameCount = sound.frameCount
      reader = .stored(sound)
      return
    } catch {
      readerError = error
    }
    let (kind, head) = file.kind()
    if readerError.isUnknownKind && (kind.isDecoded || kind == .unknown && file.hasFrames) {
      let sound = try CodedSignal(file)
      sampleRate = sound.format.sampleRate
      channelCount = sound.format.channelCount
      layout = sound.format.layout
      frameCount = sound.frameCount
      reader = .coded(sound)
      return
    }
    let use: SoundLibraryUse =
      usesLibrary ? SoundLibraryUse(after: readerError, kind: kind, head: head) : .never
    let sound = try file.librarySound(kind, use)
    sampleRate = sound.sampleRate
    channelCount = sound.channelCount
    layout = sound.layout
    frameCount = sound.frameCount
    reader = .library(LibrarySignal(sound))
  }

  /// Appends the next frames and returns their number: fewer than requested only at the end.
  public mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    let count: Int
    let problem: DeviceError?
    let damage: String?
    // Move the reader out of the property while it is in use, to avoid copies of its memory.
    switch reader {
    case .stored(var sound):
      reader = .taken
      count = sound.read(into: &samples, frameCount: frameCount)
      (problem, damage) = (sound.problem.map(file.unreadable), sound.damage)
      reader = .stored(sound)
    case .coded(var sound):
      reader = .taken
      count = sound.read(into: &samples, frameCount: frameCount)
      (problem, damage) = (sound.failure, sound.damage)
      reader = .coded(sound)
    case .library(var sound):
      reader = .taken
      count = sound.read(into: &samples, frameCount: frameCount)
      (problem, damage) = (sound.problem.map(file.unreadable), sound.damage)
      reader = .library(sound)
    case .taken: return 0
    }
    if let damage { failure = .damagedFile(path: file.path, reason: damage) }
    if let problem { failure = problem }
    return count
  }
}
