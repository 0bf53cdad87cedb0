import AacornCodec
import AacornContainers

/// Finds out how a recording that was cut off, or otherwise damaged, can be made whole.
///
///     let outcome = try FileRepair.outcome(byteCount: file.size) { offset, count in
///       try file.read(count, at: offset)
///     }
///     if case .repairable(let plan) = outcome {
///       for step in plan.newFile { … }        // or plan.inPlace
///     }
///
/// Nothing is written here; the plan says what to write. What a plan makes has been inspected, all
/// of it, while it was made: it has no error, or there would be no plan. Memory grows by a few bytes
/// a frame, and by some for every place where frames do not follow each other.
public enum FileRepair {
  /// What can be done about a file of so many bytes.
  ///
  /// - Parameters:
  ///   - byteCount: The length of the file.
  ///   - hints: What is known about a file that has lost its description.
  ///   - read: Returns bytes of the file: offset and count; fewer mean that the file ends there.
  /// - Returns: A plan, a question, or why there is neither.
  /// - Throws: What `read` throws.
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
    // What is no stream for the most part may be an MP4 file whose first bytes are damaged.
    switch try repair.outcome() {
    case .repairable(let plan): return .repairable(plan)
    case .needsConfiguration(let choices): return .needsConfiguration(choices)
    case .intact, .irreparable: return outcome
    }
  }

  /// What can be done about a file as far as it shows at once, without any promise.
  ///
  /// Of an MP4 file only the tables and the last frames are read: enough for a list of files, and
  /// for who wrote the frames and knows that they are sound. Streams are read to their end.
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
