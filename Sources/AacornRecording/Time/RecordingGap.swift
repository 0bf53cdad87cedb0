import AacornDevices

/// A stretch of device time whose audio is not in the file.
public struct RecordingGap: Sendable, Equatable {
  /// Why the audio is missing.
  public enum Cause: String, Sendable, CaseIterable {
    /// The device had nowhere to put its samples.
    case overrun
    /// The sound server left a gap.
    case serverHole = "server-hole"
    /// The device or the sound server was away.
    case deviceLost = "device-lost"
    /// The device was put to sleep.
    case suspended
    /// The program did not take the samples in time.
    case programLate = "program-late"
    /// The clock advanced without samples, and the system did not say why.
    case unexplained
    /// The device changed its rate or its channels.
    case formatChange = "format-change"
    /// The recording was paused; nothing represents it in the file.
    case paused
    /// More samples came than time had passed; all of them are in the file.
    case surplus
  }

  /// Where it begins, in samples of the recording.
  public var position: Int
  /// Its length, in samples at the recording's rate.
  public var length: Int
  /// Why the audio is missing.
  public var cause: Cause
  /// When it began, in nanoseconds since the start of 1970.
  public var wallTime: Int64
  /// Whose audio is missing, by the name of the track; nil if the recording has one source, or if the
  /// gap concerns all of it.
  public var track: String?

  /// A gap.
  public init(
    position: Int, length: Int, cause: Cause, wallTime: Int64, track: String? = nil
  ) {
    self.track = track
    self.position = position
    self.length = length
    self.cause = cause
    self.wallTime = wallTime
  }

  /// Whether silence fills it in the file, so that time stays true.
  public var isFilled: Bool { cause != .paused && cause != .surplus }

  /// The entry as JSON, as it is written into files.
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
  /// The cause for a source's loss.
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

  /// The cause in words, for people.
  public var words: String {
    switch self {
    case .overrun: "the device overran"
    case .serverHole: "the sound server left a hole"
    case .deviceLost: "the device was away"
    case .suspended: "the device was asleep"
    case .programLate: "the program was held up"
    case .unexplained: "no samples arrived"
    case .formatChange: "the device changed its format"
    case .paused: "paused"
    case .surplus: "more samples than time"
    }
  }
}
