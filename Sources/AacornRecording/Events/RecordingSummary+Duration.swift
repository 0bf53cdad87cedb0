import AacornSystem

extension RecordingSummary {
  /// How long the recording is, silence for gaps included.
  public var duration: Duration { Duration(samples: sampleCount, at: sampleRate) }

  /// How much of its end a file lacks, as a sentence that follows the reason; nil if none does, or if
  /// nothing was saved at all.
  package var unsavedSentence: String? {
    guard unsavedSampleCount > 0, unsavedSampleCount < sampleCount else { return nil }
    let length = Double(unsavedSampleCount) / Double(max(1, sampleRate))
    return "The last \(QuantityText.length(length)) could not be saved."
  }
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
