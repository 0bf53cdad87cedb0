package import AacornCodec

extension StreamReport {
  /// Channels of the decoded sound; 0 if unknown.
  package var outputChannelCount: Int {
    hasParametricStereo ? 2 : configuration?.outputChannelCount ?? 0
  }

  /// A configuration of the stream, completed by what only the frames tell.
  func completed(_ stream: AudioSpecificConfig) -> AudioSpecificConfig {
    var stream = stream
    if hasSpectralBandReplication && stream.extensionSampleRate == nil {
      stream.extensionSampleRate = stream.sampleRate &* 2
    }
    if hasParametricStereo { stream.hasParametricStereo = true }
    return stream
  }

  /// Notes what decoding tells; a burst is a fault.
  package mutating func add(_ finding: SoundFinding) {
    sound = finding
    guard case .measured(let measured) = finding, let position = measured.burstPosition,
      measured.sampleRate > 0, sampleRate > 0
    else { return }
    let rate = Int64(measured.sampleRate)
    let (seconds, rest) = position.quotientAndRemainder(dividingBy: rate)
    var before = position
    if let trim {
      // What a file claims to cut off may be absurd.
      before += Int64(min(max(0, trim.priming), 1 << 20)) * (trimRate < measured.sampleRate ? 2 : 1)
    }
    let length = max(1, Int64(frameLength) * rate / Int64(sampleRate))
    faults.add(
      StreamFault(
        kind: .burst(peak: measured.peak, tenths: 10 * seconds + 10 * rest / rate), offset: 0,
        length: 0, frame: before / length))
  }

  /// Their layout, if it is one of the fixed ones.
  package var outputLayout: ChannelConfiguration? {
    guard let configuration else { return nil }
    if hasParametricStereo { return ChannelConfiguration(channelCount: 2) }
    return ChannelConfiguration(rawValue: configuration.channelConfiguration)
  }
}
