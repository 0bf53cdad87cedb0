package import Foundation

/// Audio for the programs: one array of samples from −1 to 1 per channel.
package struct Sound: Sendable {
  package var channels: [[Float]]
  package var rate: Int

  package init(channels: [[Float]], rate: Int) {
    self.channels = channels
    self.rate = rate
  }

  package var frameCount: Int { channels.first?.count ?? 0 }

  /// A chord with an attack every third of a second and some hiss.
  ///
  /// Each channel has a different tune.
  package static func music(frames: Int, rate: Int, channels: Int) -> Sound {
    var random = SeededNumbers(seed: rate + channels)
    let tunes = (0..<channels).map { channel -> [Float] in
      // The LFE is coded only up to about 250 Hz, less at low rates.
      let isLow = channel == 3 && channels >= 6
      let base = isLow ? Double(rate) / 600 : 200 + 110 * Double(channel)
      return (0..<frames).map { n in
        let time = Double(n) / Double(rate)
        let decay = isLow ? 1 : exp(-4 * (time * 3 - floor(time * 3)) / 3)
        var sum = 0.0
        for partial in 1...(isLow ? 1 : 5) where base * Double(partial) < Double(rate) * 0.4 {
          sum += sin(2 * .pi * base * Double(partial) * time) / Double(partial)
        }
        return Float(0.3 * decay * sum + (isLow ? 0 : 0.003 * random.sample()))
      }
    }
    return Sound(channels: tunes, rate: rate)
  }

  /// A steady tone per channel, each with its frequency.
  package static func tones(_ hertz: [Double], frames: Int, rate: Int) -> Sound {
    Sound(
      channels: hertz.map { hertz in
        (0..<frames).map { Float(0.3 * sin(2 * .pi * hertz * Double($0) / Double(rate))) }
      }, rate: rate)
  }

  /// The frames as interleaved 16-bit samples in little-endian order.
  package var raw: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frameCount * channels.count * 2)
    for n in 0..<frameCount {
      for channel in channels {
        let value = Int16(max(-32_768, min(32_767, (channel[n] * 32_768).rounded())))
        bytes.append(UInt8(truncatingIfNeeded: value))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
      }
    }
    return bytes
  }

  /// A WAV file of the frames.
  package var wav: [UInt8] {
    var bytes: [UInt8] = []
    func put(_ value: Int, _ count: Int) {
      for shift in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
    }
    let samples = raw
    bytes += Array("RIFF".utf8)
    put(36 + samples.count, 4)
    bytes += Array("WAVEfmt ".utf8)
    put(16, 4)
    put(1, 2)
    put(channels.count, 2)
    put(rate, 4)
    put(rate * channels.count * 2, 4)
    put(channels.count * 2, 2)
    put(16, 2)
    bytes += Array("data".utf8)
    put(samples.count, 4)
    return bytes + samples
  }

  /// The channels of interleaved 32-bit floats.
  package static func channels(ofFloats data: Data, count: Int) -> [[Float]] {
    let values = unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    return (0..<count).map { channel in
      stride(from: channel, to: values.count, by: count).map { values[$0] }
    }
  }

  /// The ratio of the energies of the original and the difference, in dB.
  package static func signalToNoise(
    _ original: ArraySlice<Float>, _ copy: ArraySlice<Float>
  ) -> Double {
    var (signal, noise) = (1e-12, 1e-20)
    for (x, y) in zip(original, copy) {
      signal += Double(x) * Double(x)
      noise += Double(x - y) * Double(x - y)
    }
    return 10 * log10(signal / noise)
  }

  package static func signalToNoise(_ original: [Float], _ copy: [Float]) -> Double {
    signalToNoise(original[...], copy[...])
  }

  /// The delay of `copy` with the highest correlation to the original, in −40…40.
  package static func lag(_ original: [Float], _ copy: [Float]) -> Int? {
    (-40...40).max { one, other in
      correlation(original, copy, one) < correlation(original, copy, other)
    }
  }

  private static func correlation(_ original: [Float], _ copy: [Float], _ lag: Int) -> Double {
    var sum = 0.0
    for n in original.indices where copy.indices.contains(n + lag) {
      sum += Double(original[n]) * Double(copy[n + lag])
    }
    return sum
  }

  /// The amplitude of a frequency, with a Hann window.
  package static func amplitude(
    of hertz: Double, in samples: ArraySlice<Float>, rate: Int
  ) -> Double {
    var (sine, cosine, weight) = (0.0, 0.0, 0.0)
    for (n, sample) in samples.enumerated() {
      let angle = 2 * .pi * hertz * Double(n) / Double(rate)
      let share = 1 - cos(2 * .pi * Double(n) / Double(samples.count))
      sine += Double(sample) * sin(angle) * share
      cosine += Double(sample) * cos(angle) * share
      weight += share
    }
    return 2 * (sine * sine + cosine * cosine).squareRoot() / weight
  }
}
