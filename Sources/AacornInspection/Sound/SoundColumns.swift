import AacornSignal

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

/// Levels of a spectrum on a logarithmic frequency axis.
///
/// With a Hann window, three neighboring bins together contain nearly all power of a sine, wherever
/// its frequency is between them. If it is the frequency of the middle bin, their sum is 1.5 times
/// the power of that bin. So the level at a bin is the sum of its power and its two neighbors'
/// powers.
struct SpectrumBands: Sendable {
  /// A band: its bins or, if it is narrower than their spacing, a point between two bins.
  private struct Band: Sendable {
    var first: Int
    /// The last bin; −1 for a band beyond half the sampling rate.
    var last: Int
    /// The position of a narrow band between `first` and the next bin.
    var fraction: Float
  }

  /// The lowest and highest frequencies of the axis, in hertz.
  static let lowest = 40.0
  static let highest = 20_000.0

  private let bands: [Band]
  /// The factor that scales the sum of three powers to 1 for a full-scale sine.
  private let scale: Float
  /// The highest bin in use.
  private let lastBin: Int

  /// Creates bands for the powers of a transform of `length` samples.
  init(count: Int, sampleRate: Int, length: Int) {
    let top = min(Self.highest, Double(sampleRate) / 2)
    let ratio = ElementaryFunctions.root(Self.highest / Self.lowest, degree: count)
    let binsPerHertz = Double(length) / Double(sampleRate)
    let limit = length / 2 - 1
    var bands: [Band] = []
    var last = 1
    var low = Self.lowest
    for _ in 0..<count {
      let high = low * ratio
      // The center determines whether the band is below half the sampling rate.
      let center = (low + high) / 2
      let (from, to) = (low * binsPerHertz, high * binsPerHertz)
      var band = Band(first: 1, last: -1, fraction: 0)
      if center < top {
        band.first = min(max(Int(from + 0.999_999), 1), limit)
        band.last = min(Int(to), limit)
        if band.last <= band.first {
          let centerBin = center * binsPerHertz
          band.first = min(max(Int(centerBin), 1), limit - 1)
          band.last = band.first
          band.fraction = Float(min(max(centerBin - Double(band.first), 0), 1))
        }
        last = max(last, band.last + 1)
      }
      bands.append(band)
      low = high
    }
    self.bands = bands
    lastBin = min(last, limit)
    // A sine of amplitude 1 has |X| = length / 2 · ½ in the bin of its frequency, and half of that
    // in each neighboring bin.
    let peak = Double(length) / 4
    scale = Float(1 / (peak * peak * 1.5))
  }

  /// Appends one byte per band: 255 for a power of 1, 2.55 less for each decibel below, at least 0.
  ///
  /// - Parameters:
  ///   - powers: The powers of all bins from 0 to half the sampling rate.
  ///   - logarithms: Scratch space for the same number of values.
  ///   - levels: The destination of the bytes.
  func appendLevels(of powers: [Float], logarithms: inout [Float], to levels: inout [UInt8]) {
    for bin in 1...lastBin {
      let sum = (powers[bin - 1] + powers[bin] + powers[bin + 1]) * scale
      // The floor is far below −100 dB, and still a normal number.
      logarithms[bin] = ElementaryFunctions.log2(sum > 1e-12 ? sum : 1e-12)
    }
    for band in bands {
      guard band.last >= band.first else {
        levels.append(0)
        continue
      }
      var level = logarithms[band.first]
      if band.fraction > 0 {
        level += (logarithms[band.first + 1] - level) * band.fraction
      } else {
        for bin in band.first...band.last where logarithms[bin] > level {
          level = logarithms[bin]
        }
      }
      // 10 · log₁₀ 2 decibels, 2.55 steps each.
      let step = level * 7.676_500 + 255.5
      levels.append(step <= 0 ? 0 : step >= 255 ? 255 : UInt8(step))
    }
  }
}
