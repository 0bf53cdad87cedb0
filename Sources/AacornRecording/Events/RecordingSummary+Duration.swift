import AacornSystem

extension RecordingSummary {
  /// How long the recording is, silence for gaps included.
  public var duration: Duration { Duration(samples: sampleCount, at: sampleRate) }
}

extension RecordingStatus {
  /// How long the recording is so far.
  public var duration: Duration { Duration(samples: sampleCount, at: sampleRate) }
}

extension RecordingGap {
  /// When the gap begins in a recording of this rate, from its start.
  public func start(at sampleRate: Int) -> Duration { Duration(samples: position, at: sampleRate) }

  /// How long the gap is in a recording of this rate.
  public func duration(at sampleRate: Int) -> Duration { Duration(samples: length, at: sampleRate) }
}

extension EncodedPacket {
  /// When the packet begins in a recording of this rate, from its start.
  public func start(at sampleRate: Int) -> Duration { Duration(samples: position, at: sampleRate) }
}
