import TestSignals

@testable import AacornCodec

extension WindowInfo {
  init(
    _ sequence: WindowSequence, _ shape: WindowShape = .sine, bands: Int,
    groups: [UInt8] = [1, 2, 3, 2]
  ) {
    self.init()
    self.sequence = sequence
    self.shape = shape
    bandsPerGroup = bands
    guard isShort else { return }
    groupCount = groups.count
    for (group, length) in groups.enumerated() { groupLengths[group] = length }
  }
}

extension ParsedChannel {
  /// Creates a channel with one codebook and scale factor per band, and random lines.
  init(
    _ window: WindowInfo, codebook: UInt8 = Codebook.escape, scaleFactor: Int16 = 120,
    frameLength: Int = 1024, largest: Int16 = 30, using random: inout SeededNumbers
  ) {
    self.init()
    self.window = window
    codebooks = [UInt8](repeating: codebook, count: window.bandCount)
    scaleFactors = [Int16](repeating: scaleFactor, count: window.bandCount)
    spectrum = (0..<frameLength).map { _ in Int16.random(in: -largest...largest, using: &random) }
    if codebook == Codebook.noise { noiseBandCount = window.bandCount }
    if Codebook.isIntensity(codebook) { intensityBandCount = window.bandCount }
  }
}

extension AudioSpecificConfig {
  static func test(
    _ type: AudioObjectType = .lowComplexity, rate: Int = 44_100, channels: Int = 1,
    frameLength: Int = 1024
  ) -> AudioSpecificConfig {
    var configuration = AudioSpecificConfig(
      objectType: type, sampleRate: rate, channelConfiguration: channels)
    configuration.frameLength = frameLength
    return configuration
  }
}

extension CoreDecoder {
  init(_ configuration: AudioSpecificConfig, channelCount: Int) {
    self.init(
      configuration, FrameReader(configuration, keepsSpectrum: true), appliesDynamicRange: false)
    setChannelCount(channelCount)
  }
}

extension Likeness {
  /// The maximum difference relative to the maximum value.
  static func worst(_ made: some Collection<Float>, _ exact: some Collection<Double>) -> Double {
    if made.count != exact.count { return .infinity }
    var (error, peak) = (0.0, 1e-30)
    for (x, y) in zip(made, exact) {
      error = max(error, (Double(x) - y).magnitude)
      // NaN compares as false, so check for it explicitly.
      if !x.isFinite { return .infinity }
      peak = max(peak, y.magnitude)
    }
    return error / peak
  }
}
