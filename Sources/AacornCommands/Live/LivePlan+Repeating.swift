import AacornRecording
import AacornSystem

// Support for streams that the program restarts by itself.
extension LivePlan {
  /// The plan for the next run, with unused names for saved files, so that no run replaces the
  /// files of an earlier run.
  var withFreeNames: LivePlan {
    var plan = self
    // The names chosen here are taken, too, although their files do not exist yet.
    var own: Set<String> = []
    plan.outputs = outputs.map { output in
      guard case .save(let path, let format, let options) = output else { return output }
      let free = Self.free(path) { own.contains($0) || Self.exists($0) }
      own.insert(free)
      return .save(free, format, options)
    }
    if let multitrack = configuration.multitrack {
      plan.configuration.multitrack?.folder = Self.free(multitrack.folder, isTaken: Self.exists)
    }
    return plan
  }

  private static func exists(_ path: String) -> Bool { (try? System.statusOfLink(path)) != nil }

  /// Returns the path, or the first free numbered path if the path is taken.
  ///
  /// The search uses growing steps and bisection, because tens of thousands of files may exist, and
  /// each check accesses the disk. It assumes that all numbers below a taken number are taken.
  static func free(_ path: String, isTaken: (String) -> Bool) -> String {
    if !isTaken(path) { return path }
    var (taken, free) = (1, 2)
    while isTaken(FileOutput.numbered(path, free)) { (taken, free) = (free, free * 2) }
    while free - taken > 1 {
      let middle = taken + (free - taken) / 2
      if isTaken(FileOutput.numbered(path, middle)) { taken = middle } else { free = middle }
    }
    return FileOutput.numbered(path, free)
  }
}
