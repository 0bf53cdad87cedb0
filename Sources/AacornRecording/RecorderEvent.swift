public import AacornDevices

/// What happens to a recording while it is made.
public enum RecorderEvent: Sendable, Equatable {
  /// The first samples have come; the wall clock at the first one, in nanoseconds since 1970.
  case started(CaptureDevice?, wallTime: Int64)
  /// Sound is missing, or was left out.
  case gap(Gap)
  /// The device or the sound server is gone; silence is recorded until it is back.
  case deviceLost
  /// Sound comes again.
  case deviceReturned(CaptureDevice?)
  /// Sound comes from another device.
  case deviceChanged(CaptureDevice?)
  /// Another source could not be opened; the recording goes on with the old one.
  case sourceRefused(CaptureError)
  /// The device sleeps; silence is recorded.
  case suspended
  /// The device is awake again.
  case resumed
  /// The device has another rate or other channels; the recording keeps its own.
  case formatChanged(sampleRate: Int, channelCount: Int)
  /// The recording pauses or goes on.
  case paused(Bool)
  /// The recording is muted or no longer.
  case muted(Bool)
  /// A file, or another output, has begun.
  case outputOpened(String)
  /// It is complete.
  case outputClosed(OutputSummary)
  /// Somebody gave it another name; it goes on under that.
  case outputMoved(from: String, to: String)
  /// Something of it may be lost; the error says what, and where the sound goes from here on.
  case outputLost(name: String, OutputError)
  /// It could not go on; the other outputs do.
  case outputFailed(name: String, OutputError)
  /// The end.
  case stopped(RecordingSummary)
}

/// What became of an output, or of one file of several.
public struct OutputSummary: Sendable, Equatable {
  /// The file's path, or what else the output calls itself.
  public var name: String
  /// The sample of the recording with which a file begins; 0 where there are no files.
  public var position: Int
  /// Samples of sound in it.
  public var sampleCount: Int
  /// Bytes of it.
  public var byteCount: Int

  /// An output's end.
  public init(name: String, position: Int = 0, sampleCount: Int, byteCount: Int) {
    self.name = name
    self.position = position
    self.sampleCount = sampleCount
    self.byteCount = byteCount
  }
}

/// What became of a recording.
public struct RecordingSummary: Sendable, Equatable {
  /// Samples that were recorded, silence for gaps included.
  public var sampleCount = 0
  /// Samples a second.
  public var sampleRate = 0
  /// Every gap.
  public var ledger = GapLedger()
  /// How much faster than its claim the device ran, in millionths.
  public var driftPartsPerMillion: Double?
  /// Samples that stood at full scale.
  public var clippedSampleCount = 0
  /// The files and other outputs, in the order in which they were completed.
  public var outputs: [OutputSummary] = []
  /// What others have taken away or spoiled of the outputs while they were written.
  public var losses: [OutputError] = []
  /// Why the recording ended before it was asked to.
  public var failure: RecordingError?
  /// The wall clock at the first sample.
  public var startWallTime: Int64 = 0

  /// How many entries the ledger has.
  public var gapCount: Int { ledger.count }

  /// Samples of silence that stand for lost sound.
  public var filledSampleCount: Int { ledger.filledSampleCount }

  /// Samples of pauses.
  public var pausedSampleCount: Int { ledger.pausedSampleCount }

  /// A recording of nothing.
  public init() {}
}
