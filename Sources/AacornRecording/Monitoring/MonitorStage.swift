import AacornDevices
import AacornSignal

/// Converts blocks of a source to the format of a playback device, and writes them to its feed.
///
///     block ─► channels ─► rate of the device's clock ─► volume ─► feedback guard ─► feed
struct MonitorStage {
  let feed: PlaybackFeed
  /// The number of times that frames were dropped.
  private(set) var skipCount = 0

  private var route: Route?
  private var pace: MonitorPace
  private var guarding: FeedbackGuard
  /// Whether frames have been written since the last pause.
  private var hasBegun = false
  /// Frames that must be dropped.
  private var skipped = 0
  private var chosen: [Float] = []
  private var samples: [Float] = []
  /// The volume at the last sample, where the ramp of a change starts.
  private var currentVolume: Float?

  private struct Route {
    let block: CaptureBlock
    let map: ChannelMap
    var resampler: VariableResampler
  }

  init(_ feed: PlaybackFeed) {
    self.feed = feed
    pace = MonitorPace(sampleRate: feed.format.sampleRate)
    guarding = FeedbackGuard(
      sampleRate: feed.format.sampleRate, channelCount: feed.format.channelCount)
  }

  /// Whether feedback is possible; audio without microphones needs no guard.
  var isGuarded = true
  /// Whether no input is expected for now.
  private var isPaused = false

  /// The factor, at most 1, that attenuates the monitor because the microphone picks it up.
  var feedbackGain: Float { guarding.gain }

  /// The mean number of waiting frames.
  var meanWaiting: Int { Int(pace.meanWaiting) }

  /// Plays a block; returns true if the microphone has begun to pick up the monitor.
  mutating func play(_ block: CaptureBlock, _ input: [Float], volume: Float) -> Bool {
    if route?.block.hasSameFormat(as: block) != true { route = makeRoute(block) }
    guard route != nil, block.frameCount > 0 else { return false }
    chosen.removeAll(keepingCapacity: true)
    samples.removeAll(keepingCapacity: true)
    route?.map.apply(input.span, into: &chosen)
    let channels = chosen
    route?.resampler.process(channels.span, into: &samples)
    // A change of the volume is spread over the block.
    samples.amplify(
      from: currentVolume ?? volume, to: volume, channelCount: feed.format.channelCount)
    currentVolume = volume
    let hasFeedback = isGuarded && guarding.process(&samples)
    if isPaused {
      isPaused = false
      // Restart the pace: missing input during the pause was not an underrun.
      hasBegun = false
      pace.begin(underrunCount: feed.underrunCount)
      feed.resumeWriting()
    }
    write()
    return hasFeedback
  }

  /// Prepares for a time without input, so that missing input does not count as an underrun.
  mutating func rest() {
    if isPaused { return }
    isPaused = true
    feed.pauseWriting()
  }

  /// Discards the resampler's content after an interruption.
  mutating func interrupt() {
    route = nil
    rest()
  }

  private func makeRoute(_ block: CaptureBlock) -> Route? {
    let format = feed.format
    do throws(PCMError) {
      let map: ChannelMap
      if let layout = block.layout, layout.speakers.count == block.channelCount,
        block.channelCount == format.channelCount || format.channelCount <= 2
      {
        map = try ChannelMap(from: layout, to: format.channelCount)
      } else if block.channelCount == format.channelCount || block.channelCount <= 8,
        let mixed = try? ChannelMap(from: block.channelCount, to: format.channelCount)
      {
        map = mixed
      } else {
        // Without a layout, use the first channels of the block, one for each output channel.
        let picked = (0..<format.channelCount).map { min($0, block.channelCount - 1) }
        map = try ChannelMap(picking: picked, of: block.channelCount, to: format.channelCount)
      }
      return Route(
        block: block, map: map,
        resampler: try VariableResampler(
          from: block.sampleRate, to: format.sampleRate, channelCount: format.channelCount))
    } catch {
      return nil
    }
  }

  private mutating func write() {
    let channelCount = feed.format.channelCount
    let frameCount = samples.count / channelCount
    if !hasBegun && frameCount > 0 {
      // Begin with silence, because the device may read more frames at a time than a block has.
      hasBegun = true
      let silence = [Float](
        repeating: 0, count: feed.format.sampleRate / 125 * channelCount)
      _ = feed.write(silence.span)
    }
    switch pace.step(
      waiting: feed.waitingFrameCount, writing: frameCount, underrunCount: feed.underrunCount)
    {
    case .proceed: break
    case .stretch(let parts): route?.resampler.partsPerMillion = parts
    case .skip(let count):
      skipped += count
      skipCount += 1
    }
    let left = min(skipped, frameCount)
    skipped -= left
    // If the device reads nothing, the feed is full and drops frames, which would not be played
    // anyway.
    if Self.write(samples, after: left, to: feed) < frameCount - left { skipCount += 1 }
  }

  // Static, because exclusive access prevents using a span of one property while changing another.
  private static func write(_ samples: [Float], after left: Int, to feed: PlaybackFeed) -> Int {
    feed.write(samples.span.extracting(droppingFirst: left * feed.format.channelCount))
  }
}

/// Minimizes the audio that waits for a device, without underruns.
///
/// It measures the waiting frames just before each write. The minimum over a quarter of a second
/// should be a small margin: more only adds delay, and less would cause an underrun if the next
/// write is slightly late. If the devices' clocks differ, the amount grows or shrinks, and the
/// resampler compensates by millionths.
struct MonitorPace {
  /// The action before a write.
  enum Step: Equatable {
    /// Resample with this setting.
    case stretch(partsPerMillion: Double)
    /// Drop `frameCount` frames, because far too many are waiting.
    case skip(frameCount: Int)
    /// Nothing to change.
    case proceed
  }

  private let sampleRate: Double
  /// Frames that should be waiting when the next ones arrive.
  private(set) var margin: Double
  private var lowest = Double.infinity
  private var sum = 0.0
  private var count = 0
  private var frames = 0.0
  private var underrunCount = 0
  /// The mean number of waiting frames in the last window.
  private(set) var meanWaiting = 0.0

  /// The minimum margin in seconds, for a machine that is never late.
  private static let minMarginSeconds = 0.0015
  /// Seconds between decisions.
  private static let window = 0.25
  /// The seconds in which a deviation should be corrected.
  private static let correction = 2.0
  /// The excess in seconds from which frames are dropped.
  private static let maxExcessSeconds = 0.012

  init(sampleRate: Int) {
    self.sampleRate = Double(sampleRate)
    margin = Self.minMarginSeconds * Double(sampleRate)
  }

  /// Restarts after a pause, with the device's current number of underruns.
  mutating func begin(underrunCount: Int) {
    self.underrunCount = underrunCount
    (lowest, sum, count, frames) = (.infinity, 0, 0, 0)
  }

  /// Measures the waiting frames before `written` more are written, and the underruns since the
  /// last window; returns the next action.
  mutating func step(waiting: Int, writing written: Int, underrunCount: Int) -> Step {
    lowest = min(lowest, Double(waiting))
    sum += Double(waiting)
    count += 1
    frames += Double(written)
    guard frames >= Self.window * sampleRate else { return .proceed }
    let excess = lowest - margin
    meanWaiting = sum / Double(count)
    let newUnderruns = underrunCount - self.underrunCount
    self.underrunCount = underrunCount
    (lowest, sum, count, frames) = (.infinity, 0, 0, 0)
    if newUnderruns > 0 {
      // After an underrun, increase the margin, to at most 20 ms: this machine is sometimes late.
      margin = min(margin * 1.5 + 16, 0.02 * sampleRate)
    } else {
      margin = max(margin * 0.98, Self.minMarginSeconds * sampleRate)
    }
    // Check the excess before the underruns. A late server has not consumed the waiting frames. If
    // new underruns prevented dropping these frames, the delay would grow with every underrun.
    if excess > Self.maxExcessSeconds * sampleRate { return .skip(frameCount: Int(excess)) }
    if newUnderruns > 0 { return .proceed }
    let parts = -excess / (sampleRate * Self.correction) * 1e6
    return .stretch(partsPerMillion: min(max(parts, -1000), 1000))
  }
}
