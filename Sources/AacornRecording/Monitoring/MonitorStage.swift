import AacornDevices
import AacornSignal

/// Brings blocks of a source to what a device plays, and into its feed.
///
///     block ─► channels ─► rate, held to the device's ─► volume ─► guard ─► feed
struct MonitorStage {
  /// What the device takes.
  let feed: PlaybackFeed
  /// How often sound was left out.
  private(set) var skipCount = 0

  private var route: Route?
  private var pace: MonitorPace
  private var guarding: FeedbackGuard
  /// Whether anything was written.
  private var hasBegun = false
  /// Frames that are to be left out.
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

  /// A stage that is guarded.
  init(_ feed: PlaybackFeed) {
    self.feed = feed
    pace = MonitorPace(sampleRate: feed.format.sampleRate)
    guarding = FeedbackGuard(
      sampleRate: feed.format.sampleRate, channelCount: feed.format.channelCount)
  }

  /// Whether what is heard may come back; sound that no microphone hears needs no guard.
  var isGuarded = true
  /// Whether nothing has come for a while.
  private var isResting = false

  /// The factor, at most 1, that makes the sound quieter because the microphone hears it.
  var damping: Float { guarding.damping }

  /// Frames that wait, in the mean.
  var meanWaiting: Int { Int(pace.meanWaiting) }

  /// Plays a block; true if the microphone has begun to hear what is played.
  mutating func play(_ block: CaptureBlock, _ input: [Float], volume: Float) -> Bool {
    if route?.block.hasForm(of: block) != true { route = makeRoute(block) }
    guard route != nil, block.frameCount > 0 else { return false }
    chosen.removeAll(keepingCapacity: true)
    samples.removeAll(keepingCapacity: true)
    route?.map.apply(input.span, into: &chosen)
    let channels = chosen
    route?.resampler.process(channels.span, into: &samples)
    amplify(volume)
    let isHeard = isGuarded && guarding.process(&samples)
    if isResting {
      isResting = false
      // It begins anew: what was missing meanwhile was not late.
      hasBegun = false
      pace.begin(underrunCount: feed.underrunCount)
      feed.resumeWriting()
    }
    write()
    return isHeard
  }

  /// Expects nothing for now, so that silence is none that is missing.
  mutating func rest() {
    if isResting { return }
    isResting = true
    feed.end()
  }

  /// Forgets what the resampler holds, after an interruption.
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
        // Of many channels without a layout the first ones are heard, each once.
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
      // The device may take more at a time than a block has.
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
    // A device that does not take anything costs sound that nobody would hear.
    if Self.write(samples, after: left, to: feed) < frameCount - left { skipCount += 1 }
  }

  // A span of one property and a change of another exclude each other.
  private static func write(_ samples: [Float], after left: Int, to feed: PlaybackFeed) -> Int {
    feed.write(samples.span.extracting(droppingFirst: left * feed.format.channelCount))
  }
}
