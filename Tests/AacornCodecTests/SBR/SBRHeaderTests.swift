import TestSignals
import Testing

@testable import AacornCodec

@Suite struct SBRHeaderTests {
  private static func header(_ random: inout SeededNumbers) -> SBRHeader {
    var header = SBRHeader()
    header.isCoarse = Bool.random(using: &random)
    header.spectrum.startFrequency = Int.random(in: 0...15, using: &random)
    header.spectrum.stopFrequency = Int.random(in: 0...15, using: &random)
    header.spectrum.crossoverBand = Int.random(in: 0...7, using: &random)
    // One field has a value other than the default, or none, or all.
    let choice = Int.random(in: 0...8, using: &random)
    if choice == 0 || choice == 8 {
      header.spectrum.frequencyScale = Int.random(in: 0...3, using: &random)
    }
    if choice == 1 || choice == 8 { header.spectrum.isAltered = false }
    if choice == 2 || choice == 8 {
      header.spectrum.noiseBands = Int.random(in: 0...3, using: &random)
    }
    if choice == 3 || choice == 8 { header.limiterBands = Int.random(in: 0...3, using: &random) }
    if choice == 4 || choice == 8 { header.limiterGain = Int.random(in: 0...3, using: &random) }
    if choice == 5 || choice == 8 { header.interpolatesFrequency = false }
    if choice == 6 || choice == 8 { header.isSmoothed = true }
    return header
  }

  @Test func headersAreReadAsTheyWereWritten() {
    var random = SeededNumbers(seed: 1)
    for _ in 0..<2000 {
      let header = Self.header(&random)
      var writer = BitWriter()
      header.put(to: &writer)
      var bits = BitReader(writer.bytes)
      let read = SBRHeader(&bits)
      #expect(read == header && bits.position == writer.bitCount)
    }
  }

  @Test func headerOmitsDefaults() {
    var counter = BitCounter()
    SBRHeader().put(to: &counter)
    #expect(counter.bitCount == 16)
  }
}
