import AacornSignal
import TestSignals
import Testing

@testable import AacornCodec

/// The encoder's 64-band filter bank, compared with its formula and with the decoder's synthesis.
@Suite struct QMFAnalysis64Tests {
  /// The bands of several slots.
  ///
  /// The newest samples of the first slot begin at sample 576.
  struct Rows: Equatable {
    var real, imaginary: [Float]

    /// Transforms each group of slots with a separate call.
    init(_ samples: [Float], slotCounts: [Int]) {
      real = [Float](repeating: -1, count: 64 * slotCounts.reduce(0, +) + 4)
      imaginary = real
      var analysis = QMFAnalysis64()
      var row = 0
      for count in slotCounts {
        analysis.analyze(
          samples, from: 576 + 64 * row, slotCount: count, into: &real, &imaginary, firstRow: row)
        row += count
      }
    }
  }

  /// The bands of the slot that ends before `end`, computed as plain sums.
  static func formula(_ samples: [Float], end: Int) -> (real: [Double], imaginary: [Double]) {
    let turns = (0..<512).map { ElementaryFunctions.sinCosPi(Double($0) / 256) }
    var real = [Double](repeating: 0, count: 64)
    var imaginary = real
    for n in 0..<640 {
      let value = Double(samples[end - 1 - n]) * Double(SBRConstants.prototype[n])
      for band in 0..<64 {
        // Half a turn is 256; adding a full turn keeps the index positive.
        let turn = turns[((2 * band + 1) * (2 * (n % 128) - 1) + 512) % 512]
        real[band] += value * turn.cos
        imaginary[band] += value * turn.sin
      }
    }
    return (real, imaginary)
  }

  @Test func followsTheFormula() {
    var random = SeededNumbers(seed: 1)
    let samples = random.floats(576 + 64 * 12, amplitude: 30_000)
    let rows = Rows(samples, slotCounts: [12])
    for slot in 0..<12 {
      let exact = Self.formula(samples, end: 576 + 64 * (slot + 1))
      let range = 64 * slot..<64 * (slot + 1)
      #expect(Likeness.worst(rows.real[range], exact.real) < 2e-6, "slot \(slot)")
      #expect(Likeness.worst(rows.imaginary[range], exact.imaginary) < 2e-6, "slot \(slot)")
    }
    // Nothing is written after the last row.
    #expect(rows.real.suffix(4).allSatisfy { $0 == -1 })
    #expect(rows.imaginary.suffix(4).allSatisfy { $0 == -1 })
  }

  @Test func groupingOfSlotsChangesNothing() {
    var random = SeededNumbers(seed: 2)
    let samples = random.floats(576 + 64 * 12, amplitude: 30_000)
    let whole = Rows(samples, slotCounts: [12])
    #expect(Rows(samples, slotCounts: [4, 8]) == whole)
    #expect(Rows(samples, slotCounts: [4, 0, 4, 4]) == whole)
  }

  /// The standard's prototype has a ripple of 0.013 dB, which limits the ratio to 60 dB.
  @Test(arguments: [false, true])
  func aSynthesisGivesTheSamplesBack(isDownsampled: Bool) {
    let frames = 3
    var random = SeededNumbers(seed: 3)
    var samples = random.floats(576 + 2048 * frames, amplitude: 30_000)
    if isDownsampled {
      // Downsampling halves the sample rate, so all tones must be below a quarter of it.
      var voices = [0.0011, 0.0123, 0.0507, 0.1013, 0.1533, 0.2043].map {
        Oscillator(hertz: $0 * 1e6, rate: 1_000_000)
      }
      for n in samples.indices {
        var sum = 0.0
        for voice in voices.indices { sum += voices[voice].next() }
        samples[n] = Float(4000 * sum)
      }
    }
    var analysis = QMFAnalysis64()
    var synthesis = QMFSynthesis(slotCount: 32, isDownsampled: isDownsampled)
    var bands = QMFFrame()
    var block = [Float](repeating: 0, count: isDownsampled ? 1024 : 2048)
    var made: [Double] = []
    for frame in 0..<frames {
      analysis.analyze(
        samples, from: 576 + 2048 * frame, slotCount: 32, into: &bands.real, &bands.imaginary,
        firstRow: 0)
      synthesis.synthesize(bands, slotCount: 32, into: &block)
      made.append(contentsOf: block.map(Double.init))
    }
    // The synthesis starts without history.
    let step = isDownsampled ? 2 : 1
    let first = 1280 / step
    let exact = (first..<made.count).map { samples[576 + step * $0 - 577] }
    let ratio = Likeness.signalToNoise(exact, made[first...])
    #expect(ratio > 56, "\(ratio) dB")
  }
}
