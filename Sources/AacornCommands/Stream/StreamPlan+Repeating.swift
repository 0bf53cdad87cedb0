import AacornRecording
import AacornSystem

/// A stream that begins again without anybody asking.
extension StreamPlan {
  /// The plan for the next run: what is saved gets names that nothing has yet, so that no run replaces
  /// what an earlier one has saved.
  var withFreeNames: StreamPlan {
    var plan = self
    // Two files of the same stream may get the same name otherwise, before one of them exists.
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

  /// The path, or a numbered one that is not taken: the first, if all before it are.
  ///
  /// Numbers are tried at growing distances, as there may be tens of thousands of files from earlier
  /// runs, each of which takes a look into a folder.
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
