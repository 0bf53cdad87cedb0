public import AacornDevices

/// What happens during a recording.
public enum RecorderEvent: Sendable, Equatable {
  /// The first samples have arrived; the wall clock at the first one, in nanoseconds since 1970.
  case started(CaptureDevice?, wallTime: Int64)
  /// Audio is missing, or was left out.
  case gap(RecordingGap)
  /// The device or the sound server is gone; silence is recorded until it is back.
  case deviceLost
  /// Audio is available again.
  case deviceReturned(CaptureDevice?)
  /// Audio now comes from another device.
  case deviceChanged(CaptureDevice?)
  /// Another source could not be opened; the recording continues with the old one.
  case sourceRefused(CaptureError)
  /// The device sleeps, or something else has it, such as a call; silence is recorded until it is
  /// back, or until ``Recorder/resume()`` takes it.
  case suspended
  /// The device is awake again.
  case resumed
  /// The device has another rate or other channels; the recording keeps its own.
  case formatChanged(sampleRate: Int, channelCount: Int)
  /// Something that happened to a further track, with its name; gaps say themselves whose they are.
  indirect case track(String, RecorderEvent)
  /// A track, of this name, was started, by somebody or because its time has come.
  case trackStarted(String)
  /// A track, of this name, was stopped, by somebody or because its time has come, and fades out.
  case trackStopped(String)
  /// A further track, of this name, has come to its end and is silent from here on.
  case trackEnded(String)
  /// A further track, of this name, cannot continue and is silent from here on, while the others do; or
  /// the file that it played is damaged, as is reported at the end.
  case trackFailed(String, RecordingError)
  /// The recording was paused or resumed.
  case paused(Bool)
  /// The recording was muted or unmuted.
  case muted(Bool)
  /// Something happened to what is heard along; the recording is as it was.
  case monitor(MonitorEvent)
  /// A file, or another output, has begun.
  case outputOpened(String)
  /// An output, or one of its files, is complete.
  case outputClosed(OutputSummary)
  /// An output was renamed by somebody else; it continues under the new name.
  case outputMoved(from: String, to: String)
  /// Part of an output may be lost; the error says what, and where the audio goes from here on.
  case outputLost(name: String, OutputError)
  /// Complete files are no longer where they were written, as is seen at the end; they may have been
  /// moved.
  case outputsAway([String])
  /// An output could not continue; the others do.
  case outputFailed(name: String, OutputError)
  /// The recording has ended.
  case stopped(RecordingSummary)
}

/// The result of an output, or of one of its files.
public struct OutputSummary: Sendable, Equatable {
  /// The file's path, or the output's name.
  public var name: String
  /// The sample of the recording with which a file begins; 0 where there are no files.
  public var position: Int
  /// The number of audio samples in it.
  public var sampleCount: Int
  /// Its size in bytes.
  public var byteCount: Int
  /// Samples of the end of the recording that did not get into it, nor into a file after it, such as
  /// on a full disk; counted when the recording has ended, and 0 before.
  public var unsavedSampleCount = 0
  /// The name of the track if it holds one alone; nil if it holds the mix.
  public var track: String?

  /// Creates a summary.
  public init(
    name: String, position: Int = 0, sampleCount: Int, byteCount: Int, track: String? = nil
  ) {
    self.track = track
    self.name = name
    self.position = position
    self.sampleCount = sampleCount
    self.byteCount = byteCount
  }
}

/// The result of a recording.
public struct RecordingSummary: Sendable, Equatable {
  /// Samples that were recorded, silence for gaps included.
  public var sampleCount = 0
  /// Samples per second.
  public var sampleRate = 0
  /// Every gap.
  public var ledger = GapLedger()
  /// How much faster than its nominal rate the device ran, in millionths.
  public var driftPartsPerMillion: Double?
  /// Samples at full scale.
  public var clippedSampleCount = 0
  /// How loud it is; the momentary and short-term values are those of its end.
  public var loudness = RecordingLoudness()
  /// Samples of its end that did not get into the files any more, such as on a full disk; if there are
  /// several outputs, those of the one that lacks most.
  public var unsavedSampleCount = 0
  /// The files and other outputs, in order of completion.
  public var outputs: [OutputSummary] = []
  /// What others have removed or damaged in the outputs during the recording, and why files of
  /// single tracks are incomplete.
  public var losses: [OutputError] = []
  /// The reason for a premature end, or the damage of the recorded file.
  ///
  /// In a recording that reached its end, only damage of the recorded file is a failure.
  public var failure: RecordingError?
  /// The wall clock at the first sample.
  public var startWallTime: Int64 = 0

  /// The number of entries in the ledger.
  public var gapCount: Int { ledger.count }

  /// Samples of silence in place of lost audio.
  public var filledSampleCount: Int { ledger.filledSampleCount }

  /// Samples left out in pauses.
  public var pausedSampleCount: Int { ledger.pausedSampleCount }

  /// Creates the summary of an empty recording.
  public init() {}
}
