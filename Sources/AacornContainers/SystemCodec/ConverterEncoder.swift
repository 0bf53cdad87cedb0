package import AacornCodec

/// An encoder that is a converter of the system's.
///
/// One thread at a time may use it.
package final class ConverterEncoder<Converter: SystemConverter>: AACEncoding {
  /// What it was asked for.
  package let configuration: SystemEncoderConfiguration
  /// False: nobody knows what it does with a frame.
  package var collectsStatistics: Bool {
    get { false }
    set {}
  }

  private let converter: Converter
  private let report: ConverterReport
  private let supply: ConverterSupply
  /// Packets that were made at the end, in order.
  private var remaining: [[UInt8]] = []
  /// Of these, how many have been handed out.
  private var handedOut = 0
  /// Units handed out.
  private var unitCount = 0
  /// Whether the converter is not asked any more.
  private var hasEnded = false
  private var trim = StreamTrim(priming: 0, remainder: 0, sampleCount: 0)

  /// Creates an encoder with the converter that `make` makes; throws if the system does not have it.
  package init(
    _ configuration: SystemEncoderConfiguration,
    make: (ConverterOrder) throws(ConverterStatus) -> Converter
  ) throws(AACBackEndError) {
    try configuration.validate()
    let converter: Converter
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

  /// What a decoder must know before the first unit.
  package var audioSpecificConfig: AudioSpecificConfig { report.stream }

  /// How its units map to samples, with the delay and the bitrate that the system tells.
  package var timing: StreamTiming { report.timing }

  /// What the system says that a decoder must know, in its own bytes.
  package var magicCookie: [UInt8] { report.magicCookie }

  package func encode(interleaved samples: Span<Float>) throws(AACBackEndError) {
    supply.append(samples)
  }

  /// Ends the input, and has the converter make what is left of the sound, since how many units there
  /// are is to be known.
  ///
  /// Packets of nothing but what comes behind the sound are not asked for.
  package func finish() throws(AACBackEndError) -> StreamTrim {
    if supply.isFinished { return trim }
    supply.finish()
    let sampleCount = supply.frameCount
    let needed = timing.unitCount(for: sampleCount)
    while unitCount + remaining.count < needed, let bytes = try makePacket() {
      remaining.append(bytes)
    }
    hasEnded = true
    trim = timing.trim(of: sampleCount, unitCount: unitCount + remaining.count)
    return trim
  }

  package func nextAccessUnit(into unit: inout AccessUnit) throws(AACBackEndError) -> Bool {
    if handedOut < remaining.count {
      unit.bytes = remaining[handedOut]
      handedOut += 1
    } else {
      guard let bytes = try makePacket() else { return false }
      unit.bytes = bytes
    }
    unit.sampleCount = timing.samplesPerUnit
    unit.samplePosition = unitCount * timing.samplesPerUnit - timing.priming
    unit.reservoirBits = nil
    unit.protectedRegions.removeAll(keepingCapacity: true)
    unit.statistics = nil
    unitCount += 1
    return true
  }

  /// False: a converter keeps the bitrate with which it began.
  package func changeBitrate(to bitsPerSecond: Int) -> Bool { false }

  /// The next packet; nil until more samples come.
  private func makePacket() throws(AACBackEndError) -> [UInt8]? {
    if hasEnded { return nil }
    do throws(ConverterStatus) {
      let packet = try converter.makePacket(of: supply, byteCapacity: report.largestPacket)
      switch packet {
      case .bytes(let bytes): return bytes
      case .nothing, .end:
        // Before the end of the input more samples may come, whatever the converter says.
        hasEnded = supply.isFinished
        return nil
      }
    } catch {
      hasEnded = true
      throw error.error(in: .encode, configuration)
    }
  }
}
