import AacornCodec
package import AacornInspection

extension RepairPlan {
  /// The rate of the sound that is kept, in hertz; 0 if unknown.
  package var sampleRate: Int { stream?.outputSampleRate ?? 0 }

  /// Samples a channel that are kept.
  package var sampleCount: Int {
    if let trim { return trim.sampleCount }
    return stream.map { frameCount * StreamTiming($0).samplesPerUnit } ?? 0
  }

  /// Seconds of sound that are kept.
  package var duration: Double {
    sampleRate > 0 ? Double(sampleCount) / Double(sampleRate) : 0
  }
}
