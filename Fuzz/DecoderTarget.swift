import AacornCodec
import AacornSignal

/// Any units of any stream give as many samples as they must, none of them infinite, and the same
/// units give the same samples.
///
/// An input is the configuration's length, the configuration, and units behind their lengths.
func fuzzDecoder(_ bytes: [UInt8]) {
  var input = FuzzInput(bytes)
  let choice = input.byte()
  var options = AACDecoder.Options()
  options.appliesDynamicRange = choice & 0x80 != 0
  options.expectsParametricStereo = choice & 0x40 != 0
  let head = (0..<choice & 0x1F).map { _ in input.byte() }
  guard let configuration = AudioSpecificConfig(parsing: head),
    var decoder = try? AACDecoder(configuration, options: options)
  else { return }
  var units: [[UInt8]] = []
  // As many as a person would wait for.
  while !input.isEmpty && units.count < 32 {
    let length = Int(input.byte()) << 8 | Int(input.byte())
    units.append((0..<min(length, input.count)).map { _ in input.byte() })
  }
  let samples = decode(units, with: &decoder)
  decoder.reset()
  // What the stream turned out to be stays known, so these may be others.
  _ = decode(units, with: &decoder)
  guard var second = try? AACDecoder(configuration, options: options) else { return }
  require(samples == decode(units, with: &second), "the same units give other samples")
}

/// The samples' bits.
private func decode(_ units: [[UInt8]], with decoder: inout AACDecoder) -> [UInt32] {
  var all: [UInt32] = []
  for unit in units {
    // None stands for one that is missing.
    if unit.isEmpty { decoder.conceal() } else { decoder.decode(unit) }
    var samples: [Float] = []
    decoder.append(to: &samples)
    require(
      samples.count == decoder.sampleCount * decoder.channelCount, "\(samples.count) samples")
    require(
      decoder.channelLayout.map { $0.speakers.count == decoder.channelCount } ?? true,
      "a layout of other channels")
    require(samples.allSatisfy(\.isFinite), "a sample that is not finite")
    all += samples.map(\.bitPattern)
  }
  return all
}
