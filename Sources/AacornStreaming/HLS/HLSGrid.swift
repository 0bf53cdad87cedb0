import AacornCodec
import AacornSystem

/// The positions at which segments and parts are cut: between frames, as near to the requested
/// duration as possible.
///
/// Of several renditions, the grid describes the frames of the leader (`SegmentAlignment`).
struct HLSGrid: Sendable {
  /// The number of samples per frame and per second.
  let timing: StreamTiming
  /// The number of frames in a part; nil without parts.
  let framesPerPart: Int?
  /// The `EXT-X-TARGETDURATION` in seconds: no segment is longer when rounded (RFC 8216, 4.3.3.1).
  let targetDuration: Int
  /// The distance between frames at which a segment can begin, in frames, counted from the
  /// encoder's first frame.
  private let entryDistance: Int
  private let segmentMilliseconds: Int
  private let partsPerSegment: Int
  /// The maximum number of samples by which a segment or part can be longer in another rendition.
  private let slack: Int

  /// Creates a grid for the leader of several renditions.
  init(
    _ configuration: HLSConfiguration, _ timing: StreamTiming, entryDistance: Int, slack: Int
  ) {
    self.timing = timing
    self.entryDistance = entryDistance
    self.slack = slack
    let (frameLength, sampleRate) = (timing.samplesPerUnit, timing.sampleRate)
    segmentMilliseconds = configuration.segmentDuration.milliseconds
    // The requested duration of a segment in thousandths of a sample.
    let requestedDuration = segmentMilliseconds * sampleRate
    let maxFrameCount: Int
    // A VOD playlist is published only at the end, so it needs no parts.
    if let milliseconds = configuration.partDuration?.milliseconds, configuration.kind != .vod {
      let maxPartFrameCount = max(1, milliseconds * sampleRate / (1000 * frameLength))
      let frames = Self.partLength(upTo: maxPartFrameCount, entryDistance: entryDistance)
      // Either `frames` divides `entryDistance` or the reverse, so a segment of these units has
      // whole parts.
      let unit = max(frames, entryDistance)
      let samples = unit * frameLength
      maxFrameCount = max(1, (requestedDuration + 500 * samples) / (1000 * samples)) * unit
      framesPerPart = frames
      partsPerSegment = maxFrameCount / frames
    } else {
      framesPerPart = nil
      partsPerSegment = 0
      let unit = 1000 * frameLength * entryDistance
      maxFrameCount = max(1, (requestedDuration + unit - 1) / unit) * entryDistance
    }
    let maxSampleCount = maxFrameCount * frameLength + slack
    targetDuration = max(1, (2 * maxSampleCount + sampleRate) / (2 * sampleRate))
  }

  /// Returns the maximum number of frames in a part, up to `maxFrameCount`, that divides
  /// `entryDistance` or is a multiple of it.
  private static func partLength(upTo maxFrameCount: Int, entryDistance: Int) -> Int {
    if maxFrameCount >= entryDistance { return maxFrameCount / entryDistance * entryDistance }
    return (1...maxFrameCount).last { entryDistance % $0 == 0 } ?? 1
  }

  /// Returns whether a segment of `frameCount` frames ends before `frame`, counted from the
  /// encoder's first frame.
  ///
  /// A segment that began between two entry points of a decoder becomes shorter rather than longer.
  func ends(segment index: Int, frameCount: Int, before frame: Int) -> Bool {
    frame % entryDistance == 0 && frameCount + entryDistance > self.frameCount(ofSegment: index)
  }

  /// Returns the maximum number of frames in the segment with this index, which is counted from the
  /// last discontinuity.
  ///
  /// Cuts are at multiples of the requested duration, each rounded to a frame at which a decoder
  /// can start, so that segments stay aligned with the clock.
  private func frameCount(ofSegment index: Int) -> Int {
    if let framesPerPart { return framesPerPart * partsPerSegment }
    return max(entryDistance, boundary(index + 1) - boundary(index))
  }

  private func boundary(_ index: Int) -> Int {
    let unit = 1000 * timing.samplesPerUnit * entryDistance
    let count = (2 * index * segmentMilliseconds * timing.sampleRate + unit) / (2 * unit)
    return count * entryDistance
  }

  /// Formats a number of samples as seconds with six decimals.
  func seconds(_ samples: Int) -> String { Self.decimal(microseconds(samples)) }

  /// The maximum duration of a part, and three times that duration, in seconds (RFC 8216bis,
  /// 4.4.3.7 and 4.4.3.8).
  var partTarget: (seconds: String, threefold: String)? {
    guard let maxPartSampleCount else { return nil }
    let target = microseconds(maxPartSampleCount)
    return (Self.decimal(target), Self.decimal(3 * target))
  }

  /// The maximum duration of a part.
  var partTargetDuration: Duration? {
    maxPartSampleCount.map { .microseconds(microseconds($0)) }
  }

  /// The number of samples in the longest part.
  private var maxPartSampleCount: Int? { framesPerPart.map { $0 * timing.samplesPerUnit + slack } }

  private func microseconds(_ samples: Int) -> Int {
    (2 * samples * 1_000_000 + timing.sampleRate) / (2 * timing.sampleRate)
  }

  private static func decimal(_ microseconds: Int) -> String {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return "\(seconds)." + QuantityText.padded(rest, to: 6)
  }
}
