import AacornCodec
package import AacornInspection

extension RepairPlan {
  /// The sampling rate of the recovered audio, in hertz; 0 if unknown.
  package var sampleRate: Int { stream?.outputSampleRate ?? 0 }

  /// Recovered samples per channel.
  package var sampleCount: Int {
    if let trim { return trim.sampleCount }
    return stream.map { frameCount * StreamTiming($0).samplesPerUnit } ?? 0
  }

  /// Seconds of recovered audio.
  package var duration: Double {
    sampleRate > 0 ? Double(sampleCount) / Double(sampleRate) : 0
  }
}
