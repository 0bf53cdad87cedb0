import AacornRecording
import AacornStreaming
import AacornSystem

/// One of several streams: a validated plan of its input and outputs.
struct StreamEntry: Sendable {
  let name: String
  /// The number of the line with the stream's name.
  let line: Int
  let plan: LivePlan
  let restart: RestartPolicy
  /// All settings of the stream, in order.
  let settings: [Setting]

  /// The version of the file with trusted certificates, at the time the stream's description was
  /// read.
  var certificate: FileVersion?

  /// An option with its value.
  struct Setting: Sendable, Equatable {
    var option: String
    var value: String
  }

  /// Returns whether a stream can continue running with a new description.
  ///
  /// Equal settings are not enough: credentials, certificates and effects in separate files may
  /// have changed.
  func isSame(as other: StreamEntry) -> Bool {
    settings == other.settings && restart == other.restart && certificate == other.certificate
      && plan.liveServers == other.plan.liveServers && plan.uploads == other.plan.uploads
      && plan.configuration.effects == other.plan.configuration.effects
      && plan.sound.tracks.map(\.configuration) == other.plan.sound.tracks.map(\.configuration)
  }
}

extension LivePlan {
  /// The servers, with their credentials.
  fileprivate var liveServers: [LiveServer] {
    outputs.compactMap { output in
      if case .server(let server) = output { server } else { nil }
    }
  }

  /// The HLS upload targets, with their credentials.
  fileprivate var uploads: [HLSUploadConfiguration] {
    outputs.flatMap { output -> [HLSUploadConfiguration] in
      if case .hls(let hls) = output { hls.uploads } else { [] }
    }
  }
}

/// A version of a file, identified by its size and modification time.
struct FileVersion: Sendable, Equatable {
  private let identity: System.FileStatus.Identity
  private let size: Int
  private let modified: Int64

  /// The current version; nil if the file is missing.
  init?(of path: String) {
    guard let status = try? System.status(of: path) else { return nil }
    (identity, size, modified) = (status.identity, status.size, status.modified)
  }
}

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
