import AacornContainers
import AacornSignal

/// An audio file of any supported format, with bytes fetched by JavaScript.
final class SoundSession: Session {
  private var sound: FileSound
  private var bytes: [UInt8] = []
  private(set) var format: SoundFormat?

  override var asSound: SoundSession? { self }

  init(byteCount: UInt64, options: CodedAudioReader.Options) {
    sound = FileSound(byteCount: byteCount, options: options)
  }

  /// Continues until JavaScript must act.
  ///
  /// Returns 0 at the end, 1 if bytes are requested, 2 if the format is new or has changed, 3 if
  /// there are samples, 4 if the next samples are concealed, 5 if bytes were skipped, or a failure.
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

  /// Supplies the requested bytes; fewer mean that the file ends there.
  func supply(_ count: Int) -> Int32 {
    guard wantedCount > 0, count <= wantedCount, copy(count, to: &bytes) else {
      return Failure.wrongState
    }
    wantedCount = 0
    sound.supply(bytes)
    return 0
  }

  /// Outputs the samples of the last step, one channel after the other; returns the number per
  /// channel.
  func putSamples() -> Int32 {
    guard let channelCount = format?.channelCount, channelCount > 0 else { return 0 }
    let samples = sound.samples()
    let count = put(samples.count, as: Float.self) {
      Planes.separate(samples, channelCount: channelCount, into: &$0)
    }
    return count / Int32(channelCount)
  }

  /// Returns the range of the cover in an MP4 file; empty without a cover or if it is too large.
  func cover() -> Range<UInt64> {
    guard let range = sound.movie()?.coverImage,
      range.upperBound - range.lowerBound <= UInt64(MP4Tags.coverLimit)
    else { return 0..<0 }
    return range
  }

  /// Outputs the entries of an MP4 file's item list without the cover, and without the loudness
  /// unless `keepsLoudness`; returns the length.
  func putItems(keepsLoudness: Bool) -> Int32 {
    guard var tags = sound.movie()?.tags else { return 0 }
    tags.removeEncodingParameters()
    if !keepsLoudness { tags.removeLoudness() }
    return put(tags.items)
  }

  var container: SoundContainer { sound.container() }

  /// The samples per channel in the file, or −1 if the file does not specify them.
  var frameCount: Double { sound.frameCount() }

  /// Seeks to a frame and returns 1, or restarts from the first frame and returns 0.
  func seek(toFrame frame: UInt64) -> Int32 {
    guard format != nil, sound.failure == nil else { return Failure.wrongState }
    wantedCount = 0
    return sound.seek(toFrame: frame) ? 1 : 0
  }
}

/// The format of samples for JavaScript.
struct SoundFormat: Equatable {
  var sampleRate: Int
  var channelCount: Int
  var layout: ChannelLayout?
}

extension Session {
  /// Outputs a speaker number for each channel; outputs nothing if the layout is unknown.
  final func putLayout(_ layout: ChannelLayout?) -> Int32 {
    put((layout?.speakers ?? []).map { $0.rawValue })
  }
}

/// Planar samples, one channel after the other, as in Web Audio.
enum Planes {
  /// Deinterleaves samples; `planar` must have exactly the same number of samples.
  static func separate(
    _ samples: [Float], channelCount: Int, into planar: inout MutableSpan<Float>
  ) {
    let frameCount = samples.count / max(1, channelCount)
    precondition(planar.count == frameCount * channelCount)
    unsafe planar.withUnsafeMutableBufferPointer { target in
      guard let start = target.baseAddress else { return }
      if channelCount == 2 {
        unsafe separate(samples, left: start, right: start + frameCount, count: frameCount)
        return
      }
      for channel in 0..<channelCount {
        unsafe copyChannel(
          from: samples, first: channel, by: channelCount, to: start + channel * frameCount,
          count: frameCount)
      }
    }
  }

  private static func separate(
    _ samples: UnsafePointer<Float>, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, count: Int
  ) {
    let whole = count & ~3
    for n in stride(from: 0, to: whole, by: 4) {
      let (a, b) = unsafe (samples.lanes(2 &* n), samples.lanes(2 &* n &+ 4))
      unsafe left.store(Lanes(a[0], a[2], b[0], b[2]), n)
      unsafe right.store(Lanes(a[1], a[3], b[1], b[3]), n)
    }
    for n in whole..<count {
      unsafe left[n] = samples[2 &* n]
      unsafe right[n] = samples[2 &* n &+ 1]
    }
  }

  private static func copyChannel(
    from samples: UnsafePointer<Float>, first: Int, by step: Int,
    to channel: UnsafeMutablePointer<Float>, count: Int
  ) {
    var index = first
    for n in 0..<count {
      unsafe channel[n] = samples[index]
      index &+= step
    }
  }
}
