/// The format of a stream of interleaved samples.
@frozen
public struct PCMFormat: Equatable, Sendable {
  /// The format of one sample.
  public var sampleFormat: SampleFormat
  /// Frames per second.
  public var sampleRate: Int
  /// The number of channels.
  public var channelCount: Int
  /// The loudspeaker of each channel; nil if the source specifies none, or unknown ones.
  public var layout: ChannelLayout?

  /// Creates a format; its consumers report rates and numbers of channels that are unsupported.
  public init(
    sampleFormat: SampleFormat, sampleRate: Int, channelCount: Int, layout: ChannelLayout? = nil
  ) {
    self.sampleFormat = sampleFormat
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.layout = layout
  }

  /// The size of one frame in bytes; fewer than 1 channel counts as 1.
  public var bytesPerFrame: Int {
    let (size, overflow) = sampleFormat.bytesPerSample.multipliedReportingOverflow(
      by: max(1, channelCount))
    return overflow ? .max : size
  }
}

/// The errors of this module.
@frozen
public enum PCMError: Error, Equatable, Sendable {
  /// A sample rate outside `Resampler.supportedRates`, in hertz.
  case unsupportedSampleRate(Int)
  /// The number of channels is not supported.
  case unsupportedChannelCount(Int)
  /// There is no rule for mixing `from` channels to `to` channels.
  case unsupportedMix(from: Int, to: Int)
}

extension PCMError: CustomStringConvertible {
  /// The rejected format and the accepted values, as a message for the user.
  public var message: String {
    switch self {
    case .unsupportedSampleRate(let rate):
      "A sampling rate of \(rate) Hz cannot be converted. "
        + "Choose from \(Resampler.supportedRates.lowerBound) to "
        + "\(Resampler.supportedRates.upperBound)."
    case .unsupportedChannelCount(let count):
      "\(count) channels are not supported. Choose another number of channels."
    case .unsupportedMix(let from, let to):
      "\(from) channels cannot be mixed to \(to). Choose 1 or 2 channels, or map the channels."
    }
  }

  /// The message, so that printing the error is useful.
  public var description: String { message }
}

/// The limits of interleaved formats; values outside are clamped.
package enum SampleLimits {
  /// The maximum number of channels.
  package static var maxChannelCount: Int { 64 }
  /// The maximum rate, in hertz; a header with a higher rate is damaged.
  package static var highestRate: Int { 3_072_000 }

  /// Returns the number of channels, clamped to 1…64.
  package static func channelCount(_ count: Int) -> Int {
    min(max(count, 1), maxChannelCount)
  }

  /// Returns the rate, clamped to 1 Hz…3.072 MHz.
  package static func sampleRate(_ rate: Int) -> Int { min(max(rate, 1), highestRate) }

  /// Returns the layout if it has `channelCount` channels, else the standard layout.
  package static func layout(_ layout: ChannelLayout?, _ channelCount: Int) -> ChannelLayout? {
    layout?.speakers.count == channelCount ? layout : .standard(channelCount: channelCount)
  }

  /// Returns both values, clamped.
  package static func nearest(_ channelCount: Int, _ sampleRate: Int) -> (Int, Int) {
    (Self.channelCount(channelCount), Self.sampleRate(sampleRate))
  }
}

extension Span<Float> {
  /// Returns the number of samples in whole frames, without an incomplete frame at the end.
  func wholeCount(_ channelCount: Int) -> Int { count - count % channelCount }
}

/// Splits a stream of bytes, in pieces of any size, into whole frames of samples.
///
/// It stores at most one partial frame. Bytes after the announced end are ignored, as is a partial
/// frame before it.
public struct PCMFrameReader: Sendable {
  /// The format of the bytes.
  public let format: PCMFormat
  /// The number of remaining bytes, or nil if the stream lasts until its source ends.
  public private(set) var remainingByteCount: UInt64?
  private var partial: [UInt8] = []

  /// Creates a reader of `byteCount` bytes, or of all bytes.
  public init(format: PCMFormat, byteCount: UInt64? = nil) {
    self.format = format
    remainingByteCount = byteCount
    partial.reserveCapacity(min(format.bytesPerFrame, 8 * SampleLimits.maxChannelCount))
  }

  /// Whether the announced number of bytes has been read.
  public var isAtEnd: Bool { remainingByteCount == 0 }

  /// Appends the frames completed by `bytes` as interleaved Floats.
  public mutating func read(_ bytes: Span<UInt8>, into samples: inout [Float]) {
    read(bytes) { SampleConversion.append($0, as: $1, to: &samples) }
  }

  /// Appends the frames completed by `bytes` as interleaved integers.
  ///
  /// The samples are rounded unless `format.sampleFormat.fitsInt16`.
  public mutating func read(_ bytes: Span<UInt8>, into samples: inout [Int16]) {
    read(bytes) { SampleConversion.append($0, as: $1, to: &samples) }
  }

  @inline(__always)
  private mutating func read(_ bytes: Span<UInt8>, _ convert: (Span<UInt8>, SampleFormat) -> Void) {
    var end = bytes.count
    if let remainingByteCount {
      end = Int(min(UInt64(end), remainingByteCount))
      self.remainingByteCount = remainingByteCount - UInt64(end)
    }
    var start = 0
    let size = format.bytesPerFrame
    if !partial.isEmpty {
      start = min(size - partial.count, end)
      storePartialFrame(bytes, 0..<start)
      guard partial.count == size else { return }
      convert(partial.span, format.sampleFormat)
      partial.removeAll(keepingCapacity: true)
    }
    let whole = (end - start) / size * size
    convert(bytes.extracting(start..<start + whole), format.sampleFormat)
    storePartialFrame(bytes, start + whole..<end)
  }

  private mutating func storePartialFrame(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    for offset in range { partial.append(bytes[offset]) }
  }
}
