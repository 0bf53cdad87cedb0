public import AacornCodec
public import AacornContainers

/// Determines how to repair a recording that was cut off or is otherwise damaged.
///
///     let outcome = try FileRepair.outcome(byteCount: file.size) { offset, count in
///       try file.read(count, at: offset)
///     }
///     if case .repairable(let plan) = outcome {
///       for step in plan.newFile { … }        // or plan.inPlace
///     }
///
/// This type writes nothing; the plan contains the writes. The result of a plan has been fully
/// inspected: a plan exists only if it leads to a file without errors. Memory grows by a few bytes
/// per frame, and by some bytes for every gap between frames.
public enum FileRepair {
  /// Returns the options for repairing a file.
  ///
  /// - Parameters:
  ///   - byteCount: The length of the file.
  ///   - hints: Known properties of a file without a valid header.
  ///   - read: Returns bytes of the file, given offset and count. Fewer bytes mean that the file
  ///     ends there.
  /// - Returns: A plan, the possible configurations, or the reason why the file cannot be repaired.
  /// - Throws: Any error thrown by `read`.
  public static func outcome<Failure: Error>(
    byteCount: UInt64, hints: RepairHints = RepairHints(),
    read: @escaping (UInt64, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> RepairOutcome {
    let head = try read(0, Int(min(byteCount, 12)))
    if head.isEmpty { return .irreparable(.noFrames) }
    var repair = MovieRepair(byteCount: byteCount, hints: hints, read: read)
    if StreamInspector.needsSeeking(head) { return try repair.outcome() }
    let outcome = try StreamRepair.outcome(byteCount: byteCount, read: read)
    switch outcome {
    case .intact, .needsConfiguration: return outcome
    case .repairable(let plan) where plan.losses.byteCount <= byteCount / 2: return outcome
    case .repairable, .irreparable: break
    }
    // If most of the file is not a stream, it may be an MP4 file with damaged first bytes.
    switch try repair.outcome() {
    case .repairable(let plan): return .repairable(plan)
    case .needsConfiguration(let choices): return .needsConfiguration(choices)
    case .intact, .irreparable: return outcome
    }
  }

  /// Estimates quickly how a file can be repaired, without guarantees.
  ///
  /// Reads only the tables and the last frames of an MP4 file. The estimate suffices for a list of
  /// files, or for a caller that wrote the frames and knows that they are valid. Streams are read
  /// to their end.
  public static func estimate<Failure: Error>(
    byteCount: UInt64, read: @escaping (UInt64, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> RepairOutcome {
    let head = try read(0, Int(min(byteCount, 12)))
    guard StreamInspector.needsSeeking(head) else {
      return try outcome(byteCount: byteCount, read: read)
    }
    var repair = MovieRepair(byteCount: byteCount, hints: RepairHints(), read: read)
    return try repair.estimate()
  }
}

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
