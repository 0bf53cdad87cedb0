import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles

/// A sound file of any kind whose bytes JavaScript fetches.
final class SoundSession: Session {
  private let byteCount: UInt64
  private let options: CodedSoundReader.Options
  // One of these, once the first bytes show which; separate, so that neither is ever copied.
  private var coded: CodedSoundReader?
  private var stored: StoredSound?
  private var storedContainer = SoundContainer.unknown
  private var failure: Int32?
  private var bytes: [UInt8] = []
  /// The wanted bytes.
  private(set) var wantedOffset: UInt64 = 0
  private(set) var wantedCount = 0
  /// The format that was told last.
  private(set) var format: SoundFormat?

  override var asSound: SoundSession? { self }

  /// A file of `byteCount` bytes.
  init(byteCount: UInt64, options: CodedSoundReader.Options) {
    self.byteCount = byteCount
    self.options = options
  }

  /// Continues until JavaScript has something to do.
  ///
  /// The result is 0 at the end, 1 if bytes are wanted, 2 if the format is known or another than
  /// before, 3 if there are samples, 4 if the next ones stand in for what is damaged, 5 if bytes
  /// were skipped, or a failure.
  func step() -> Int32 {
    if let failure { return failure }
    switch next() {
    case .need(let offset, let count):
      wantedOffset = offset
      wantedCount = count
      return 1
    case .format(let sampleRate, let channelCount, let layout):
      format = SoundFormat(sampleRate: sampleRate, channelCount: channelCount, layout: layout)
      return 2
    case .samples: return 3
    case .concealed: return 4
    case .damage: return 5
    case .end: return failure ?? 0
    }
  }

  /// The next event; the end if that fails.
  private func next() -> CodedSoundReader.Step {
    if stored != nil {
      do throws(PCMFileError) {
        if let step = try stored?.step() { return step }
      } catch {
        failure = Failure.of(error)
      }
      return .end
    }
    if coded == nil {
      let count = min(UInt64(PCMFileKind.longPrefixCount), byteCount)
      if count > 0 { return .need(offset: 0, count: Int(count)) }
      coded = CodedSoundReader(byteCount: byteCount, options: options)
    }
    do throws(CodedSoundError) {
      if let step = try coded?.step() { return step }
    } catch {
      failure = Failure.of(error)
    }
    return .end
  }

  /// Takes the wanted bytes; fewer means that the file ends there.
  func supply(_ count: Int) -> Int32 {
    guard wantedCount > 0, count <= wantedCount, copy(count, to: &bytes) else {
      return Failure.wrongMoment
    }
    wantedCount = 0
    if coded != nil {
      coded?.supply(bytes)
    } else if stored != nil {
      do throws(PCMFileError) {
        try stored?.supply(bytes)
      } catch {
        failure = Failure.of(error)
      }
    } else {
      recognize()
    }
    return 0
  }

  /// Finds out who reads the file; he asks for its first bytes again.
  private func recognize() {
    storedContainer = SoundContainer(PCMFileKind(prefix: bytes.span))
    if storedContainer == .unknown {
      coded = CodedSoundReader(byteCount: byteCount, options: options)
      return
    }
    stored = StoredSound(byteCount: byteCount)
  }

  /// What the file is.
  var container: SoundContainer {
    switch coded?.kind {
    case .adts: .adts
    case .latm: .latm
    case .adif: .adif
    case .mp4: .mp4
    case .transportStream: .transportStream
    case nil: storedContainer
    }
  }

  /// Samples per channel of the whole file, or −1 if it does not tell.
  var frameCount: Double {
    if let stored { return Double(stored.frameCount) }
    guard let count = coded?.frameCount else { return -1 }
    return Double(count)
  }

  /// Outputs the samples of the last step, one channel after the other, and returns how many each
  /// channel has.
  func putSamples() -> Int32 {
    guard let channelCount = format?.channelCount, channelCount > 0 else { return 0 }
    guard let samples = coded?.samples ?? stored?.samples else { return 0 }
    let count = put(samples.count, as: Float.self) {
      Planes.separate(samples, channelCount: channelCount, into: &$0)
    }
    return count / Int32(channelCount)
  }

  /// Continues with the frame of this number and returns 1, or else begins anew and returns 0.
  func seek(toFrame frame: UInt64) -> Int32 {
    guard format != nil, failure == nil else { return Failure.wrongMoment }
    wantedCount = 0
    if stored?.seek(toFrame: frame) == true { return 1 }
    if coded?.seek(toFrame: Int(clamping: frame)) == true { return 1 }
    coded = CodedSoundReader(byteCount: byteCount, options: options)
    return 0
  }
}
