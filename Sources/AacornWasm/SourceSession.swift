import AacornSignal
import AacornSoundFiles

/// The header of a WAV, AIFF or CAF file, with bytes fetched by JavaScript.
final class SourceSession: Session {
  private var reader = PCMFileReader()
  private(set) var info: PCMFileInfo?
  private let byteCount: UInt64
  /// The next file offset to read.
  private(set) var position: UInt64 = 0
  /// The container of the file, once its first bytes have arrived.
  private(set) var container = SoundContainer.unknown

  override var asSource: SourceSession? { self }

  init(byteCount: UInt64) {
    self.byteCount = byteCount
  }

  /// Parses bytes at `position`, or the end of the file if there are none.
  ///
  /// Returns 1 once the header is complete, 0 if more bytes are needed, or a failure.
  func push(_ count: Int) -> Int32 {
    if info != nil { return 1 }
    guard let bytes = bytes(count) else { return Failure.tooManySamples }
    if position == 0 { container = SoundContainer(FileKind(prefix: bytes.span)) }
    do throws(PCMFileError) {
      let step = bytes.isEmpty ? try reader.finish() : try reader.push(bytes.span)
      switch step {
      case .needMore: position += UInt64(bytes.count)
      case .seek(let offset): position = offset
      case .ready(let info):
        self.info = info
        position = info.dataOffset
        return 1
      }
      return 0
    } catch {
      return Failure.of(error)
    }
  }

  var frameCount: UInt64 { info?.frameCount(inFileOf: byteCount) ?? 0 }
}

/// The container of an audio file; the numbers are also in sound-reader.js.
enum SoundContainer: Int32 {
  case unknown = 0
  case wav = 1
  case aiff = 2
  case caf = 3
  case adts = 4
  case latm = 5
  case adif = 6
  case mp4 = 7
  case transportStream = 8

  /// Returns the container of a file of samples; unknown for all other files.
  init(_ kind: FileKind) {
    switch kind {
    case .wav: self = .wav
    case .aiff: self = .aiff
    case .caf: self = .caf
    case .other, .unknown: self = .unknown
    }
  }
}
