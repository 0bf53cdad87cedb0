import TestSignals
import Testing

@testable import AacornCodec

/// Pairs of channels with a common window, compared with the definitions.
///
/// `CoreDecoderTests` has all other combinations, but also filters, which amplify errors.
@Suite struct StereoDecodingTests {
  /// Decodes frames with the core and with the reference, and returns the maximum difference.
  private static func worst(
    frameLength: Int, mask: MidSideMask, _ edit: (inout ParsedChannel, inout ParsedChannel) -> Void
  ) -> Double {
    var random = SeededNumbers(seed: 9)
    let configuration = AudioSpecificConfig.test(channels: 2, frameLength: frameLength)
    var core = CoreDecoder(configuration, channelCount: 2)
    var reference = ReferenceDecoder(configuration)
    var worst = 0.0
    let sequences: [WindowSequence] = [.onlyLong, .longStart, .eightShort, .longStop]
    for (frame, sequence) in sequences.enumerated() {
      let window = WindowInfo(sequence, bands: sequence == .eightShort ? 11 : 38)
      var first = ParsedChannel(window, frameLength: frameLength, using: &random)
      var second = ParsedChannel(window, frameLength: frameLength, using: &random)
      if mask != .none {
        first.midSideFlags = (0..<window.bandCount).map { mask == .all || $0 % 3 == 1 }
      }
      edit(&first, &second)
      var block = ParsedBlock()
      block.add(.pair, [first, second], mask: mask)
      let exact = reference.decode(block)
      core.decode(&block, firstChannels: [0], unit: frame)
      for channel in 0..<2 {
        worst = max(worst, Likeness.worst(core.channels[channel].samples, exact[channel]))
      }
    }
    return worst
  }

  private static func useIntensity(_ channel: inout ParsedChannel) {
    for band in channel.codebooks.indices where band % 4 > 1 {
      channel.codebooks[band] =
        band % 4 == 2 ? Codebook.intensityInPhase : Codebook.intensityOutOfPhase
      channel.scaleFactors[band] = Int16(band % 19 - 9)
      channel.intensityBandCount += 1
    }
  }

  @Test(arguments: [1024, 960], [MidSideMask.none, .perBand, .all])
  func midSideAndIntensityFollowTheDefinition(frameLength: Int, mask: MidSideMask) {
    #expect(Self.worst(frameLength: frameLength, mask: mask) { _, _ in } < 3e-6)
    let joined = Self.worst(frameLength: frameLength, mask: mask) { Self.useIntensity(&$1) }
    #expect(joined < 3e-6)
  }

  @Test func emptyChannelsAreSilent() {
    let worst = Self.worst(frameLength: 1024, mask: .perBand) { first, second in
      first.codebooks = first.codebooks.map { _ in 0 }
      second.codebooks = second.codebooks.map { _ in 0 }
    }
    #expect(worst == 0)
  }
}
