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

/// The exclusive outputs of streams: each may be used by one stream only.
enum OutputTargets {
  private typealias Owner = (entry: StreamEntry, place: StreamEntry.Target)

  /// Returns a mistake for each stream that shares an output with an earlier stream, or uses the
  /// address of the status server.
  static func clashes(
    among entries: [StreamEntry], besides status: ListenAddress?
  ) -> [StreamsMistake] {
    var owners: [String: [Owner]] = [:]
    var mistakes: [StreamsMistake] = []
    func record(_ entry: StreamEntry, _ problem: String, _ advice: String) {
      mistakes.append(
        StreamsMistake(
          line: entry.line, stream: entry.name, error: UsageError(problem, hint: advice)))
    }
    for entry in entries {
      for target in entry.targets {
        if let status, target.listens(where: status) {
          record(
            entry, "The stream would listen at \(target.description), as --listen-status does.",
            "Choose another port for one of them.")
        }
        let owner = owners[target.key]?.first {
          $0.place.conflicts(with: target) && $0.entry.name != entry.name
        }
        guard let owner else {
          owners[target.key, default: []].append((entry, target))
          continue
        }
        record(
          entry,
          "The stream would use \(target.description), as [\(owner.entry.name)] in line "
            + "\(owner.entry.line) does.",
          "Choose another output for one of them; \(StreamsFile.placeholder) in a value stands for "
            + "the name.")
      }
    }
    // Compare unnumbered names in a second pass, because `owners` must contain all outputs.
    for entry in entries {
      for target in entry.targets {
        guard let key = target.unnumberedKey,
          let owner = owners[key]?.first(where: { $0.entry.name != entry.name })
        else { continue }
        record(
          entry,
          "The stream would use \(target.description), which [\(owner.entry.name)] in line "
            + "\(owner.entry.line) may use after a restart.",
          "Choose a name that does not end in a number.")
      }
    }
    return mistakes
  }
}

extension StreamEntry {
  /// An output that only one stream can use.
  struct Target: Equatable {
    /// The identifier, equal for all spellings of the same output.
    var key: String
    var description: String
    /// The address of a server; several addresses may share a port.
    var address: ListenAddress?
    /// For a numbered output, the key of the name without a number: a run may choose this output as
    /// its next free name.
    var unnumberedKey: String?

    /// Returns whether two outputs with equal keys cannot be used at the same time.
    func conflicts(with other: Target) -> Bool {
      guard let address, let otherAddress = other.address else { return true }
      return address.overlaps(otherAddress)
    }

    fileprivate func listens(where other: ListenAddress) -> Bool {
      address.map { $0.overlaps(other) } ?? false
    }
  }

  /// The exclusive outputs of the stream.
  var targets: [Target] {
    var targets: [Target] = []
    for output in plan.outputs {
      switch output {
      case .server(let server):
        let words = server.service.name
        // The stream key distinguishes two streams of a service, and is never shown.
        var key = words
        if case .rtmp(let rtmp) = server { key += " " + rtmp.streamKey }
        targets.append(Target(key: "server " + key, description: "“\(displayed(words))”"))
      case .hls(let hls):
        targets += hls.folders.map { folder in
          Target(
            key: "folder " + FileName.canonical(folder),
            description: "the folder “\(displayed(folder))”")
        }
        targets += hls.uploads.map { upload in
          Target(
            key: "server \(upload.address) \(upload.query ?? "")",
            description: "“\(displayed(upload.address))”")
        }
        if let address = hls.address, address.port != 0 {
          targets.append(
            Target(
              key: "port \(address.port)", description: address.authority(port: address.port),
              address: address))
        }
      case .save(let path, _, _): targets.append(Self.numbered("file ", path, ""))
      }
    }
    if let folder = plan.configuration.multitrack?.folder {
      targets.append(Self.numbered("tracks ", folder, "the folder "))
    }
    return targets
  }

  /// Returns an output with a name to which each run appends the next free number.
  private static func numbered(_ kind: String, _ path: String, _ words: String) -> Target {
    let canonical = FileName.canonical(path)
    return Target(
      key: kind + canonical, description: "\(words)“\(displayed(path))”",
      unnumberedKey: FileOutput.unnumbered(canonical).map { kind + $0 })
  }
}

extension FileOutput {
  /// Returns the path without its number; nil if the path is not numbered.
  static func unnumbered(_ path: String) -> String? {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let dot = path.lastIndex(of: ".").flatMap { $0 > name ? $0 : nil } ?? path.endIndex
    guard let dash = path[name..<dot].lastIndex(of: "-"), dash > name,
      let number = Int(path[path.index(after: dash)..<dot]), number > 1
    else { return nil }
    let plain = String(path[..<dash] + path[dot...])
    return numbered(plain, number) == path ? plain : nil
  }
}
