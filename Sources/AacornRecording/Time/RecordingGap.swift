import AacornContainers
import AacornDevices
import AacornSystem

/// A period of device time whose audio is not in the file.
public struct RecordingGap: Sendable, Equatable {
  /// The reason why audio is missing.
  public enum Cause: String, Sendable, CaseIterable {
    /// The device's buffer overran.
    case overrun
    /// The sound server left a gap.
    case serverHole = "server-hole"
    /// The device or the sound server was disconnected.
    case deviceLost = "device-lost"
    /// The device was suspended.
    case suspended
    /// This process did not read the samples in time.
    case programLate = "program-late"
    /// The clock advanced without samples, and the system reported no reason.
    case unexplained
    /// The device changed its rate or its channels.
    case formatChange = "format-change"
    /// The recording was paused; the file contains no samples for the pause.
    case paused
    /// More samples arrived than time elapsed; all of them are in the file.
    case surplus
  }

  /// The position of the gap, in samples of the recording.
  public var position: Int
  /// The length of the gap, in samples at the recording's rate.
  public var length: Int
  /// The reason why the audio is missing.
  public var cause: Cause
  /// The start of the gap, in nanoseconds since 1970.
  public var wallTime: Int64
  /// The name of the affected track; nil for a recording of one source, or a gap of the complete
  /// recording.
  public var track: String?

  /// Creates an entry.
  public init(
    position: Int, length: Int, cause: Cause, wallTime: Int64, track: String? = nil
  ) {
    self.track = track
    self.position = position
    self.length = length
    self.cause = cause
    self.wallTime = wallTime
  }

  /// Whether silence fills the gap in the file, so that the timing stays correct.
  public var isFilled: Bool { cause != .paused && cause != .surplus }

  /// The entry as JSON, as written to files.
  public var json: String {
    var members: [JSONValue.Member] = [
      .init("position", .integer(position)), .init("length", .integer(length)),
      .init("cause", .text(cause.rawValue)), .init("filled", .flag(isFilled)),
      .init("time", .text(Timestamp.iso8601(wallTime))),
    ]
    if let track { members.append(JSONValue.Member("track", .text(track))) }
    return JSONValue.object(members).encoded
  }
}

extension RecordingGap.Cause {
  /// Creates the cause for a source's loss.
  init(_ loss: CaptureLoss) {
    switch loss {
    case .overrun: self = .overrun
    case .serverHole: self = .serverHole
    case .deviceLost: self = .deviceLost
    case .suspended: self = .suspended
    case .programLate: self = .programLate
    case .unexplained: self = .unexplained
    }
  }

  /// The human-readable cause.
  public var description: String {
    switch self {
    case .overrun: "buffer overrun"
    case .serverHole: "gap from the sound server"
    case .deviceLost: "device disconnected"
    case .suspended: "device suspended"
    case .programLate: "process stalled"
    case .unexplained: "unknown cause"
    case .formatChange: "format change"
    case .paused: "pause"
    case .surplus: "surplus samples"
    }
  }
}
