public import AacornDevices
public import AacornSignal
import AacornSoundFiles
import AacornSystem

/// A sound file as a signal, so that it can be recorded like a microphone: WAV, AIFF or CAF; one with
/// AAC; or what the system's sound library reads.
///
/// A copy reads independently: the position in the file belongs to the value.
public struct FileSignal: SyntheticSignal {
  /// Frames per second.
  public let sampleRate: Int
  /// Samples per frame.
  public let channelCount: Int
  /// What each channel is, if the file says so.
  public let layout: ChannelLayout?
  /// How many frames there are, if the file says so.
  public let frameCount: Int?
  /// Why reading ended early, or the damage that was found so far.
  public private(set) var failure: CaptureError?

  private let file: SignalFile
  private var reader: Reader

  private enum Reader: Sendable {
    /// Samples as they lie in the file.
    case stored(StoredSignal)
    /// AAC.
    case coded(CodedSignal)
    /// Sound of another kind.
    case library(LibrarySignal)
    /// One of these, which is reading.
    case taken
  }

  /// Opens a file and reads its header.
  public init(path: String) throws(CaptureError) {
    try self.init(path: path, usesLibrary: true)
  }

  /// Opens a file, and if our own readers refuse it and `usesLibrary` is set, with the system's
  /// library.
  init(path: String, usesLibrary: Bool) throws(CaptureError) {
    let file = try SignalFile(path)
    self.file = file
    let refusal: PCMFileError
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
      refusal = error
    }
    let (kind, head) = file.kind()
    if refusal.isForOtherReaders && (kind.isDecoded || kind == .unknown && file.hasFrames) {
      let sound = try CodedSignal(file)
      sampleRate = sound.format.sampleRate
      channelCount = sound.format.channelCount
      layout = sound.format.layout
      frameCount = sound.frameCount
      reader = .coded(sound)
      return
    }
    let use: SoundLibraryUse =
      usesLibrary ? SoundLibraryUse(after: refusal, kind: kind, head: head) : .never
    let sound = try file.librarySound(kind, use)
    sampleRate = sound.sampleRate
    channelCount = sound.channelCount
    layout = sound.layout
    frameCount = sound.frameCount
    reader = .library(LibrarySignal(sound))
  }

  /// Appends the next frames and returns how many: fewer than asked only at the end.
  public mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    let count: Int
    let problem: String?
    let damage: String?
    // Taken out of the property, or memory that a reader reads into would be copied.
    switch reader {
    case .stored(var sound):
      reader = .taken
      count = sound.read(into: &samples, frameCount: frameCount)
      (problem, damage) = (sound.problem, sound.damage)
      reader = .stored(sound)
    case .coded(var sound):
      reader = .taken
      count = sound.read(into: &samples, frameCount: frameCount)
      (problem, damage) = (sound.problem, sound.damage)
      reader = .coded(sound)
    case .library(var sound):
      reader = .taken
      count = sound.read(into: &samples, frameCount: frameCount)
      (problem, damage) = (sound.problem, sound.damage)
      reader = .library(sound)
    case .taken: return 0
    }
    if let damage { failure = .damagedFile(path: file.path, reason: damage) }
    if let problem { failure = file.unreadable(problem) }
    return count
  }
}
