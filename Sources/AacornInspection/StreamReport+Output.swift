package import AacornCodec
import AacornSignal

extension StreamReport {
  /// The channel count of the decoded audio; 0 if unknown.
  package var outputChannelCount: Int {
    hasParametricStereo ? 2 : configuration?.outputChannelCount ?? 0
  }

  /// Returns a configuration of the stream, completed by extensions that only the frames signal.
  func completed(_ stream: AudioSpecificConfig) -> AudioSpecificConfig {
    var stream = stream
    if hasSpectralBandReplication && stream.extensionSampleRate == nil {
      stream.extensionSampleRate = stream.sampleRate &* 2
    }
    if hasParametricStereo { stream.hasParametricStereo = true }
    return stream
  }

  /// Stores the result of decoding; a burst also becomes a fault.
  package mutating func add(_ finding: AudioReportResult) {
    sound = finding
    guard case .measured(let measured) = finding, let position = measured.burstPosition,
      measured.sampleRate > 0, sampleRate > 0
    else { return }
    let rate = Int64(measured.sampleRate)
    var before = position
    if let trim {
      // The trim in a file may be implausible.
      before += Int64(min(max(0, trim.priming), 1 << 20)) * (trimRate < measured.sampleRate ? 2 : 1)
    }
    let length = max(1, Int64(frameLength) * rate / Int64(sampleRate))
    faults.add(
      StreamFault(
        kind: .burst(peak: measured.peak, tenths: position.rescaled(from: rate, to: 10)),
        offset: 0, length: 0, frame: before / length))
  }

  /// The channel layout of the decoded audio, if it is one of the fixed layouts.
  package var outputLayout: ChannelConfiguration? {
    guard let configuration else { return nil }
    if hasParametricStereo { return ChannelConfiguration(channelCount: 2) }
    return ChannelConfiguration(rawValue: configuration.channelConfiguration)
  }
}
