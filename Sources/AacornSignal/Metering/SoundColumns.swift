/// The data for drawing a waveform and a spectrogram: 50 columns per second of 98 bytes each.
///
///     [ lowest | highest | 96 levels from 40 Hz up to 20 kHz or half the sampling rate ]
///
/// The first two bytes are the lowest and highest samples of any channel within the column's 20 ms:
/// 128 is silence, and full scale is 127 above or below it. A level is 0 for −100 dBFS or less and
/// 255 for a sine at full scale. The frequencies of the levels rise by equal ratios.
///
///     var columns = SoundColumns(sampleRate: 48_000, channelCount: 2)
///     columns.append(samples.span)
///     while columns.next(into: &bytes) {}
///
/// The spectrum of the mean of all channels is measured through a Hann window of about 85 ms that
/// ends with the column. Infinite and NaN samples count as silence. The bytes do not depend on the
/// platform or on the division of the samples into blocks. After the first column nothing is
/// allocated if each column is read before the next.
public struct SoundColumns: Sendable {
  /// Bytes per column.
  public static let length = 98
  /// Columns per second.
  public static let rate = 50
  /// Levels per column.
  static let bandCount = length - 2

  /// Samples per second per channel.
  public let sampleRate: Int
  /// The number of channels.
  public let channelCount: Int

  private let bands: SpectrumBands
  private var transform: RealTransform
  private let window: [Float]
  /// The channel means of the latest frames, as a ring.
  private var ring: [Float]
  /// The ring index of the next frame, which is also the index of the oldest one.
  private var position = 0
  private var powers: [Float]
  private var logarithms: [Float]

  /// The sum of the samples of the current frame up to now, and their number.
  private var sum: Float = 0
  private var channel = 0
  private var lowest: Float = 0
  private var highest: Float = 0
  /// The number of frames in the column, times `rate`, plus the excess of earlier columns.
  private var scaledFrameCount = 0

  /// The columns that have not been read yet.
  private var ready: [UInt8] = []
  private var readyStart = 0

  /// Creates columns for audio with this rate and number of interleaved channels.
  ///
  /// Values out of range are clamped: 1 to 64 channels, 1 Hz to 3.072 MHz.
  public init(sampleRate: Int, channelCount: Int) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    let length = Self.windowLength(sampleRate)
    transform = RealTransform(length: length)
    bands = SpectrumBands(count: Self.bandCount, sampleRate: sampleRate, length: length)
    var window: [Float] = []
    window.reserveCapacity(length)
    for index in 0..<length {
      let (_, c) = ElementaryFunctions.sinCosPi(2 * Double(index) / Double(length))
      window.append(Float(0.5 - 0.5 * c))
    }
    self.window = window
    ring = [Float](repeating: 0, count: length)
    powers = [Float](repeating: 0, count: length / 2 + 1)
    logarithms = powers
  }

  /// Returns the number of frames, a power of two, that is closest to 85 ms.
  static func windowLength(_ sampleRate: Int) -> Int {
    let wanted = Int(min(Int64(sampleRate) * 85 / 1000, 1 << 16))
    var length = 64
    while length * 2 <= wanted { length *= 2 }
    return wanted - length > 2 * length - wanted ? 2 * length : length
  }

  /// Appends any number of interleaved samples; a frame may be split across calls.
  public mutating func append(_ interleaved: Span<Float>) {
    var start = 0
    while start < interleaved.count {
      // The number of frames missing from the column.
      let missing = (sampleRate - scaledFrameCount + Self.rate - 1) / Self.rate
      let (needed, overflow) = (missing * channelCount).subtractingReportingOverflow(channel)
      let count = overflow ? interleaved.count - start : min(interleaved.count - start, needed)
      addToColumn(interleaved.extracting(start..<start + count))
      start += count
      if scaledFrameCount >= sampleRate {
        scaledFrameCount -= sampleRate
        makeColumn()
      }
    }
  }

  /// Appends the next column and returns true; returns false if there is none.
  public mutating func next(into columns: inout [UInt8]) -> Bool {
    guard readyStart < ready.count else { return false }
    columns.append(contentsOf: ready[readyStart..<readyStart + Self.length])
    readyStart += Self.length
    if readyStart == ready.count {
      ready.removeAll(keepingCapacity: true)
      readyStart = 0
    }
    return true
  }

  /// Adds samples that all belong to one column.
  private mutating func addToColumn(_ samples: Span<Float>) {
    var (sum, channel, position, scaledFrameCount) = (sum, channel, position, scaledFrameCount)
    var (lowest, highest) = (lowest, highest)
    let (channelCount, mask) = (channelCount, ring.count - 1)
    let share = 1 / Float(channelCount)
    var means = ring.mutableSpan
    for index in 0..<samples.count {
      let sample = Self.bounded(samples[index])
      lowest = sample < lowest ? sample : lowest
      highest = sample > highest ? sample : highest
      sum += sample
      channel += 1
      if channel == channelCount {
        means[position] = sum * share
        position = (position + 1) & mask
        scaledFrameCount += Self.rate
        channel = 0
        sum = 0
      }
    }
    (self.sum, self.channel, self.position, self.scaledFrameCount) = (
      sum, channel, position, scaledFrameCount
    )
    (self.lowest, self.highest) = (lowest, highest)
  }

  /// Returns a sample clamped to four times full scale; infinite and NaN samples become 0.
  @inline(__always)
  private static func bounded(_ sample: Float) -> Float {
    guard sample.isFinite else { return 0 }
    return sample > 4 ? 4 : sample < -4 ? -4 : sample
  }

  private mutating func makeColumn() {
    transform.powers(of: ring, from: position, window: window, into: &powers)
    ready.append(Self.byte(lowest))
    ready.append(Self.byte(highest))
    bands.appendLevels(of: powers, logarithms: &logarithms, to: &ready)
    lowest = 0
    highest = 0
  }

  /// Maps −1…1 to 1…255.
  private static func byte(_ sample: Float) -> UInt8 {
    let bounded = sample > 1 ? 1 : sample < -1 ? -1 : sample
    return UInt8(bounded * 127 + 128.5)
  }
}
