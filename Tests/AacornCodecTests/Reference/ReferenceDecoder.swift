@testable import AacornCodec

/// A slow and simple AAC-LC decoder in double precision, for tests of the encoder.
///
/// It parses the bits with `FrameReader` and follows the formulas from there. It ignores coupling
/// channels, SBR and PS.
struct ReferenceDecoder {
  private var reader: FrameReader
  private var filterBanks: [ReferenceFilterBank] = []
  private var noise = NoiseGenerator()

  init(_ configuration: AudioSpecificConfig) {
    reader = FrameReader(configuration, keepsSpectrum: true)
  }

  /// Decodes a whole stream with a new decoder.
  ///
  /// Returns one array per channel, in the order of the stream's elements and in 16-bit scale. The
  /// result is untrimmed: `units.count * config.frameLength` samples, including the priming.
  static func decode(
    units: [[UInt8]], config: AudioSpecificConfig
  ) throws(ParseError) -> [[Double]] {
    var decoder = ReferenceDecoder(config)
    var channels: [[Double]] = []
    for unit in units {
      let frame = try decoder.decode(unit)
      while channels.count < frame.count { channels.append([]) }
      for (channel, samples) in frame.enumerated() { channels[channel] += samples }
    }
    return channels
  }

  mutating func decode(_ unit: [UInt8]) throws(ParseError) -> [[Double]] {
    try reader.read(unit)
    return decode(reader.block)
  }

  mutating func decode(_ block: ParsedBlock) -> [[Double]] {
    var frame: [[Double]] = []
    for element in block.elements where element.kind != .coupling {
      for spectrum in spectra(of: element, in: block) {
        if filterBanks.count == frame.count {
          filterBanks.append(ReferenceFilterBank(frameLength: reader.configuration.frameLength))
        }
        frame.append(
          filterBanks[frame.count].synthesise(spectrum.lines, window: spectrum.channel.window))
      }
    }
    return frame
  }

  /// Returns the final spectra of an element's channels.
  private mutating func spectra(
    of element: ParsedElement, in block: ParsedBlock
  ) -> [ReferenceSpectrum] {
    let range = element.firstChannel..<element.firstChannel + element.channelCount
    var spectra = block.channels[range].map(dequantized)
    if spectra.isEmpty { return [] }
    spectra[0].addNoise(&noise)
    if element.kind == .pair {
      if element.hasCommonWindow {
        joinStereo(&spectra, element)
      } else {
        spectra[1].addNoise(&noise)
      }
    }
    for index in spectra.indices { spectra[index].shapeNoise() }
    return spectra
  }

  /// Applies the stereo tools to a pair whose channels share their windows.
  private mutating func joinStereo(_ spectra: inout [ReferenceSpectrum], _ element: ParsedElement) {
    let bandCount = spectra[0].channel.codebooks.count
    let flags =
      element.midSideMask == .none
      ? [Bool](repeating: false, count: bandCount) : spectra[0].channel.midSideFlags
    var first = spectra[0]
    var second = spectra[1]
    second.addNoise(&noise, first: first, flags: flags)
    ReferenceSpectrum.separate(&first, &second, flags: flags)
    second.copyIntensity(from: first.lines, flags: element.midSideMask == .perBand ? flags : [])
    spectra = [first, second]
  }

  private func dequantized(_ channel: ParsedChannel) -> ReferenceSpectrum {
    let rate = reader.configuration.sampleRate
    let index = (SamplingFrequency(hertz: rate) ?? SamplingFrequency(tablesFor: rate)).index
    let bands = ScaleFactorBands(rateIndex: index)
    return ReferenceSpectrum(
      channel, offsets: reader.bandOffsets(isShort: channel.window.isShort),
      noiseShapingLimit: channel.window.isShort
        ? bands.shortNoiseShapingLimit : bands.longNoiseShapingLimit)
  }
}
