import AacornDevices

/// A stretch of device time of which the file does not hold the sound.
public struct Gap: Sendable, Equatable {
  /// Why the sound is not there.
  public enum Cause: String, Sendable, CaseIterable {
    /// The device had nowhere to put its samples.
    case overrun
    /// The sound server left a hole.
    case serverHole = "server-hole"
    /// The device or the sound server was away.
    case deviceLost = "device-lost"
    /// The device was put to sleep.
    case suspended
    /// The program did not take the samples in time.
    case programLate = "program-late"
    /// The clock went on and no samples came, without the system saying why.
    case unexplained
    /// The device changed its rate or its channels.
    case formatChange = "format-change"
    /// The recording was paused; nothing stands in the file for it.
    case paused
    /// More samples came than time had passed; they are all in the file.
    case surplus
  }

  /// Where it begins, in samples of the recording.
  public var position: Int
  /// How many samples at the recording's rate it lasts.
  public var length: Int
  /// Why the sound is not there.
  public var cause: Cause
  /// Nanoseconds since the start of 1970 when it began.
  public var wallTime: Int64

  /// A gap.
  public init(position: Int, length: Int, cause: Cause, wallTime: Int64) {
    self.position = position
    self.length = length
    self.cause = cause
    self.wallTime = wallTime
  }

  /// Whether silence stands in the file for it, so that time stays true.
  public var isFilled: Bool { cause != .paused && cause != .surplus }

  /// The entry as JSON, as it is written into files.
  public var json: String {
    "{\"position\":\(position),\"length\":\(length),\"cause\":\"\(cause.rawValue)\","
      + "\"filled\":\(isFilled),\"time\":\"\(Timestamp.iso8601(wallTime))\"}"
  }
}

extension Gap.Cause {
  /// The cause for what a source says.
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
    case .unexplained: "no samples came"
    case .formatChange: "the device changed its format"
    case .paused: "paused"
    case .surplus: "more samples than time"
    }
  }
}
