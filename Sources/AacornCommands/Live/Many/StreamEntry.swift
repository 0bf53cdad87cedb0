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
