import AACCodec
import AACContainers
import AACFormat

/// Finds out how a recording that was cut off, or otherwise damaged, can be made whole.
///
///     let outcome = try FileRepair.outcome(byteCount: file.size) { offset, count in
///       try file.read(count, at: offset)
///     }
///     if case .repairable(let plan) = outcome {
///       for step in plan.newFile { … }        // or plan.inPlace
///     }
///
/// Nothing is written here; the plan says what to write. Memory grows by two bytes a frame, and by
/// some for every place where frames do not follow each other.
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
    if StreamInspector.needsSeeking(head) {
      var repair = MovieRepair(byteCount: byteCount, hints: hints, read: read)
      return try repair.outcome()
    }
    return try StreamRepair.outcome(byteCount: byteCount, read: read)
  }
}
