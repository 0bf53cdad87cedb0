public import AacornCodec
public import AacornContainers

/// Known properties of a file whose tables are lost.
public struct RepairHints: Equatable, Sendable {
  /// The sampling rate of the core, in hertz.
  public var sampleRate: Int?
  /// The number of channels.
  public var channelCount: Int?
  /// The encoder delay in samples, which only the lost tables contained.
  public var priming: Int?

  /// Creates hints; by default, all properties are unknown.
  public init(sampleRate: Int? = nil, channelCount: Int? = nil, priming: Int? = nil) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.priming = priming
  }
}

/// The options for repairing a file.
public enum RepairOutcome: Sendable {
  /// No repair is needed: an inspection finds no error.
  case intact
  /// A repair is possible: an inspection of its result finds no error.
  case repairable(RepairPlan)
  /// The frames are intact, but several configurations match; choose one with `RepairHints`.
  ///
  /// Frames do not contain their sampling rate. They only reveal their band tables, which several
  /// rates share, such as 44.1 and 48 kHz. Common rates come first.
  case needsConfiguration([AudioSpecificConfig])
  /// The file cannot be repaired.
  case irreparable(RepairError)
}

/// The reason why a file cannot be repaired.
public enum RepairError: Equatable, Sendable {
  /// The best possible result still has errors: their number, and the first of them.
  case remainingFaults(count: Int64, first: StreamFault?)
  /// The file has no recognizable frames.
  case noFrames
  /// The tables claim more audio than the file can contain.
  case contradictoryTables
  /// The stream cannot be written to a new file.
  case unsupportedStream
  /// The file contains fragments without their description.
  case missingDescription
  /// According to its tables, the file has no readable AAC.
  case noStream(CodedFileError)
}

extension RepairError {
  init(_ faults: FaultLog) {
    self = .remainingFaults(count: faults.errorCount, first: faults.firstError)
  }
}
