import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles

/// The samples of a sound file of any kind.
///
/// All methods are mutating: what is asked in place need not be copied.
struct FileSound {
  /// Who reads the file.
  private enum Kind {
    case unknown
    case coded
    case stored
  }

  private let byteCount: UInt64
  private let options: CodedSoundReader.Options
  private var kind = Kind.unknown
  private var coded: CodedSoundReader
  private var stored: StoredSound
  private var storedContainer = SoundContainer.unknown
  /// Why there is nothing more to be read.
  private(set) var failure: Int32?

  /// A file of `byteCount` bytes.
  init(byteCount: UInt64, options: CodedSoundReader.Options) {
    self.byteCount = byteCount
    self.options = options
    coded = CodedSoundReader(byteCount: byteCount, options: options)
    stored = StoredSound(byteCount: byteCount)
  }

  /// The next event; the end where there is a failure.
  mutating func step() -> CodedSoundReader.Step {
    if failure != nil { return .end }
    switch kind {
    case .unknown:
      let count = min(UInt64(PCMFileKind.longPrefixCount), byteCount)
      if count > 0 { return .need(offset: 0, count: Int(count)) }
      failure = Failure.notRecognized
    case .stored:
      do throws(PCMFileError) {
        return try stored.step()
      } catch {
        failure = Failure.of(error)
      }
    case .coded:
      do throws(CodedSoundError) {
        return try coded.step()
      } catch {
        failure = Failure.of(error)
      }
    }
    return .end
  }

  /// Takes the wanted bytes; fewer mean that the file ends there.
  mutating func supply(_ bytes: [UInt8]) {
    switch kind {
    case .coded: coded.supply(bytes)
    case .stored:
      do throws(PCMFileError) {
        try stored.supply(bytes)
      } catch {
        failure = Failure.of(error)
      }
    case .unknown:
      // Who reads the file asks for its first bytes again.
      storedContainer = SoundContainer(PCMFileKind(prefix: bytes.span))
      kind = storedContainer == .unknown ? .coded : .stored
    }
  }

  /// The interleaved samples of the last step.
  mutating func samples() -> [Float] { kind == .coded ? coded.samples : stored.samples }

  /// What the file is.
  mutating func container() -> SoundContainer {
    guard kind == .coded else { return storedContainer }
    return switch coded.kind {
    case .adts: .adts
    case .latm: .latm
    case .adif: .adif
    case .mp4: .mp4
    case .transportStream: .transportStream
    case nil: .unknown
    }
  }

  /// The movie, once its tables are read; nil for other files.
  mutating func movie() -> MP4Reader? { kind == .coded ? coded.movie : nil }

  /// Samples per channel of the whole file, or −1 if it does not tell.
  mutating func frameCount() -> Double {
    guard kind == .coded else { return Double(stored.frameCount) }
    guard let count = coded.frameCount else { return -1 }
    return Double(count)
  }

  /// Continues with the frame of this number; where that is not possible, it begins anew, and the
  /// result is false.
  mutating func seek(toFrame frame: UInt64) -> Bool {
    guard kind == .coded else { return stored.seek(toFrame: frame) }
    if coded.seek(toFrame: Int(clamping: frame)) { return true }
    coded = CodedSoundReader(byteCount: byteCount, options: options)
    return false
  }
}
