import AacornCodec
import AacornSystem

/// Where segments and parts are cut: between frames, as near to the wanted duration as they allow.
struct HLSGrid: Sendable {
  /// Samples per frame and per second.
  let timing: StreamTiming
  /// Frames of a part; nil without parts.
  let framesPerPart: Int?
  /// The `EXT-X-TARGETDURATION` in seconds: no segment is longer when rounded (RFC 8216, 4.3.3.1).
  let targetDuration: Int
  /// Segments begin with frames that are this many apart, counted from the encoder's first.
  private let entryDistance: Int
  private let segmentMilliseconds: Int
  private let partsPerSegment: Int

  /// Creates a grid for the frames of a stream.
  init(
    _ configuration: HLSConfiguration, _ stream: AudioSpecificConfig, _ timing: StreamTiming
  ) {
    self.timing = timing
    entryDistance = stream.entryDistance
    let (frameLength, sampleRate) = (timing.samplesPerUnit, timing.sampleRate)
    segmentMilliseconds = configuration.segmentDuration.milliseconds
    var longest: Int
    // A playlist published only at its end needs no parts.
    if let milliseconds = configuration.partDuration?.milliseconds, configuration.kind != .vod {
      let frames = max(1, milliseconds * sampleRate / (1000 * frameLength))
      let samples = frames * frameLength
      let wanted = segmentMilliseconds * sampleRate
      framesPerPart = frames
      partsPerSegment = max(1, (wanted + 500 * samples) / (1000 * samples))
      longest = max(frames * partsPerSegment, entryDistance)
    } else {
      framesPerPart = nil
      partsPerSegment = 0
      let wanted = segmentMilliseconds * sampleRate
      let unit = 1000 * frameLength * entryDistance
      longest = max(1, (wanted + unit - 1) / unit) * entryDistance
    }
    longest *= frameLength
    targetDuration = max(1, (2 * longest + sampleRate) / (2 * sampleRate))
  }

  /// Whether a segment of so many frames ends before this frame, counted from the encoder's first.
  ///
  /// A segment that began between two frames a decoder can begin with is shorter rather than longer.
  func ends(segment index: Int, frameCount: Int, before frame: Int) -> Bool {
    frame % entryDistance == 0 && frameCount + entryDistance > self.frameCount(ofSegment: index)
  }

  /// The most frames of a segment, counted from the last discontinuity.
  ///
  /// Cuts are at multiples of the wanted duration, each rounded to a frame that a decoder can begin
  /// with, so that segments stay aligned with the clock.
  private func frameCount(ofSegment index: Int) -> Int {
    if let framesPerPart { return framesPerPart * partsPerSegment }
    return max(entryDistance, boundary(index + 1) - boundary(index))
  }

  private func boundary(_ index: Int) -> Int {
    let unit = 1000 * timing.samplesPerUnit * entryDistance
    let count = (2 * index * segmentMilliseconds * timing.sampleRate + unit) / (2 * unit)
    return count * entryDistance
  }

  /// A duration in seconds with six decimals.
  func seconds(_ samples: Int) -> String { Self.decimal(microseconds(samples)) }

  /// The longest duration of a part, and three times it (RFC 8216bis, 4.4.3.7 and 4.4.3.8).
  var partTarget: (seconds: String, threefold: String)? {
    guard let framesPerPart else { return nil }
    let target = microseconds(framesPerPart * timing.samplesPerUnit)
    return (Self.decimal(target), Self.decimal(3 * target))
  }

  /// The longest duration of a part.
  var partTargetDuration: Duration? {
    framesPerPart.map { .microseconds(microseconds($0 * timing.samplesPerUnit)) }
  }

  private func microseconds(_ samples: Int) -> Int {
    (2 * samples * 1_000_000 + timing.sampleRate) / (2 * timing.sampleRate)
  }

  private static func decimal(_ microseconds: Int) -> String {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let digits = "\(rest)"
    return "\(seconds)." + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
