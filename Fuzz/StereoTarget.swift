@testable import AacornCodec

/// Parses ps_data frame by frame, with any number of bits, and applies it.
func fuzzStereo(_ bytes: [UInt8]) {
  var input = FuzzInput(bytes)
  var stereo = ParametricStereo()
  var mono = QMFFrame()
  var (left, right) = (QMFFrame(), QMFFrame())
  for index in mono.real.indices {
    mono.real[index] = Float(index % 64) * 100
    mono.imaginary[index] = Float(index % 7) * 100
  }
  let slotCount = input.flag() ? 30 : 32
  while !input.isEmpty {
    let count = input.choice(64)
    let data = (0..<count).map { _ in input.byte() }
    var bits = BitReader(data)
    let bitCount = count * 8 - input.choice(9)
    _ = stereo.read(&bits, bitCount: bitCount)
    require(bits.position <= max(bitCount, 0), "more bits were read than there are")
    stereo.apply(mono, slotCount: slotCount, left: &left, right: &right)
    require(
      (left.real + right.imaginary).allSatisfy { abs($0) < 1e6 }, "the channels are far too loud")
  }
}
