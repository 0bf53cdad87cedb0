import AacornCodec
import AacornContainers

/// Encodes the described samples in chunks of two different sizes, and decodes the result.
func fuzzEncoder(_ bytes: [UInt8]) {
  var input = FuzzInput(bytes)
  let configuration = configuration(from: &input)
  guard var encoder = try? AACEncoder(configuration) else { return }
  encoder.collectsStatistics = true
  let samples = samples(from: &input, channelCount: configuration.channelCount)

  let (units, trim) = encode(samples, with: encoder, limit: samples.count, takesAtOnce: false)
  var random = FuzzRandom(bytes)
  let limit = 1 + random.below(3000)
  let (others, otherTrim) = encode(samples, with: encoder, limit: limit, takesAtOnce: true)
  require(units == others && trim == otherTrim, "the units depend on the chunks")

  check(units, trim, samples, encoder)
  checkStream(units, encoder)
}

private func configuration(from input: inout FuzzInput) -> AACEncoder.Configuration {
  let index = input.choice(14)
  let rate = SamplingFrequency(index: index)?.hertz ?? Int(input.word() % 200_000)
  let channelCount = [1, 2, 2, 1, 3, 4, 5, 6, 8, 7, 0, 9][input.choice(12)]
  let value = Int(input.byte()) << 8 | Int(input.byte())
  let control = input.choice(4)
  var configuration = AACEncoder.Configuration(
    sampleRate: rate, channelCount: channelCount,
    effort: AACEncoder.Effort.allCases[input.choice(3)])
  if input.choice(4) == 0 { configuration.bandwidth = Int(input.word() % 50_000) }
  configuration.isMPEG2 = input.flag()
  if input.flag() {
    configuration.tools = AACEncoder.Tools(
      rawValue: input.choice(AACEncoder.Tools.all.rawValue + 1))
  }
  if input.flag() {
    configuration.profile = input.flag() ? .highEfficiencyV2 : .highEfficiency
    // Version 2 requires two channels, which few inputs have: select that number more often.
    if configuration.profile == .highEfficiencyV2 && input.choice(8) > 0 {
      configuration.channelCount = 2
    }
  }
  let limits = AACEncoder.bitrateLimits(
    sampleRate: rate, channelCount: configuration.channelCount, profile: configuration.profile)
  let bitrate = limits.map { $0.lowerBound + ($0.upperBound - $0.lowerBound) * value / 65_535 }
  switch control {
  case 0, 1: configuration.rateControl = .constant(bitsPerSecond: bitrate ?? value)
  case 2: configuration.rateControl = .average(bitsPerSecond: bitrate ?? value)
  default: configuration.rateControl = .variable(level: value % 7)
  }
  return configuration
}

/// Returns up to six frames of samples, or three with band replication, in segments of different
/// signals.
private func samples(from input: inout FuzzInput, channelCount: Int) -> [Float] {
  var samples: [Float] = []
  let most = 6 * 1024 * channelCount + input.choice(255)
  while !input.isEmpty && samples.count < most {
    let kind = input.choice(8)
    let length = (1 + input.choice(64)) * 16 * channelCount
    let amplitude = Float(sign: .plus, exponent: -input.choice(20), significand: 1)
    var random = FuzzRandom(seed: input.word())
    for index in 0..<length {
      switch kind {
      case 0: samples.append(0)
      case 1: samples.append(amplitude * (Float(random.below(65_536)) / 32_768 - 1))
      case 2: samples.append(Float(bitPattern: random.next() &* 2_654_435_761))
      case 3: samples.append(index / channelCount % (2 + Int(amplitude * 50)) == 0 ? 1 : -1)
      case 4: samples.append(index % 1024 == 500 ? 4 : 0)
      case 5: samples.append([.nan, .infinity, -.infinity, 3e38, -3e38][random.below(5)])
      case 6: samples.append(index % channelCount == 0 ? amplitude : -amplitude)
      // A triangle wave, which has the spectrum of a tone.
      default: samples.append(amplitude * (abs(Float(index % 64) / 16 - 2) - 1))
      }
    }
  }
  return samples
}

private func encode(
  _ samples: [Float], with encoder: AACEncoder, limit: Int, takesAtOnce: Bool
) -> ([AccessUnit], StreamTrim) {
  var encoder = encoder
  var units: [AccessUnit] = []
  var start = 0
  while start < samples.count {
    let end = min(samples.count, start + limit)
    encoder.encode(interleaved: samples[start..<end].span)
    start = end
    while takesAtOnce, let unit = encoder.nextAccessUnit() { units.append(unit) }
  }
  let trim = encoder.finish()
  while let unit = encoder.nextAccessUnit() { units.append(unit) }
  return (units, trim)
}

private func check(
  _ units: [AccessUnit], _ trim: StreamTrim, _ samples: [Float], _ encoder: AACEncoder
) {
  let configuration = encoder.configuration
  let channelCount = configuration.channelCount
  require(trim.sampleCount == samples.count / channelCount, "samples were lost")
  if !units.isEmpty || trim.sampleCount > 0 {
    require(
      trim.priming + trim.sampleCount + trim.remainder
        == units.count * encoder.timing.samplesPerUnit,
      "\(trim) does not fit \(units.count) units")
  }
  // Parametric stereo decodes one channel to two.
  let stream = encoder.audioSpecificConfig
  let coreCount = stream.channelCount
  require(
    coreCount == (configuration.profile == .highEfficiencyV2 ? 1 : channelCount)
      && stream.hasParametricStereo == (configuration.profile == .highEfficiencyV2),
    "\(stream) does not fit \(configuration)")
  let largest = 6144 * stream.bufferedChannelCount
  var frameReader = FrameReader(stream, keepsSpectrum: true)
  for (index, unit) in units.enumerated() {
    do throws(ParseError) {
      try frameReader.read(unit.bytes)
    } catch {
      require(false, "unit \(index) cannot be read: \(error)")
    }
    require(
      frameReader.block.byteCount == unit.bytes.count, "unit \(index) has bytes after its end")
    require(frameReader.block.channelCount == coreCount, "unit \(index) has too few channels")
    require(
      frameReader.block.protectedRegions == unit.protectedRegions, "unit \(index) has wrong regions"
    )
    let channels = unit.statistics?.channels ?? []
    require(
      channels.map(\.windowSequence) == frameReader.block.channels.map(\.window.sequence)
        && channels.map(\.globalGain) == frameReader.block.channels.map(\.globalGain)
        && channels.map(\.noiseBandCount) == frameReader.block.channels.map(\.noiseBandCount),
      "unit \(index) has wrong statistics")
    require(
      unit.bytes.count * 8 <= largest,
      "unit \(index) of \(unit.bytes.count) bytes is larger than the decoder's buffer: "
        + "\(encoder.configuration)")
    require(
      unit.samplePosition == index * encoder.timing.samplesPerUnit - trim.priming,
      "unit \(index) has a wrong position")
    if let level = unit.reservoirBits {
      require(
        (0...largest).contains(level),
        "after unit \(index) of \(unit.bytes.count) bytes the reservoir holds \(level) bits: "
          + "\(encoder.configuration)")
    }
  }
}

/// Writes the units to an ADTS stream with checksums and reads them back.
private func checkStream(_ units: [AccessUnit], _ encoder: AACEncoder) {
  let configuration = encoder.audioSpecificConfig
  guard var writer = try? ADTSWriter(configuration: configuration, hasChecksum: true) else {
    return require(false, "ADTS rejects \(configuration)")
  }
  var stream: [UInt8] = []
  for unit in units {
    do throws(ContainerError) {
      try writer.append(unit, to: &stream)
    } catch {
      require(false, "ADTS rejects a unit: \(error)")
    }
  }
  var reader = ADTSReader()
  reader.append(stream)
  reader.finish()
  var count = 0
  while let event = reader.next() {
    guard case .frame(let frame) = event else {
      return require(false, "unexpected in the stream: \(event)")
    }
    require(count < units.count && frame.payload == units[count].bytes, "frame \(count) differs")
    require(
      frame.checksumMatches(regions: units[count].protectedRegions) == true,
      "the checksum of frame \(count) is wrong")
    count += 1
  }
  require(count == units.count, "\(units.count - count) frames are missing")
}
