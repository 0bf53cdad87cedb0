import AacornSystem

/// Decides on the bitrate of a live stream by how much of it waits to be sent.
///
/// A value without a clock: it is fed with what waits, what was dropped, and the time, and the same
/// observations give the same decisions.
///
///     queue, seconds
///       …  grows beyond one, or sound is dropped ─► lower at once, by what did not get through
///       1
///       …  keep
///      0.2
///       …  empty for ten seconds ─► a seventh more
///
/// A lower rate is given time to show what it does before the next: two seconds, and as long as what
/// waited before needs, but at most four more. A rate that turned out to be too high, or nearly as
/// high, is not tried again before the queue was empty for twenty seconds, then for twice as long each
/// time up to two minutes, until it lasts. So the rate goes up and down again at most once in ten
/// seconds, whatever the network does.
public struct BitrateController: Sendable, Equatable {
  /// What is known of a connection at a moment.
  public struct Observation: Sendable, Equatable {
    /// How much sound waits to be sent.
    public var queued: Duration
    /// How much was dropped, all told.
    public var dropped: Duration
    /// When that is, from any origin.
    public var time: Duration

    /// What is known at a time.
    public init(queued: Duration, dropped: Duration = .zero, at time: Duration) {
      self.queued = queued
      self.dropped = dropped
      self.time = time
    }
  }

  /// The lowest and the highest bits per second.
  public let bounds: ClosedRange<Int>
  /// The bits per second that are right now.
  public private(set) var bitrate: Int

  // All times in milliseconds.

  /// An observation that led to a decision, even if to none.
  private struct Look: Equatable {
    var time: Int
    /// What waits and what was dropped.
    var backlog: Int
    var dropped: Int
  }

  /// What the next observations are compared with.
  private var last: Look?
  /// When the queue became empty; nil if it is not.
  private var emptySince: Int?
  private var changeTime: Int?
  /// Whether the last change was to a higher rate.
  private var hasRaised = false
  /// Until when the last lower rate is on trial.
  private var trialEnd = Int.min
  /// The rate that turned out to be too high.
  private var ceiling: Int?
  /// How long the queue must be empty before that is tried again.
  private var patience = Self.leastPatience

  /// The time between two looks.
  private static let interval = 1000
  /// What may wait without anybody noticing: a few frames are always on their way.
  private static let empty = 200
  /// What must wait before it matters.
  private static let alarm = 1000
  /// How long a lower rate is given, and at most for what waited before.
  private static let trial = 2000
  private static let mostDelay = 4000
  /// How long a higher rate is held responsible for what comes.
  private static let responsibility = 30_000
  /// How long the queue must be empty before any higher rate, and at most.
  private static let leastPatience = 10_000
  private static let mostPatience = 120_000

  /// A controller that begins at a bitrate, or at the nearest one within the bounds.
  public init(_ bounds: ClosedRange<Int>, from bitrate: Int) {
    self.bounds = bounds
    self.bitrate = min(max(bitrate, bounds.lowerBound), bounds.upperBound)
  }

  /// Takes the next observation, and returns what it changes, if anything.
  public mutating func take(_ observation: Observation) -> BitrateChange? {
    let now = observation.time.milliseconds
    let (queued, dropped) = (observation.queued.milliseconds, observation.dropped.milliseconds)
    if queued > Self.empty {
      emptySince = nil
    } else if emptySince == nil {
      emptySince = now
    }
    let look = Look(time: now, backlog: queued + dropped, dropped: dropped)
    guard let before = last, now >= before.time, dropped >= before.dropped else {
      last = look
      return nil
    }
    let elapsed = now - before.time
    if elapsed < Self.interval { return nil }
    last = look
    // How much of the sound that came did not leave, in thousandths.
    let growth = (look.backlog - before.backlog) * 1000 / elapsed
    if dropped > before.dropped {
      return lower(by: growth, queued, at: now, because: .framesDropped)
    }
    if queued >= Self.alarm {
      // A queue that gets shorter is on its way.
      return growth > -20 ? lower(by: growth, queued, at: now, because: .queueGrew) : nil
    }
    return raise(at: now)
  }

  /// Forgets what the next observations would be compared with: nothing could be learned since, as
  /// while a connection is being opened again.
  public mutating func pause() {
    last = nil
    emptySince = nil
  }

  private mutating func lower(
    by growth: Int, _ queued: Int, at now: Int, because reason: BitrateChange.Reason
  ) -> BitrateChange? {
    if now < trialEnd { return nil }
    // A little less than what got through, so that the queue gets shorter.
    let passed = 1000 - min(1000, max(0, growth))
    let share = min(800, max(300, passed * 85 / 100))
    let wanted = max(bounds.lowerBound, Self.rounded(bitrate * share / 1000))
    guard wanted < bitrate else { return nil }
    if let changeTime, hasRaised {
      if now - changeTime < Self.responsibility {
        ceiling = bitrate
        patience = min(Self.mostPatience, patience * 2)
      } else if let ceiling, bitrate >= ceiling * 9 / 10 {
        // It has lasted, and something else has happened now.
        self.ceiling = nil
        patience = Self.leastPatience
      }
    }
    hasRaised = false
    emptySince = nil
    // What waits was made at the old rate, and leaves as slowly as before.
    trialEnd = now + Self.trial + min(Self.mostDelay, queued * 1000 / max(1, passed))
    return change(to: wanted, at: now, because: reason)
  }

  private mutating func raise(at now: Int) -> BitrateChange? {
    guard let emptySince, bitrate < bounds.upperBound else { return nil }
    let wait = now - max(emptySince, changeTime ?? emptySince)
    let wanted = min(bounds.upperBound, max(bitrate + 1000, Self.rounded(bitrate * 8 / 7)))
    guard wait >= Self.leastPatience else { return nil }
    if let ceiling {
      // What is nearly as high is as good as the same.
      let near = ceiling * 9 / 10
      if bitrate >= near && wait >= Self.responsibility {
        self.ceiling = nil
        patience = Self.leastPatience
      } else if wanted >= near && wait < patience {
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

  /// Whole kilobits per second, which people can read.
  private static func rounded(_ bitrate: Int) -> Int { bitrate / 1000 * 1000 }
}
