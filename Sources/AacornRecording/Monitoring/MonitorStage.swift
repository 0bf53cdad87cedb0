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
    amplify(volume)
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

  /// Applies the volume; a change is spread over the block.
  private mutating func amplify(_ volume: Float) {
    let channelCount = feed.format.channelCount
    let frameCount = samples.count / channelCount
    var factor = currentVolume ?? volume
    currentVolume = volume
    guard frameCount > 0, factor != 1 || volume != 1 else { return }
    let step = (volume - factor) / Float(frameCount)
    for frame in 0..<frameCount {
      factor += step
      for channel in 0..<channelCount { samples[frame * channelCount + channel] *= factor }
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
