import AacornRecording
import AacornSystem

/// A stream that begins again without anybody asking.
extension StreamPlan {
  /// The plan for the next run: what is saved gets names that nothing has yet, so that no run replaces
  /// what an earlier one has saved.
  var withFreeNames: StreamPlan {
    var plan = self
    plan.outputs = outputs.map { output in
      guard case .save(let path, let format, let options) = output else { return output }
      return .save(Self.free(path), format, options)
    }
    if let multitrack = configuration.multitrack {
      plan.configuration.multitrack?.folder = Self.free(multitrack.folder)
    }
    return plan
  }

  /// The path, or the first numbered one that does not exist.
  private static func free(_ path: String) -> String {
    var (free, number) = (path, 1)
    while number < 10_000, (try? System.statusOfLink(free)) != nil {
      number += 1
      free = FileOutput.numbered(path, number)
    }
    return free
  }
}
