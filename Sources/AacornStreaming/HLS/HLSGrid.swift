import AacornCodec
import AacornSystem

/// Where segments and parts are cut: between frames, as near to the wanted duration as they allow.
///
/// Of several renditions it knows the frames of the one that leads.
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
  /// Samples by which a segment or part can be longer in another rendition.
  private let slack: Int

  /// Creates a grid for the frames of a stream.
  init(
    _ configuration: HLSConfiguration, _ stream: AudioSpecificConfig, _ timing: StreamTiming
  ) {
    self.init(configuration, timing, entryDistance: stream.entryDistance, slack: 0)
  }

  /// Creates a grid for the frames of a stream that others keep step with.
  init(
    _ configuration: HLSConfiguration, _ timing: StreamTiming, entryDistance: Int, slack: Int
  ) {
    self.timing = timing
    self.entryDistance = entryDistance
    self.slack = slack
    let (frameLength, sampleRate) = (timing.samplesPerUnit, timing.sampleRate)
    segmentMilliseconds = configuration.segmentDuration.milliseconds
    var longest: Int
    // A playlist published only at its end needs no parts.
    if let milliseconds = configuration.partDuration?.milliseconds, configuration.kind != .vod {
      let most = max(1, milliseconds * sampleRate / (1000 * frameLength))
      let frames = Self.partLength(most, entryDistance: entryDistance)
      // One of them divides the other, so a segment of these has whole parts.
      let unit = max(frames, entryDistance)
      let samples = unit * frameLength
      let wanted = segmentMilliseconds * sampleRate
      longest = max(1, (wanted + 500 * samples) / (1000 * samples)) * unit
      framesPerPart = frames
      partsPerSegment = longest / frames
    } else {
      framesPerPart = nil
      partsPerSegment = 0
      let wanted = segmentMilliseconds * sampleRate
      let unit = 1000 * frameLength * entryDistance
      longest = max(1, (wanted + unit - 1) / unit) * entryDistance
    }
    longest = longest * frameLength + slack
    targetDuration = max(1, (2 * longest + sampleRate) / (2 * sampleRate))
  }

  /// The most frames of a part, up to `most`, that divide the distance or are divided by it.
  private static func partLength(_ most: Int, entryDistance: Int) -> Int {
    if most >= entryDistance { return most / entryDistance * entryDistance }
    return (1...most).last { entryDistance % $0 == 0 } ?? 1
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
    guard let longestPart else { return nil }
    let target = microseconds(longestPart)
    return (Self.decimal(target), Self.decimal(3 * target))
  }

  /// The longest duration of a part.
  var partTargetDuration: Duration? {
    longestPart.map { .microseconds(microseconds($0)) }
  }

  /// The samples of the longest part.
  private var longestPart: Int? { framesPerPart.map { $0 * timing.samplesPerUnit + slack } }

  private func microseconds(_ samples: Int) -> Int {
    (2 * samples * 1_000_000 + timing.sampleRate) / (2 * timing.sampleRate)
  }

  private static func decimal(_ microseconds: Int) -> String {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let digits = "\(rest)"
    return "\(seconds)." + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
