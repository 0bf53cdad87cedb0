import AacornCodec
import AacornContainers

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
