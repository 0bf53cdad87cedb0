import AacornContainers
import AacornSignal

/// A sound file of any kind whose bytes JavaScript fetches.
final class SoundSession: Session {
  private var sound: FileSound
  private var bytes: [UInt8] = []
  /// The wanted bytes.
  private(set) var wantedOffset: UInt64 = 0
  private(set) var wantedCount = 0
  /// The format that was told last.
  private(set) var format: SoundFormat?

  override var asSound: SoundSession? { self }

  /// A file of `byteCount` bytes.
  init(byteCount: UInt64, options: CodedSoundReader.Options) {
    sound = FileSound(byteCount: byteCount, options: options)
  }

  /// Continues until JavaScript has something to do.
  ///
  /// The result is 0 at the end, 1 if bytes are wanted, 2 if the format is known or another than
  /// before, 3 if there are samples, 4 if the next ones stand in for what is damaged, 5 if bytes
  /// were skipped, or a failure.
  func step() -> Int32 {
    switch sound.step() {
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
    case .end: return sound.failure ?? 0
    }
  }

  /// Takes the wanted bytes; fewer means that the file ends there.
  func supply(_ count: Int) -> Int32 {
    guard wantedCount > 0, count <= wantedCount, copy(count, to: &bytes) else {
      return Failure.wrongMoment
    }
    wantedCount = 0
    sound.supply(bytes)
    return 0
  }

  /// Outputs the samples of the last step, one channel after the other, and returns how many each
  /// channel has.
  func putSamples() -> Int32 {
    guard let channelCount = format?.channelCount, channelCount > 0 else { return 0 }
    let samples = sound.samples()
    let count = put(samples.count, as: Float.self) {
      Planes.separate(samples, channelCount: channelCount, into: &$0)
    }
    return count / Int32(channelCount)
  }

  /// The place of the cover in an MP4 file; empty without one, and for one that is too large.
  func cover() -> Range<UInt64> {
    guard let range = sound.movie()?.coverImage,
      range.upperBound - range.lowerBound <= UInt64(MP4Tags.coverLimit)
    else { return 0..<0 }
    return range
  }

  /// Outputs the entries of an MP4 file's item list without the cover, and without the loudness if
  /// that changes; returns the length.
  func putItems(keepsLoudness: Bool) -> Int32 {
    guard var tags = sound.movie()?.tags else { return 0 }
    tags.removeEncodingParameters()
    if !keepsLoudness { tags.removeLoudness() }
    return put(tags.items)
  }

  /// What the file is.
  var container: SoundContainer { sound.container() }

  /// Samples per channel of the whole file, or −1 if it does not tell.
  var frameCount: Double { sound.frameCount() }

  /// Continues with the frame of this number and returns 1, or else begins anew and returns 0.
  func seek(toFrame frame: UInt64) -> Int32 {
    guard format != nil, sound.failure == nil else { return Failure.wrongMoment }
    wantedCount = 0
    return sound.seek(toFrame: frame) ? 1 : 0
  }
}
