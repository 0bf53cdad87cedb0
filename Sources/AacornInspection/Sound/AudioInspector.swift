import AacornCodec
public import AacornContainers
import AacornSignal

/// Decodes a file with AAC and measures its audio, without storing it.
///
///     var inspector = AudioInspector(byteCount: file.size)
///     while case .need(let offset, let count) = try inspector.step() {
///       inspector.supply(file.read(count, at: offset))
///     }
///     // now inspector.report
///
/// Memory does not grow with the length of the file, apart from the tables of an MP4 file.
public struct AudioInspector: Sendable {
  /// The result of a step.
  public enum Step: Equatable, Sendable {
    /// A request for these bytes, to be passed to ``AudioInspector/supply(_:)``; fewer bytes mean
    /// that the file ends there.
    case need(offset: UInt64, count: Int)
    /// The end: all frames have been decoded.
    case finished
  }

  @Boxed private var reader: CodedAudioReader
  /// The meter; nil until the format is known.
  @Boxed private var meter: AudioMeter? = nil
  private var formatChangeCount = 0
  private var concealedCount: Int64 = 0
  /// The positions of concealed units, in frames at the last sample rate.
  private var positions: [Int64] = []
  /// The position of the frame with the highest peak, if the peak exceeds the limit.
  private var burstPosition: Int64?

  /// Creates an inspector of a file of `byteCount` bytes.
  public init(byteCount: UInt64) {
    reader = CodedAudioReader(byteCount: byteCount)
  }

  /// Supplies the requested bytes.
  public mutating func supply(_ bytes: [UInt8]) { reader.supply(bytes) }

  /// Decodes until more bytes are needed, or to the end.
  public mutating func step() throws(CodedAudioError) -> Step {
    while true {
      switch try reader.step() {
      case .need(let offset, let count): return .need(offset: offset, count: count)
      case .format(let sampleRate, let channelCount, let layout):
        changeFormat(sampleRate: sampleRate, channelCount: channelCount, layout: layout)
      case .concealed:
        concealedCount += 1
        // Positions are recorded here, because `changeFormat` converts them when the rate changes.
        if positions.count < AudioReport.positionLimit {
          positions.append(meter?.silence.frameCount ?? 0)
        }
      case .samples:
        let samples = reader.samples
        let (peak, position) = (meter?.peak ?? 0, meter?.silence.frameCount)
        meter?.process(samples.span)
        if let meter, meter.peak > max(peak, AudioReport.maxAllowedPeak) {
          burstPosition = position
        }
      case .damage: break
      case .end: return .finished
      }
    }
  }

  private mutating func changeFormat(
    sampleRate: Int, channelCount: Int, layout: ChannelLayout?
  ) {
    guard let oldRate = meter?.sampleRate else {
      meter = AudioMeter(channelCount: channelCount, sampleRate: sampleRate, layout: layout)
      return
    }
    formatChangeCount += 1
    meter?.changeFormat(channelCount: channelCount, sampleRate: sampleRate, layout: layout)
    if oldRate == sampleRate { return }
    let convert = { (position: Int64) -> Int64 in
      position.rescaled(from: Int64(oldRate), to: Int64(sampleRate))
    }
    for index in 0..<positions.count { positions[index] = convert(positions[index]) }
    burstPosition = burstPosition.map(convert)
  }

  /// The current findings; complete once `step` has returned `finished`.
  public var report: AudioReport {
    var report = AudioReport()
    report.formatChangeCount = formatChangeCount
    report.concealedCount = concealedCount
    report.concealedPositions = positions
    report.burstPosition = burstPosition
    guard let meter else { return report }
    report.sampleRate = meter.sampleRate
    report.channelCount = meter.channelCount
    report.frameCount = meter.silence.frameCount
    report.loudness = meter.loudness.integrated
    report.loudnessRange = meter.loudness.range
    report.maximumMomentary = meter.loudness.maximumMomentary
    report.maximumShortTerm = meter.loudness.maximumShortTerm
    report.peak = meter.peak
    report.truePeak = meter.truePeak
    report.clippedSampleCount = meter.clippedSampleCount
    report.excessSampleCount = meter.excessSampleCount
    report.leadingSilence = meter.silence.leading
    report.trailingSilence = meter.silence.trailing
    if meter.silence.longest.length > 0 { report.longestSilence = meter.silence.longest }
    return report
  }
}
