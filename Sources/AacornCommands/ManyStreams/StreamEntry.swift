import AacornRecording
import AacornStreaming
import AacornSystem

/// One of several streams: what it takes from where to where, checked and ready to begin.
struct StreamEntry: Sendable {
  let name: String
  /// The line with its name.
  let line: Int
  let plan: StreamPlan
  let restart: RestartPolicy
  /// Everything that was said of it, in order.
  let settings: [Setting]

  /// The file with the certificates that it trusts, as it was when it was read.
  var certificate: FileVersion?

  /// An option with its value.
  struct Setting: Sendable, Equatable {
    var option: String
    var value: String
  }

  /// Whether there is no reason to begin anew for this description of the same stream.
  ///
  /// The same settings may mean something else: passwords, certificates, and effects in files of their
  /// own, may have changed.
  func isSame(as other: StreamEntry) -> Bool {
    settings == other.settings && restart == other.restart && certificate == other.certificate
      && plan.liveServers == other.plan.liveServers && plan.uploads == other.plan.uploads
      && plan.configuration.effects == other.plan.configuration.effects
      && plan.sound.tracks.map(\.configuration) == other.plan.sound.tracks.map(\.configuration)
  }
}

extension StreamPlan {
  /// The servers, with the credentials for them.
  fileprivate var liveServers: [LiveServer] {
    outputs.compactMap { output in
      if case .server(let server) = output { server } else { nil }
    }
  }

  /// Where HLS is uploaded to, with the credentials for it.
  fileprivate var uploads: [HLSUploadConfiguration] {
    outputs.flatMap { output -> [HLSUploadConfiguration] in
      if case .hls(let hls) = output { hls.uploads } else { [] }
    }
  }
}

/// Which of the contents that a file has had in the course of time it has.
struct FileVersion: Sendable, Equatable {
  private let identity: System.FileStatus.Identity
  private let size: Int
  private let modified: Int64

  /// That of now; nil if there is no such file.
  init?(of path: String) {
    guard let status = try? System.status(of: path) else { return nil }
    (identity, size, modified) = (status.identity, status.size, status.modified)
  }
}
