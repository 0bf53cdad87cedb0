import TestSignals
import Testing

@testable import AacornCodec

@Suite struct SBRSpectrumTests {
  @Test func energiesAreComputedOnRequest() {
    var random = SeededNumbers(seed: 5)
    var samples: [Float] = []
    for _ in 0..<8192 { samples.append(Float.random(in: -1000...1000, using: &random)) }
    var queue = SampleQueue(frameLength: 2048, lead: 2048)
    queue.append(samples, count: samples.count)
    var analysis = QMFAnalysis64()
    var spectrum = SBRSpectrum()
    var bands = SBRSpectrum(hasEnergies: false)
    // The second frame reuses slots of the first.
    for frame in 0..<2 {
      let offset = SBRSpectrum.offset + 2048 * frame
      spectrum.advance(queue, offset: offset, &analysis)
      bands.advance(queue, offset: offset, &analysis)
      #expect(bands.real == spectrum.real && bands.imaginary == spectrum.imaginary)
      #expect(bands.energies.isEmpty)
      let squares = zip(spectrum.real, spectrum.imaginary).map { $0 * $0 + $1 * $1 }
      #expect(spectrum.energies == squares)
      #expect(squares.contains { $0 > 0 })
    }
  }
}
