import AacornRecording
import AacornStreaming
import AacornSystem

/// An estimate of the number of files and connections that streams have open at a time.
///
/// The numbers include a margin: a server connection needs more descriptors during a reconnect, a
/// file output more when it starts a new file. Listeners of HLS servers are not counted; they share
/// the remaining descriptors.
enum DescriptorEstimate {
  /// The descriptors that the program itself needs.
  private static let program = 32
  /// The descriptors that the status server and its clients need.
  private static let status = 72
  /// The descriptors that the control of one stream needs.
  private static let stream = 4

  private static let server = 10
  private static let folder = 3
  private static let file = 3
  private static let listening = 8
  /// The descriptors that a device of a sound system needs.
  private static let device = 8

  /// Returns the number of descriptors for all streams of a list.
  static func count(of entries: [StreamEntry], besides command: StreamCommand) -> Int {
    let own = program + (command.statusAddress == nil ? 0 : status)
    return entries.reduce(own) { $0 + count(of: $1.plan) }
  }

  /// Returns the number of descriptors for one stream.
  static func count(of plan: LivePlan) -> Int {
    var count = stream + sources(of: plan.sound) + (plan.metadataFile == nil ? 0 : 1)
    for output in plan.outputs {
      switch output {
      case .server: count += server
      case .hls(let hls):
        count += folder * hls.folders.count + server * hls.uploads.count
        if hls.address != nil { count += listening }
      case .save: count += file
      }
    }
    if plan.configuration.multitrack != nil { count += 1 + file * plan.sound.tracks.count }
    return count
  }

  private static func sources(of sound: SoundChoice) -> Int {
    if sound.tracks.isEmpty { return sound.isFile ? 1 : sound.isSynthetic ? 0 : device }
    return sound.tracks.reduce(0) { $0 + ($1.isFile ? 1 : $1.isSynthetic ? 0 : device) }
  }

  /// Raises the limit of descriptors to its maximum, and returns a warning if a list needs more.
  static func warning(for list: StreamList, besides command: StreamCommand) -> String? {
    warning(
      needed: count(of: list.entries, besides: command), allowed: System.raiseDescriptorLimit())
  }

  /// Returns a warning if fewer descriptors are allowed than needed, or nil.
  static func warning(needed: Int, allowed: Int) -> String? {
    if needed <= allowed { return nil }
    return
      "These streams need up to \(needed) open files and connections, but the limit is \(allowed). "
      + "Streams beyond it fail. Raise the limit: LimitNOFILE=\(needed) in a systemd unit, or “ulimit -n \(needed)” in a shell."
  }
}
