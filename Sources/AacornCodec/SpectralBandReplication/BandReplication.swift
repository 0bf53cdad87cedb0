struct BandReplication: Sendable {
  init(coreRate: Int, frameLength: Int, channelCount: Int, isDownsampled: Bool) {}
  mutating func read(_ bits: inout BitReader, hasChecksum: Bool) -> Bool { true }
  mutating func readNothing() {}
  mutating func process(channel: Int, _ core: [Float], into output: inout [Float]) {}
  mutating func process(_ core: [Float], intoLeft left: inout [Float], right: inout [Float]) {}
  var hasParametricStereo: Bool { false }
  mutating func reset() {}
}
