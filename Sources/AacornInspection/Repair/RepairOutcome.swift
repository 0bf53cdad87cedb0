public import AacornCodec

/// What is known about a file whose tables are lost.
public struct RepairHints: Equatable, Sendable {
  /// The core's sampling rate in hertz.
  public var sampleRate: Int?
  /// Channels.
  public var channelCount: Int?
  /// The encoder's delay in samples, which nothing but the lost tables says.
  public var priming: Int?

  /// Nothing is known.
  public init(sampleRate: Int? = nil, channelCount: Int? = nil, priming: Int? = nil) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.priming = priming
  }
}

/// What can be done about a file.
public enum RepairOutcome: Sendable {
  /// Nothing needs to be done: an inspection finds no error.
  case intact
  /// It can be repaired: an inspection of the result finds no error.
  case repairable(RepairPlan)
  /// The frames are there, but they could be any of these; one must be chosen with `RepairHints`.
  ///
  /// Frames do not tell their rate, only which tables of bands they use, and several rates share
  /// tables: 44.1 and 48 kHz for one. Usual rates come first.
  case needsConfiguration([AudioSpecificConfig])
  /// Nothing can be done.
  case irreparable(RepairObstacle)
}

/// Why a file cannot be repaired.
public enum RepairObstacle: Equatable, Sendable {
  /// The best that can be made of it still has errors: how many, and the first of them.
  case remainingFaults(count: Int64, first: Fault?)
  /// There is no frame in it that can be recognized.
  case noFrames
  /// Its tables claim more sound than the file has bytes.
  case contradictoryTables
  /// Its stream cannot be put into a file again.
  case unsupportedStream
  /// It holds fragments, and what describes them is lost.
  case missingDescription
}

extension RepairObstacle {
  init(_ faults: FaultLog) {
    self = .remainingFaults(count: faults.errorCount, first: faults.firstError)
  }
}
