import AacornCodec
import AacornDevices
import AacornRecording
import TestSignals

func noise(_ count: Int, amplitude: Float = 1, seed: Int = 3) -> [Float] {
  var numbers = SeededNumbers(seed: seed)
  return (0..<count).map { _ in amplitude * Float(numbers.sample()) }
}

/// Multiples of 37/32,768 below 20,000/32,768.
func steps(_ count: Int) -> [Float] { (0..<count).map { Float($0 * 37 % 20_000) / 32_768 } }

func constant(_ value: Float, _ count: Int) -> [Float] { [Float](repeating: value, count: count) }

/// The first samples of a counter in two channels.
func counterSamples(frames: Int) -> [Float] {
  var samples: [Float] = []
  var counter = CounterSignal(sampleRate: 48_000, channelCount: 2)
  _ = counter.read(into: &samples, frameCount: frames)
  return samples
}

extension AACEncoder {
  static func units(of samples: [Float], _ settings: Configuration) throws -> [AccessUnit] {
    var encoder = try AACEncoder(settings)
    encoder.encode(interleaved: samples.span)
    _ = encoder.finish()
    var units: [AccessUnit] = []
    while let unit = encoder.nextAccessUnit() { units.append(unit) }
    return units
  }
}

extension EffectChain {
  /// The output of a copy of this chain for blocks of `frames` frames.
  func output(_ samples: [Float], by frames: Int = 1023) -> [Float] {
    var chain = self
    var result: [Float] = []
    let count = frames * channelCount
    for start in stride(from: 0, to: samples.count, by: count) {
      var block = Array(samples[start..<min(start + count, samples.count)])
      chain.process(&block)
      result += block
    }
    chain.finish(into: &result)
    return result
  }
}

/// The two parts of each line of a table, which an arrow separates.
func pairs(_ table: String) -> [(String, String)] {
  table.split(separator: "\n").map { line in
    let parts = line.split(separator: " → ", maxSplits: 1, omittingEmptySubsequences: false)
    precondition(parts.count == 2, "A line has no arrow: \(line)")
    return (String(parts[0]), String(parts[1]))
  }
}
