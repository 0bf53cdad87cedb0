public import AacornCodec
import AacornContainers
import AacornSignal

/// An encoder of Apple's systems, with the interface of this package's encoder.
///
///     let encoder = try AACSystemEncoder(
///       .init(
///         sampleRate: 48_000, channelCount: 2, profile: .enhancedLowDelay,
///         rateControl: .constant(bitsPerSecond: 64_000)))
///
/// Not thread-safe: use an encoder from one thread at a time.
public final class AACSystemEncoder: AACEncoding {
  /// The requested configuration.
  public let configuration: SystemEncoderConfiguration
  /// Always false: the system's encoder reports no statistics of its frames.
  public var collectsStatistics: Bool {
    get { false }
    set {}
  }

  private let converter: any SystemConverter
  private let report: ConverterReport
  private let supply: ConverterSupply
  /// The packets made by `finish`, in order.
  private var remaining = PendingItems<[UInt8]>()
  /// The number of units handed out, including those from `remaining`.
  private var unitCount = 0
  /// Whether no more packets are requested from the converter.
  private var hasEnded = false
  private var trim = StreamTrim(priming: 0, remainder: 0, sampleCount: 0)

  /// Creates an encoder.
  ///
  /// - Throws: An `AACBackEndError` if the system does not have the encoder.
  public convenience init(
    _ configuration: SystemEncoderConfiguration
  ) throws(AACBackEndError) {
    #if canImport(AudioToolbox) && !os(watchOS)
    try self.init(configuration) { order throws(ConverterStatus) in
      try AudioConverterHandle(order)
    }
    #else
    throw .noSystemEncoder
    #endif
  }

  /// Creates an encoder with the converter that `make` returns.
  init(
    _ configuration: SystemEncoderConfiguration,
    make: (ConverterOrder) throws(ConverterStatus) -> any SystemConverter
  ) throws(AACBackEndError) {
    try configuration.validate()
    let converter: any SystemConverter
    do throws(ConverterStatus) {
      converter = try make(ConverterOrder(configuration))
    } catch {
      throw error.error(in: .create, configuration)
    }
    report = try ConverterSetup(configuration: configuration, converter: converter).run()
    self.converter = converter
    self.configuration = configuration
    supply = ConverterSupply(channelCount: configuration.channelCount)
  }

  /// The configuration that a decoder needs before the first unit.
  public var audioSpecificConfig: AudioSpecificConfig { report.stream }

  /// The mapping of units to samples, with the delay and bitrate reported by the system.
  public var timing: StreamTiming { report.timing }

  /// The decoder's configuration, in the bytes that the system reports.
  ///
  /// These bytes are complete for the low-delay profiles, too.
  public var magicCookie: [UInt8] { report.magicCookie }

  /// Appends interleaved samples in −1…1, left channel first.
  public func encode(interleaved samples: Span<Float>) throws(AACBackEndError) {
    supply.append(samples)
  }

  /// Appends interleaved samples in −1…1, left channel first.
  public func encode(interleaved samples: [Float]) throws(AACBackEndError) {
    supply.append(samples.span)
  }

  /// Ends the input and encodes the remaining samples.
  ///
  /// The trim depends on the number of units, so all packets are made here. Packets that hold only
  /// padding are not requested.
  public func finish() throws(AACBackEndError) -> StreamTrim {
    if supply.isFinished { return trim }
    supply.finish()
    let sampleCount = supply.frameCount
    let needed = timing.unitCount(for: sampleCount)
    while unitCount + remaining.list.count < needed, let bytes = try makePacket() {
      remaining.list.append(bytes)
    }
    hasEnded = true
    trim = timing.trim(of: sampleCount, unitCount: unitCount + remaining.list.count)
    return trim
  }

  /// Stores the next unit in `unit`; returns false if more samples are needed.
  public func nextAccessUnit(into unit: inout AccessUnit) throws(AACBackEndError) -> Bool {
    var packet = remaining.take()
    if packet == nil { packet = try makePacket() }
    guard let bytes = packet else { return false }
    unit.bytes = bytes
    unit.sampleCount = timing.samplesPerUnit
    unit.samplePosition = unitCount * timing.samplesPerUnit - timing.priming
    unit.reservoirBits = nil
    unit.protectedRegions.removeAll(keepingCapacity: true)
    unit.statistics = nil
    unitCount += 1
    return true
  }

  /// Always returns false: the system's encoder cannot change its bitrate.
  public func changeBitrate(to bitsPerSecond: Int) -> Bool { false }

  /// Returns the next packet, or nil if more samples are needed.
  private func makePacket() throws(AACBackEndError) -> [UInt8]? {
    if hasEnded { return nil }
    do throws(ConverterStatus) {
      let packet = try converter.makePacket(of: supply, byteCapacity: report.largestPacket)
      switch packet {
      case .bytes(let bytes): return bytes
      case .nothing, .end:
        // Before the end of the input, more samples may arrive even if the converter reports the
        // end.
        hasEnded = supply.isFinished
        return nil
      }
    } catch {
      hasEnded = true
      throw error.error(in: .encode, configuration)
    }
  }
}

/// A buffer of samples that a converter fetches.
final class ConverterSupply {
  /// The result of a fetch.
  enum Portion: Equatable {
    /// Interleaved samples of complete frames.
    case samples([Float])
    /// No samples are available yet.
    case nothing
    /// The audio has ended.
    case end
  }

  private let channelCount: Int
  private var samples: [Float] = []
  /// The number of elements of `samples` that have been fetched.
  private var fetchedCount = 0
  /// The number of samples appended in total, over all channels.
  private var sampleCount = 0
  private(set) var isFinished = false

  /// Creates a supply of frames with `channelCount` samples each.
  init(channelCount: Int) {
    self.channelCount = max(1, channelCount)
  }

  /// The number of frames appended in total.
  var frameCount: Int { sampleCount / channelCount }

  /// Appends interleaved samples; a frame split across calls is joined again.
  func append(_ span: Span<Float>) {
    if isFinished { return }
    // Fetched samples are removed once they are at least half of the array, so each sample moves at
    // most once.
    if fetchedCount * 2 >= samples.count {
      samples.removeFirst(fetchedCount)
      fetchedCount = 0
    }
    for index in 0..<span.count { samples.append(span[index]) }
    sampleCount += span.count
  }

  /// Ends the audio; an incomplete frame is filled with silence.
  func finish() {
    if isFinished { return }
    while sampleCount % channelCount != 0 {
      samples.append(0)
      sampleCount += 1
    }
    isFinished = true
  }

  /// Returns the next frames, at most `frameCount`.
  func fetch(frameCount: Int) -> Portion {
    let available = (samples.count - fetchedCount) / channelCount
    let count = min(max(0, frameCount), available) * channelCount
    if count == 0 { return isFinished && available == 0 ? .end : .nothing }
    defer { fetchedCount += count }
    return .samples(Array(samples[fetchedCount..<fetchedCount + count]))
  }
}
