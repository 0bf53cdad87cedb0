import AacornCodec
import AacornSignal

/// All units of all streams must decode to the right number of finite samples, and the same units
/// to the same samples.
///
/// No unit is more than 20 dB above full scale. A unit soon after damage is reported if it is more
/// than 6 dB above full scale.
///
/// An input is the configuration's length, the configuration, and units, each after its length.
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
  // A limit, to keep the time of each input short.
  while !input.isEmpty && units.count < 32 {
    let length = Int(input.byte()) << 8 | Int(input.byte())
    units.append((0..<min(length, input.count)).map { _ in input.byte() })
  }
  let samples = decode(units, with: &decoder)
  decoder.reset()
  // A reset keeps the detected properties of the stream, so these samples may differ.
  _ = decode(units, with: &decoder)
  guard var second = try? AACDecoder(configuration, options: options) else { return }
  require(samples == decode(units, with: &second), "the same units give different samples")
}

/// Returns the bits of the decoded samples.
private func decode(_ units: [[UInt8]], with decoder: inout AACDecoder) -> [UInt32] {
  var all: [UInt32] = []
  var reportedUnit = Int.min / 2
  for (index, unit) in units.enumerated() {
    // An empty unit represents a missing one.
    if unit.isEmpty {
      decoder.conceal()
      reportedUnit = index
    } else if case .concealed(let error) = decoder.decode(unit), error.reason != .burst {
      // A burst soon after damage does not extend the stricter checks.
      reportedUnit = index
    }
    var samples: [Float] = []
    decoder.append(to: &samples)
    require(
      samples.count == decoder.sampleCount * decoder.channelCount, "\(samples.count) samples")
    require(
      decoder.channelLayout.map { $0.speakers.count == decoder.channelCount } ?? true,
      "a layout with a wrong channel count")
    require(samples.allSatisfy(\.isFinite), "a sample that is not finite")
    let peak = samples.map(\.magnitude).max() ?? 0
    require(peak <= 10, "a peak of \(peak)")
    require(abs(decoder.peak - peak) <= 0x1p-20 * peak, "a peak of \(peak) that is not reported")
    require(peak <= 2 || index - reportedUnit > 5, "a peak of \(peak) after damage")
    all += samples.map(\.bitPattern)
  }
  return all
}
