import AacornSystem

/// A controller that sets the bitrate of a live stream by the amount of audio that waits to be
/// sent.
///
/// The controller has no clock: its input is the waiting audio, the dropped audio and the time.
/// Equal observations lead to equal decisions.
///
///     queue, seconds
///       …  grows beyond one, or audio is dropped ─► reduce immediately to the throughput
///       1
///       …  keep
///      0.2
///       …  empty for ten seconds ─► increase by a seventh
///
/// After a reduction, the controller waits for the effect before it reduces again: two seconds,
/// plus the time that the waiting audio needs, at most four seconds more. A bitrate that was too
/// high, or nearly as high, is tried again only after the queue was empty for twenty seconds. This
/// time doubles with every failure, up to two minutes, until the bitrate lasts. The bitrate
/// therefore goes up and down at most once in ten seconds, whatever the network does.
public struct BitrateController: Sendable, Equatable {
  /// The state of a connection at a time.
  public struct Observation: Sendable, Equatable {
    /// The duration of the audio that waits to be sent.
    public var queued: Duration
    /// The duration of all audio dropped since the start.
    public var dropped: Duration
    /// The time of the observation, from any origin.
    public var time: Duration

    /// Creates an observation.
    public init(queued: Duration, dropped: Duration = .zero, at time: Duration) {
      self.queued = queued
      self.dropped = dropped
      self.time = time
    }
  }

  /// The minimum and maximum bitrate in bits per second.
  public let bounds: ClosedRange<Int>
  /// The current bitrate in bits per second.
  public private(set) var bitrate: Int

  // All times and amounts of audio are in milliseconds.

  /// An observation that was evaluated, with or without a change.
  private struct Sample: Equatable {
    var time: Int
    /// The sum of the waiting and the dropped audio.
    var backlog: Int
    var dropped: Int
  }

  /// The previous evaluated observation.
  private var last: Sample?
  /// The time at which the queue became empty; nil if it is not empty.
  private var emptySince: Int?
  private var changeTime: Int?
  /// Whether the last change was an increase.
  private var hasRaised = false
  /// The time until which the effect of the last reduction is awaited.
  private var effectWaitEnd = Int.min
  /// The bitrate that was too high; nil if unknown.
  private var ceiling: Int?
  /// The time for which the queue must be empty before `ceiling` is tried again.
  private var retryDelay = Self.minRetryDelay

  /// The minimum time between two evaluated observations.
  private static let interval = 1000
  /// The amount of waiting audio that counts as an empty queue: a few frames are always in transit.
  private static let empty = 200
  /// The amount of waiting audio that triggers a reduction.
  private static let reductionThreshold = 1000
  /// The minimum wait after a reduction, and the maximum additional wait for the audio in the
  /// queue.
  private static let effectWait = 2000
  private static let maxDrainDelay = 4000
  /// The time during which a problem is attributed to the last increase.
  private static let attributionTime = 30_000
  /// The minimum and maximum time for which the queue must be empty before an increase.
  private static let minRetryDelay = 10_000
  private static let maxRetryDelay = 120_000

  /// Creates a controller.
  ///
  /// `bitrate` is clamped to the bounds.
  public init(_ bounds: ClosedRange<Int>, from bitrate: Int) {
    let bounds = bounds.clamped(to: 0...Int(Int32.max))
    self.bounds = bounds
    self.bitrate = min(max(bitrate, bounds.lowerBound), bounds.upperBound)
  }

  /// Processes the next observation.
  ///
  /// Returns the change of the bitrate, or nil.
  public mutating func take(_ observation: Observation) -> BitrateChange? {
    let now = observation.time.milliseconds
    let (queued, dropped) = (observation.queued.milliseconds, observation.dropped.milliseconds)
    if queued > Self.empty {
      emptySince = nil
    } else if emptySince == nil {
      emptySince = now
    }
    let sample = Sample(time: now, backlog: queued + dropped, dropped: dropped)
    guard let before = last, now >= before.time, dropped >= before.dropped else {
      last = sample
      return nil
    }
    let elapsed = now - before.time
    if elapsed < Self.interval { return nil }
    last = sample
    // The share of the produced audio that was not sent, in thousandths.
    let growth = (sample.backlog - before.backlog) * 1000 / elapsed
    if dropped > before.dropped {
      return lower(by: growth, queued, at: now, because: .framesDropped)
    }
    if queued >= Self.reductionThreshold {
      // If the queue is shrinking, the bitrate is already low enough.
      return growth > -20 ? lower(by: growth, queued, at: now, because: .queueGrew) : nil
    }
    return raise(at: now)
  }

  /// Discards the previous observation, because no observations arrive for some time, for example
  /// while the connection is reopened.
  public mutating func pause() {
    last = nil
    emptySince = nil
  }

  private mutating func lower(
    by growth: Int, _ queued: Int, at now: Int, because reason: BitrateChange.Reason
  ) -> BitrateChange? {
    if now < effectWaitEnd { return nil }
    // Slightly less than the measured throughput, so that the queue shrinks.
    let passed = 1000 - min(1000, max(0, growth))
    let share = min(800, max(300, passed * 85 / 100))
    let wanted = max(bounds.lowerBound, Self.rounded(bitrate * share / 1000))
    guard wanted < bitrate else { return nil }
    if let changeTime, hasRaised {
      if now - changeTime < Self.attributionTime {
        ceiling = bitrate
        retryDelay = min(Self.maxRetryDelay, retryDelay * 2)
      } else if let ceiling, bitrate >= ceiling * 9 / 10 {
        // The bitrate has lasted, so the problem has another cause.
        self.ceiling = nil
        retryDelay = Self.minRetryDelay
      }
    }
    hasRaised = false
    emptySince = nil
    // The waiting audio was encoded at the old bitrate, and needs that bitrate to be sent.
    effectWaitEnd = now + Self.effectWait + min(Self.maxDrainDelay, queued * 1000 / max(1, passed))
    return change(to: wanted, at: now, because: reason)
  }

  private mutating func raise(at now: Int) -> BitrateChange? {
    guard let emptySince, bitrate < bounds.upperBound else { return nil }
    let wait = now - max(emptySince, changeTime ?? emptySince)
    let wanted = min(bounds.upperBound, max(bitrate + 1000, Self.rounded(bitrate * 8 / 7)))
    guard wait >= Self.minRetryDelay else { return nil }
    if let ceiling {
      // A bitrate of at least 90% of the ceiling is treated like the ceiling.
      let near = ceiling * 9 / 10
      if bitrate >= near && wait >= Self.attributionTime {
        self.ceiling = nil
        retryDelay = Self.minRetryDelay
      } else if wanted >= near && wait < retryDelay {
        return nil
      }
    }
    hasRaised = true
    return change(to: wanted, at: now, because: .queueEmpty)
  }

  private mutating func change(
    to wanted: Int, at now: Int, because reason: BitrateChange.Reason
  ) -> BitrateChange {
    let change = BitrateChange(from: bitrate, to: wanted, because: reason)
    bitrate = wanted
    changeTime = now
    return change
  }

  /// Rounds down to whole kilobits per second, for readable values.
  private static func rounded(_ bitrate: Int) -> Int { bitrate / 1000 * 1000 }
}

/// A change of the bitrate, caused by the throughput of a server.
public struct BitrateChange: Sendable, Equatable {
  /// The reason for a change.
  public enum Reason: String, Sendable, CaseIterable {
    /// The amount of waiting audio has grown.
    case queueGrew = "queue-grew"
    /// Audio was dropped because it had waited too long.
    case framesDropped = "frames-dropped"
    /// The queue has been empty for some time.
    case queueEmpty = "queue-empty"
  }

  /// The previous bitrate in bits per second.
  public var from: Int
  /// The new bitrate in bits per second.
  public var to: Int
  /// The reason for the change.
  public var because: Reason

  /// Creates a change.
  public init(from: Int, to: Int, because reason: Reason) {
    self.from = from
    self.to = to
    because = reason
  }
}
