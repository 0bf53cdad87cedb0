import AacornSystem

/// The result of a recording.
public struct RecordingSummary: Sendable, Equatable {
  /// Recorded samples, including silence for gaps.
  public var sampleCount = 0
  /// Samples per second.
  public var sampleRate = 0
  /// All gaps.
  public var ledger = GapLedger()
  /// The device's deviation from its nominal rate in millionths, positive if it is faster.
  public var driftPartsPerMillion: Double?
  /// Samples at full scale.
  public var clippedSampleCount = 0
  /// The silences of the sources, of at least ten seconds each; only of sources that had any.
  ///
  /// In a silence, all captured samples are zero. Pauses and silence in place of lost audio do not
  /// count.
  public var silences: [SourceSilence] = []
  /// The loudness; the momentary and short-term values are measured at the end of the recording.
  public var loudness = RecordingLoudness()
  /// Samples at the end that are not in the files, for example because of a full disk; the maximum
  /// of all outputs.
  public var unsavedSampleCount = 0
  /// The files and other outputs, in order of completion.
  public var outputs: [OutputSummary] = []
  /// Outputs that other programs removed or damaged during the recording, and errors of incomplete
  /// files of single tracks.
  public var losses: [OutputError] = []
  /// The reason for a premature end, or the damage of the file that was the source.
  ///
  /// If the recording reached its end, only such damage is a failure.
  public var failure: RecordingError?
  /// The wall clock at the first sample, in nanoseconds since 1970.
  public var startWallTime: Int64 = 0

  /// The number of entries in the ledger.
  public var gapCount: Int { ledger.count }

  /// Samples of silence in place of lost audio.
  public var filledSampleCount: Int { ledger.filledSampleCount }

  /// Samples omitted in pauses.
  public var pausedSampleCount: Int { ledger.pausedSampleCount }

  /// Creates the summary of an empty recording.
  public init() {}
}

extension RecordingSummary {
  /// The duration of the recording, including silence for gaps.
  public var duration: Duration { Duration(samples: sampleCount, at: sampleRate) }

  /// The level in dBTP below which a recording is silent: less than a step of 16 bits.
  private static let silenceLevel: Float = -90

  /// Whether the whole recording is silent, although samples were captured.
  public var isSilent: Bool {
    sampleCount > filledSampleCount && loudness.truePeak < Self.silenceLevel
  }

  /// The message about unsaved audio at the end of the recording; nil if all is saved.
  package var unsavedMessage: String? {
    let messages = outputs.filter { $0.unsavedSampleCount > 0 }.map { output in
      let length = Double(output.unsavedSampleCount) / Double(max(1, sampleRate))
      let name = displayed(FileName.last(output.name))
      return
        "“\(name)” is incomplete: its last \(QuantityText.length(length)) of audio could not be saved."
    }
    return messages.isEmpty ? nil : messages.joined(separator: " ")
  }
}
