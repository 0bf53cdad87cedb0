import AacornSystem

/// The part of a manifest that a run encodes.
struct Shard: Equatable, Sendable {
  /// The index of the part, from 0.
  var index = 0
  var count = 1

  /// The maximum number of parts.
  static let maxCount = 1_000_000

  /// Returns whether the part contains the line with an output number.
  func contains(_ number: UInt64) -> Bool { number % UInt64(count) == UInt64(index) }

  /// Returns the part that a job system's environment selects, or nil.
  ///
  /// Slurm counts the tasks of an array from any number, Kubernetes the pods of an indexed job from
  /// 0, and GNU parallel its jobs from 1. Only Slurm states the number of parts, which is the
  /// number of submitted tasks. If only some of the tasks are submitted again, `count` is required.
  static func ofEnvironment(
    count: Int?, _ environment: (String) -> String?
  ) throws(UsageError) -> Shard? {
    // Job systems count in 32 bits, so ignore other values.
    func number(_ name: String) -> Int? { environment(name).flatMap { Int32($0) }.map(Int.init) }
    let variables = [("SLURM_ARRAY_TASK_ID", 0), ("JOB_COMPLETION_INDEX", 0), ("PARALLEL_SEQ", 1)]
    guard let (name, first) = variables.first(where: { number($0.0) != nil }),
      let index = number(name).map({ $0 - first })
    else { return nil }
    var count = count
    if name == "SLURM_ARRAY_TASK_ID", count == nil {
      count = number("SLURM_ARRAY_TASK_COUNT")
      // An array such as 0-90:10 or 5-7 may be a subset of another array, so it does not determine
      // the number of parts.
      let last = (count ?? 0) - 1
      if count != nil,
        (number("SLURM_ARRAY_TASK_MIN") ?? 0) != 0
          || (number("SLURM_ARRAY_TASK_MAX") ?? last) != last
      {
        throw UsageError(
          "The tasks of this Slurm array are not numbered from 0 without gaps, so the number of parts "
            + "is unknown.",
          hint: "Submit an array such as 0-99; to run some of its tasks again, add --shards 100.")
      }
    }
    // Under GNU parallel each job may have a separate manifest.
    if name == "PARALLEL_SEQ", count == nil { return nil }
    guard let count else {
      throw UsageError(
        "The variable \(name) selects the part, but the number of parts is missing.",
        hint: "Add --shards N.")
    }
    guard (1...maxCount).contains(count) else {
      throw UsageError(
        "The variables of the job system state \(count) parts.",
        hint: "Give a number from 1 to \(maxCount) with --shards.")
    }
    guard (0..<count).contains(index) else {
      throw UsageError(
        "The variable \(name) selects part \(index + 1) of \(count).",
        hint: "Start \(count) tasks.")
    }
    return Shard(index: index, count: count)
  }

  /// The name, such as `00003-of-00016`, counted from 1; empty if there is only one part.
  var name: String {
    if count == 1 { return "" }
    return QuantityText.padded(index + 1, to: 5) + "-of-" + QuantityText.padded(count, to: 5)
  }
}

extension Shard {
  /// Parses a part such as `3/16`, counted from 1.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
      (1...Self.maxCount).contains(count), (1...count).contains(index)
    else { return nil }
    self.init(index: index - 1, count: count)
  }
}
