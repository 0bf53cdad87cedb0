public import AacornCodec
public import AacornContainers

/// What the caller knows about a file whose tables are lost.
public struct RepairHints: Equatable, Sendable {
  /// The core's sampling rate in hertz.
  public var sampleRate: Int?
  /// The number of channels.
  public var channelCount: Int?
  /// The encoder's delay in samples, which only the lost tables contained.
  public var priming: Int?

  /// Hints; by default nothing is known.
  public init(sampleRate: Int? = nil, channelCount: Int? = nil, priming: Int? = nil) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.priming = priming
  }
}

/// What can be done about a file.
public enum RepairOutcome: Sendable {
  /// Nothing needs to be done: an inspection finds no error.
  case intact
  /// It can be repaired: an inspection of the result finds no error.
  case repairable(RepairPlan)
  /// The frames are there, but their configuration could be any of these; choose one with
  /// `RepairHints`.
  ///
  /// Frames do not contain their rate, only reveal which band tables they use, and several rates
  /// share tables: 44.1 and 48 kHz, for example. Common rates come first.
  case needsConfiguration([AudioSpecificConfig])
  /// Nothing can be done.
  case irreparable(RepairObstacle)
}

/// Why a file cannot be repaired.
public enum RepairObstacle: Equatable, Sendable {
  /// The best possible result still has errors: their number, and the first of them.
  case remainingFaults(count: Int64, first: StreamFault?)
  /// It has no recognizable frames.
  case noFrames
  /// Its tables claim more audio than the file has bytes.
  case contradictoryTables
  /// Its stream cannot be written to a new file.
  case unsupportedStream
  /// It holds fragments whose description is lost.
  case missingDescription
  /// It says itself why there is no AAC in it that could be read.
  case noStream(CodedFileError)
}

extension RepairObstacle {
  init(_ faults: FaultLog) {
    self = .remainingFaults(count: faults.errorCount, first: faults.firstError)
  }
}
