import AacornSystem

extension RecordingSummary {
  /// The duration of the recording, including silence for gaps.
  public var duration: Duration { Duration(samples: sampleCount, at: sampleRate) }
}

extension RecordingStatus {
  /// The current duration of the recording.
  public var duration: Duration { Duration(samples: sampleCount, at: sampleRate) }
}

extension RecordingGap {
  /// Returns the start of the gap in a recording of this rate, from the recording's start.
  public func start(at sampleRate: Int) -> Duration { Duration(samples: position, at: sampleRate) }

  /// Returns the duration of the gap in a recording of this rate.
  public func duration(at sampleRate: Int) -> Duration { Duration(samples: length, at: sampleRate) }
}

extension EncodedPacket {
  /// Returns the start of the packet in a recording of this rate, from the recording's start.
  public func start(at sampleRate: Int) -> Duration { Duration(samples: position, at: sampleRate) }
}

extension RecordingSummary {
  /// The message about unsaved audio at the end of the recording; nil if all is saved.
  package var unsavedMessage: String? {
    let messages = outputs.filter { $0.unsavedSampleCount > 0 }.map { output in
      let length = Double(output.unsavedSampleCount) / Double(max(1, sampleRate))
      let name = output.name.split(separator: "/").last.map(String.init) ?? output.name
      return
        "“\(displayed(name))” is incomplete: its last \(QuantityText.length(length)) of audio could "
        + "not be saved."
    }
    return messages.isEmpty ? nil : messages.joined(separator: " ")
  }
}
