import AacornCodec
import AacornContainers

/// Configures a converter and reads the properties of its stream.
///
/// The order of the calls matters to converters. The available bitrates depend on the rate control
/// mode, and the decoder's configuration depends on all settings.
struct ConverterSetup {
  let configuration: SystemEncoderConfiguration
  let converter: any SystemConverter

  func run() throws(AACBackEndError) -> ConverterReport {
    switch configuration.rateControl {
    case .constant: try write(ConverterProperty.rateControl, 0, isOptional: true)
    case .average: try write(ConverterProperty.rateControl, 1, isOptional: true)
    case .variable(let level):
      try write(ConverterProperty.rateControl, 3)
      try write(ConverterProperty.variableQuality, Self.variableQuality(level))
    }
    try write(ConverterProperty.quality, configuration.quality.number, isOptional: true)
    let bitrate = try chooseBitrate()
    return try ConverterReport(
      configuration, magicCookie: readProperty(ConverterProperty.magicCookie),
      outputFormat: readProperty(ConverterProperty.outputFormat),
      priming: readProperty(ConverterProperty.priming),
      largestPacket: readProperty(ConverterProperty.largestPacket), bitrate: bitrate)
  }

  /// Returns the quality, 0 to 127, whose bitrate is about that of `level` in this package's
  /// encoder.
  private static func variableQuality(_ level: Int) -> UInt32 {
    switch level {
    case ...1: 27
    case 2: 45
    case 3: 63
    case 4: 91
    default: 109
    }
  }

  /// Sets the nearest available bitrate and returns the bitrate in effect; 0 if it varies.
  private func chooseBitrate() throws(AACBackEndError) -> Int {
    let wanted = configuration.rateControl.nominalBitrate
    if wanted == 0 { return 0 }
    var ranges: [ClosedRange<Int>] = []
    do throws(ConverterStatus) {
      ranges = try ConverterValue.ranges(in: converter.read(ConverterProperty.applicableBitrates))
    } catch {
      // Without a list, the converter itself rejects unsupported bitrates.
    }
    let chosen = try Self.nearest(to: wanted, in: ranges)
    try write(ConverterProperty.bitrate, UInt32(clamping: chosen))
    guard let actual = ConverterValue.number(in: try readProperty(ConverterProperty.bitrate)),
      actual > 0
    else {
      return chosen
    }
    return Int(actual)
  }

  /// Returns the number in the ranges nearest to `wanted`; on a tie, the lower one.
  ///
  /// Without ranges, returns `wanted` unchanged.
  static func nearest(
    to wanted: Int, in ranges: [ClosedRange<Int>]
  ) throws(AACBackEndError) -> Int {
    guard var lowest = ranges.first?.lowerBound, var highest = ranges.first?.upperBound else {
      return wanted
    }
    var nearest = lowest
    for range in ranges {
      lowest = min(lowest, range.lowerBound)
      highest = max(highest, range.upperBound)
      let candidate = min(max(wanted, range.lowerBound), range.upperBound)
      let (distance, least) = (abs(candidate - wanted), abs(nearest - wanted))
      if distance < least || distance == least && candidate < nearest { nearest = candidate }
    }
    guard wanted >= lowest, wanted <= highest else {
      throw .bitrateOutOfRange(requested: wanted, lowest: lowest, highest: highest)
    }
    return nearest
  }

  /// Writes a number to a property.
  ///
  /// With `isOptional`, an unknown property is ignored: an encoder with only one mode may not have
  /// it.
  private func write(
    _ property: FourCharacterCode, _ number: UInt32, isOptional: Bool = false
  ) throws(AACBackEndError) {
    do throws(ConverterStatus) {
      try converter.write(ConverterValue.bytes(number), to: property)
    } catch {
      if isOptional, error.isUnknownProperty { return }
      throw error.error(in: .configure, configuration)
    }
  }

  private func readProperty(_ property: FourCharacterCode) throws(AACBackEndError) -> [UInt8] {
    do throws(ConverterStatus) {
      return try converter.read(property)
    } catch {
      throw error.error(in: .describe, configuration)
    }
  }
}

extension SystemEncoderConfiguration.Quality {
  /// The value of Core Audio's property, 0 to 127.
  fileprivate var number: UInt32 {
    switch self {
    case .lowest: 0
    case .low: 0x20
    case .medium: 0x40
    case .high: 0x60
    case .highest: 0x7F
    }
  }
}

/// The properties of the stream that a fully configured converter makes.
struct ConverterReport: Equatable {
  let stream: AudioSpecificConfig
  let timing: StreamTiming
  /// The decoder's configuration in the bytes of the system.
  let magicCookie: [UInt8]
  /// The size of the largest packet, in bytes.
  let largestPacket: Int

  /// Parses the properties of a converter that was made for `configuration`.
  init(
    _ configuration: SystemEncoderConfiguration, magicCookie: [UInt8], outputFormat: [UInt8],
    priming: [UInt8], largestPacket: [UInt8], bitrate: Int
  ) throws(AACBackEndError) {
    guard let found = MagicCookie.configuration(in: magicCookie) else { throw .noConfiguration }
    let stream = Self.complete(found, for: configuration)
    guard stream.objectType.rawValue == configuration.profile.objectType,
      stream.outputSampleRate == configuration.sampleRate,
      stream.outputChannelCount == configuration.channelCount,
      (stream.extensionSampleRate != nil) == configuration.isReplicated
    else {
      throw .unexpectedStream(
        sampleRate: stream.outputSampleRate, channelCount: stream.outputChannelCount)
    }
    // `mFramesPerPacket` follows the rate, the format ID, the flags and the bytes per packet.
    let framesPerPacket = ConverterValue.number(in: outputFormat, at: 20) ?? 0
    guard let delay = ConverterValue.number(in: priming), delay <= 1 << 20,
      framesPerPacket <= 1 << 16,
      let room = ConverterValue.number(in: largestPacket), room > 0, room <= 1 << 20
    else { throw .noConfiguration }
    self.stream = stream
    self.magicCookie = magicCookie
    self.largestPacket = Int(room)
    timing = StreamTiming(
      sampleRate: configuration.sampleRate,
      samplesPerUnit: framesPerPacket > 0
        ? Int(framesPerPacket) : configuration.profile.samplesPerUnit,
      priming: Int(delay), nominalBitrate: bitrate)
  }

  /// Adds the extensions that the system signals only in the frames.
  private static func complete(
    _ found: AudioSpecificConfig, for configuration: SystemEncoderConfiguration
  ) -> AudioSpecificConfig {
    var stream = found
    if !configuration.isReplicated { return stream }
    if stream.extensionSampleRate == nil, stream.sampleRate * 2 == configuration.sampleRate {
      stream.extensionSampleRate = configuration.sampleRate
    }
    if configuration.profile == .highEfficiencyV2, stream.channelConfiguration == 1 {
      stream.hasParametricStereo = true
    }
    if let signaling = configuration.signaling { stream.signaling = signaling }
    return stream
  }
}

/// The properties of a converter that this reads or writes.
enum ConverterProperty {
  static let rateControl = FourCharacterCode("a", "c", "b", "f")
  /// The encoder's effort for quality.
  static let quality = FourCharacterCode("c", "d", "q", "u")
  /// The quality of a variable bitrate, 0 to 127.
  static let variableQuality = FourCharacterCode("v", "b", "r", "q")
  /// Bits per second.
  static let bitrate = FourCharacterCode("b", "r", "a", "t")
  /// The bitrates that are available with the current settings.
  static let applicableBitrates = FourCharacterCode("a", "e", "b", "r")
  /// The size of the largest packet, in bytes.
  static let largestPacket = FourCharacterCode("x", "o", "p", "s")
  /// The complete description of the output format.
  static let outputFormat = FourCharacterCode("a", "c", "o", "d")
  /// The frames added before and after the audio.
  static let priming = FourCharacterCode("p", "r", "i", "m")
  /// The decoder's configuration.
  static let magicCookie = FourCharacterCode("c", "m", "g", "c")
}

/// Property values as bytes, in the memory layout of Apple's systems: little-endian.
enum ConverterValue {
  static func bytes(_ number: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// Returns the number in four bytes, or nil if fewer bytes are available.
  static func number(in bytes: [UInt8], at offset: Int = 0) -> UInt32? {
    guard offset >= 0, bytes.count - offset >= 4 else { return nil }
    return UInt32(bytes[offset..<offset + 4].number(isBigEndian: false))
  }

  /// Returns the ranges in a list of pairs of doubles, rounded inward.
  ///
  /// Ranges that contain no integer are skipped.
  static func ranges(in bytes: [UInt8]) -> [ClosedRange<Int>] {
    var ranges: [ClosedRange<Int>] = []
    var offset = 0
    while bytes.count - offset >= 16 {
      let least = double(in: bytes, at: offset)
      let most = double(in: bytes, at: offset + 8)
      offset += 16
      // This guard also rejects NaN, because every comparison with NaN is false.
      guard least >= 0, most >= least, most <= 1e9 else { continue }
      let floor = Int(least)
      let (lowest, highest) = (Double(floor) < least ? floor + 1 : floor, Int(most))
      if lowest <= highest { ranges.append(lowest...highest) }
    }
    return ranges
  }

  private static func double(in bytes: [UInt8], at offset: Int) -> Double {
    Double(bitPattern: bytes[offset..<offset + 8].number(isBigEndian: false))
  }
}
