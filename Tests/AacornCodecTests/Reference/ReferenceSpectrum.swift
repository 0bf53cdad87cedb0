import AacornCodec
import Foundation

/// The reconstruction of spectral lines from parsed values (ISO/IEC 14496-3, 4.6.2 to 4.6.9 and
/// 4.6.13).
struct ReferenceSpectrum {
  /// The band offsets of one window.
  let offsets: [Int]
  /// The upper limit of bands for temporal noise shaping.
  let noiseShapingLimit: Int
  let channel: ParsedChannel
  /// The lines; the lines of short windows are consecutive.
  var lines: [Double]
  /// The generated noise, with unit energy in each band.
  private var noise: [Double] = []

  /// Dequantizes the lines (4.6.2, 4.6.3), after adding the pulses.
  init(_ channel: ParsedChannel, offsets: [Int], noiseShapingLimit: Int) {
    self.channel = channel
    self.offsets = offsets
    self.noiseShapingLimit = noiseShapingLimit
    var quantized = channel.spectrum.map(Int.init)
    for pulse in channel.pulses {
      quantized[pulse.line] += quantized[pulse.line] > 0 ? pulse.amplitude : -pulse.amplitude
    }
    lines = [Double](repeating: 0, count: quantized.count)
    var result = lines
    forEachBand { index, range in
      guard Codebook.hasCodewords(channel.codebooks[index]) else { return }
      for line in range {
        result[line] = Self.dequantize(quantized[line], Int(channel.scaleFactors[index]))
      }
    }
    lines = result
  }

  /// sign(q) |q|^(4/3) 2^((sf − 100)/4).
  static func dequantize(_ value: Int, _ scaleFactor: Int) -> Double {
    let magnitude = pow(Double(abs(value)), 4.0 / 3) * pow(2, Double(scaleFactor - 100) / 4)
    return value < 0 ? -magnitude : magnitude
  }

  /// Calls `body` with the index of a band and its lines, for each band in each window.
  func forEachBand(_ body: (Int, Range<Int>) -> Void) {
    let length = offsets[offsets.count - 1]
    var window = 0
    for group in 0..<channel.window.groupCount {
      for _ in 0..<channel.window.groupLengths[group] {
        for band in 0..<channel.window.bandsPerGroup {
          let origin = window * length
          body(
            group * channel.window.bandsPerGroup + band,
            origin + offsets[band]..<origin + offsets[band + 1])
        }
        window += 1
      }
    }
  }

  /// Fills noise bands (4.6.13).
  ///
  /// If a band is also noise in `first` and its flag is set, it gets the same noise at its own
  /// level.
  mutating func addNoise(
    _ generator: inout NoiseGenerator, first: ReferenceSpectrum? = nil, flags: [Bool] = []
  ) {
    var result = lines
    var noise = [Double](repeating: 0, count: lines.count)
    forEachBand { index, range in
      guard channel.codebooks[index] == Codebook.noise else { return }
      var vector: [Double]
      if let first, flags[index], first.channel.codebooks[index] == Codebook.noise {
        vector = Array(first.noise[range])
      } else {
        vector = range.map { _ in generator.next() }
        let norm = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
        vector = vector.map { $0 / norm }
      }
      let level = Self.noiseEnergy(Int(channel.scaleFactors[index])).squareRoot()
      for (line, value) in zip(range, vector) {
        noise[line] = value
        result[line] = value * level
      }
    }
    lines = result
    self.noise = noise
  }

  static func noiseEnergy(_ energy: Int) -> Double { pow(2, Double(energy) / 2) }

  static func intensityScale(_ position: Int) -> Double { pow(2, -Double(position) / 4) }

  /// Converts mid and side to left and right (4.6.8.1): M is in `first`, S in `second`.
  static func separate(
    _ first: inout ReferenceSpectrum, _ second: inout ReferenceSpectrum, flags: [Bool]
  ) {
    var left = first.lines
    var right = second.lines
    first.forEachBand { index, range in
      guard flags[index], Codebook.isSpectral(first.channel.codebooks[index]),
        Codebook.isSpectral(second.channel.codebooks[index])
      else { return }
      for line in range {
        (left[line], right[line]) = (left[line] + right[line], left[line] - right[line])
      }
    }
    first.lines = left
    second.lines = right
  }

  /// Fills intensity bands from the first channel (4.6.8.2).
  ///
  /// `flags` invert the sign. They are the flags of the M/S mask if it is sent per band.
  mutating func copyIntensity(from first: [Double], flags: [Bool]) {
    var result = lines
    forEachBand { index, range in
      let codebook = channel.codebooks[index]
      guard Codebook.isIntensity(codebook) else { return }
      var scale = Self.intensityScale(Int(channel.scaleFactors[index]))
      if codebook == Codebook.intensityOutOfPhase { scale = -scale }
      if !flags.isEmpty && flags[index] { scale = -scale }
      for line in range { result[line] = scale * first[line] }
    }
    lines = result
  }

  /// Applies the filters of temporal noise shaping (4.6.9).
  mutating func shapeNoise() {
    let length = offsets[offsets.count - 1]
    let limit = min(noiseShapingLimit, channel.window.bandsPerGroup)
    var top = offsets.count - 1
    var window = -1
    for filter in channel.noiseShapingFilters {
      if filter.window != window {
        window = filter.window
        top = offsets.count - 1
      }
      let bottom = max(top - filter.length, 0)
      let start = window * length + offsets[min(bottom, limit)]
      let end = window * length + offsets[min(top, limit)]
      top = bottom
      let indices = channel.noiseShapingCoefficients[
        filter.firstCoefficient..<filter.firstCoefficient + filter.order]
      let prediction = Self.predictionCoefficients(
        indices.map(Int.init), resolution: filter.resolution)
      let order = Array(start..<end)
      var history = [Double](repeating: 0, count: filter.order)
      for line in filter.isDownward ? order.reversed() : order {
        for (past, coefficient) in zip(history, prediction.dropFirst()) {
          lines[line] -= coefficient * past
        }
        history = Array(([lines[line]] + history).prefix(filter.order))
      }
    }
  }

  /// The reflection coefficient of an index with 3 or 4 bits (4.6.9.3).
  static func reflectionCoefficient(_ index: Int, resolution: Int) -> Double {
    let half = Double(1 << (resolution - 1))
    return sin(Double(index) * .pi / 2 / (index >= 0 ? half - 0.5 : half + 0.5))
  }

  /// The direct form of a filter, with a[0] = 1.
  static func predictionCoefficients(_ indices: [Int], resolution: Int) -> [Double] {
    var direct = [1.0]
    for index in indices {
      let reflection = reflectionCoefficient(index, resolution: resolution)
      let longer = direct + [0]
      direct = zip(longer, longer.reversed()).map { $0 + reflection * $1 }
    }
    return direct
  }
}

/// A linear congruential generator of zero-mean noise.
struct NoiseGenerator {
  var state: UInt32 = 1

  /// Returns a number in −1…1.
  mutating func next() -> Double {
    state = state &* 1_664_525 &+ 1_013_904_223
    return Double(Int32(bitPattern: state)) / 2_147_483_648
  }

  /// Returns numbers in −`amplitude`…`amplitude`.
  static func floats(_ count: Int = 1024, amplitude: Double, seed: UInt32) -> [Float] {
    var generator = NoiseGenerator(state: seed)
    return (0..<count).map { _ in Float(amplitude * generator.next()) }
  }
}
