import AacornCodec
import AacornContainers

/// Determines how to repair a recording that was cut off or otherwise damaged.
///
///     let outcome = try FileRepair.outcome(byteCount: file.size) { offset, count in
///       try file.read(count, at: offset)
///     }
///     if case .repairable(let plan) = outcome {
///       for step in plan.newFile { … }        // or plan.inPlace
///     }
///
/// Nothing is written here; the plan says what to write. The result of a plan has been fully
/// inspected while the plan was made: it has no errors, or there would be no plan. Memory grows by
/// a few bytes per frame, and by some for every place where frames are not consecutive.
public enum FileRepair {
  /// What can be done about a file of `byteCount` bytes.
  ///
  /// - Parameters:
  ///   - byteCount: The length of the file.
  ///   - hints: What is known about a file whose description is lost.
  ///   - read: Returns bytes of the file, given offset and count; fewer means that the file ends
  ///     there.
  /// - Returns: A plan, the possible configurations, or the reason why there is neither.
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
    // A file that is mostly not a stream may be an MP4 file whose first bytes are damaged.
    switch try repair.outcome() {
    case .repairable(let plan): return .repairable(plan)
    case .needsConfiguration(let choices): return .needsConfiguration(choices)
    case .intact, .irreparable: return outcome
    }
  }

  /// A quick estimate of what can be done about a file, without guarantees.
  ///
  /// For an MP4 file, only the tables and the last frames are read: enough for a list of files, or
  /// for a caller who wrote the frames and knows they are valid. Streams are read to their end.
  public static func survey<Failure: Error>(
    byteCount: UInt64, read: @escaping (UInt64, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> RepairOutcome {
    let head = try read(0, Int(min(byteCount, 12)))
    guard StreamInspector.needsSeeking(head) else {
      return try outcome(byteCount: byteCount, read: read)
    }
    var repair = MovieRepair(byteCount: byteCount, hints: RepairHints(), read: read)
    return try repair.survey()
  }
}
