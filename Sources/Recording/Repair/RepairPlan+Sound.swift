import AACFormat
package import AACInspection

extension RepairPlan {
  /// The rate of the sound that is kept, in hertz; 0 if unknown.
  package var sampleRate: Int { stream?.outputSampleRate ?? 0 }

  /// Samples a channel that are kept.
  package var sampleCount: Int {
    if let trim { return trim.sampleCount }
    let ratio = stream.map { max(1, $0.outputSampleRate / max(1, $0.sampleRate)) } ?? 1
    return frameCount * (stream?.frameLength ?? 1024) * ratio
  }

  /// Seconds of sound that are kept.
  package var duration: Double {
    sampleRate > 0 ? Double(sampleCount) / Double(sampleRate) : 0
  }
}
