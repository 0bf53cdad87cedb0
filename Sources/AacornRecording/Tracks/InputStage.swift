import AacornDevices
import AacornSignal

/// Converts the device's audio to the recording's rate and channels, sample for sample.
///
///     device frames ─► chosen channels ─► resampler ─► gain, mute ─► recording frames
///
/// When the device changes its rate, the old resampler outputs its tail before the new one begins,
/// so nothing is lost and the pitch stays.
struct InputStage {
  let sampleRate: Int
  let channelCount: Int
  private let channelMap: [Int]
  private let followsWallClock: Bool
  /// Whether the number of output samples can be adjusted slightly.
  private let isStretchable: Bool
  private let isAAC: Bool
  /// The gain factor for the samples, unless muted.
  var gain: Float
  /// Whether the samples are replaced by silence.
  var isMuted: Bool
  /// The gain at the last sample, where the ramp of a change starts.
  private var currentGain: Float

  /// The watch of the captured samples, before gain and mute.
  private(set) var watch: SignalWatch
  /// The changes of the watch that the track has not reported.
  var signalChanges: [SignalWatch.Change] = []

  private var route: Route?
  private var chosen: [Float] = []
  /// The number of recording frames that were output before the current resampler began.
  private var basePosition = 0
  /// Device frames passed to the current resampler.
  private var inputFrameCount = 0
  /// The number of recording frames that have been output.
  private(set) var outputFrameCount = 0
  /// The millionths by which more samples are output than the rates imply.
  private(set) var partsPerMillion = 0.0
  /// The position of the next device frame if the audio can be stretched.
  private var stretchedPosition = 0.0

  private struct Route {
    let block: CaptureBlock
    let map: ChannelMap
    var resampler: Resampler
    var variable: VariableResampler?
  }

  /// Creates a stage, stretchable if the recording follows the wall clock or on request.
  init(_ configuration: RecordingConfiguration, isStretchable: Bool = false) {
    sampleRate = configuration.sampleRate
    channelCount = configuration.channelCount
    channelMap = configuration.channelMap
    followsWallClock = configuration.followsWallClock
    self.isStretchable = isStretchable || configuration.followsWallClock
    isAAC = configuration.coding.profile != nil
    gain = configuration.gain
    isMuted = configuration.isMuted
    currentGain = configuration.isMuted ? 0 : configuration.gain
    watch = SignalWatch(
      channelCount: configuration.channelCount, sampleRate: configuration.sampleRate)
  }

  func hasFormat(of block: CaptureBlock) -> Bool { route?.block.hasSameFormat(as: block) ?? false }

  /// Prepares for blocks of another format; flushes the old resampler to `output`.
  mutating func prepare(
    for block: CaptureBlock, into output: inout [Float]
  ) throws(RecordingError) {
    let (sampleRate, channelCount) = (block.sampleRate, block.channelCount)
    finish(into: &output)
    if let channel = channelMap.first(where: { $0 >= channelCount }) {
      throw .noSuchChannel(channel, deviceHas: channelCount)
    }
    do throws(PCMError) {
      route = Route(
        block: block, map: try map(of: block),
        resampler: try Resampler(
          from: sampleRate, to: self.sampleRate, channelCount: self.channelCount),
        variable: isStretchable
          ? try VariableResampler(
            from: sampleRate, to: self.sampleRate, channelCount: self.channelCount) : nil)
    } catch {
      throw .unsupportedConversion(
        sampleRate: sampleRate, channelCount: channelCount, toSampleRate: self.sampleRate,
        toChannelCount: self.channelCount)
    }
    // A recording that follows the wall clock determines its stretch ratio again; a track keeps its
    // ratio.
    if followsWallClock { partsPerMillion = 0 }
    route?.variable?.partsPerMillion = partsPerMillion
    basePosition = outputFrameCount
    stretchedPosition = Double(outputFrameCount)
    inputFrameCount = 0
  }

  /// Returns the mapping of the device's channels: selected channels by index, and all channels of
  /// a known layout by their speakers.
  private func map(of block: CaptureBlock) throws(PCMError) -> ChannelMap {
    if channelMap.isEmpty, let layout = block.layout, layout.speakers.count == block.channelCount,
      block.channelCount == channelCount || channelCount <= 2
    {
      // AAC has no layout for these loudspeakers, and would assign one of them to the center.
      if isAAC, layout.standardOrder == nil, block.channelCount == channelCount {
        throw .unsupportedMix(from: block.channelCount, to: channelCount)
      }
      return try ChannelMap(from: layout, to: channelCount)
    }
    return try ChannelMap(
      picking: picked(of: block.channelCount), of: block.channelCount, to: channelCount)
  }

  /// Returns the channels to record: the requested ones, or all.
  ///
  /// If the channels cannot be mixed to the recording's channels, returns the first ones.
  private func picked(of count: Int) -> [Int] {
    if !channelMap.isEmpty { return channelMap }
    let isMixable =
      count == channelCount
      || (channelCount <= 2 && ChannelLayout.standard(channelCount: count) != nil)
    return Array(0..<(isMixable ? count : min(count, channelCount)))
  }

  /// The position of the next device frame in the recording.
  var position: Int {
    guard let route else { return outputFrameCount }
    if followsWallClock { return outputFrameCount }
    if isStretchable { return Int(stretchedPosition.rounded(.up)) }
    // A resampler turns n frames into ⌈n · out / in⌉.
    return basePosition
      + (inputFrameCount * sampleRate + route.block.sampleRate - 1) / route.block.sampleRate
  }

  /// Recording frames that the resampler has not output yet.
  var heldCount: Int { max(0, position - outputFrameCount) }

  /// The position with fractions; its rounding error stays negligible for hours.
  var exactPosition: Double {
    guard let route else { return Double(outputFrameCount) }
    if isStretchable { return stretchedPosition }
    return Double(basePosition)
      + Double(inputFrameCount) * Double(sampleRate) / Double(route.block.sampleRate)
  }

  /// Sets the millionths by which more samples are output than the rates imply, rounded to
  /// thousandths.
  mutating func stretch(partsPerMillion: Double) {
    self.partsPerMillion = (partsPerMillion * 1000).rounded() / 1000
    route?.variable?.partsPerMillion = self.partsPerMillion
  }

  /// Accepts device frames.
  mutating func process(_ samples: [Float], into output: inout [Float]) {
    guard let route else { return }
    chosen.removeAll(keepingCapacity: true)
    route.map.apply(samples.span, into: &chosen)
    let input = chosen
    signalChanges += watch.process(input.span, sampleRate: route.block.sampleRate)
    resample(samples.count / route.block.channelCount, into: &output)
  }

  /// Accepts this many device frames of silence.
  mutating func processSilence(frameCount: Int, into output: inout [Float]) {
    chosen.removeAll(keepingCapacity: true)
    chosen.append(contentsOf: repeatElement(0, count: frameCount * channelCount))
    resample(frameCount, into: &output)
  }

  mutating func finish(into output: inout [Float]) {
    let start = output.count
    if route?.variable != nil {
      route?.variable?.flush(into: &output)
    } else {
      route?.resampler.flush(into: &output)
    }
    amplify(&output, from: start)
    route = nil
  }

  /// Resamples the chosen channels of this many device frames.
  private mutating func resample(_ frameCount: Int, into output: inout [Float]) {
    guard let rate = route?.block.sampleRate else { return }
    inputFrameCount += frameCount
    let ratio = Double(sampleRate) / Double(rate)
    stretchedPosition += Double(frameCount) * ratio * (1 + partsPerMillion * 1e-6)
    let start = output.count
    let input = chosen
    if route?.variable != nil {
      route?.variable?.process(input.span, into: &output)
    } else {
      route?.resampler.process(input.span, into: &output)
    }
    amplify(&output, from: start)
  }

  /// Counts the frames and applies the gain; a change is spread over the block to avoid clicks.
  private mutating func amplify(_ output: inout [Float], from start: Int) {
    let target = isMuted ? 0 : gain
    if output.count == start { return }
    outputFrameCount += (output.count - start) / channelCount
    output.amplify(from: currentGain, to: target, start: start, channelCount: channelCount)
    currentGain = target
  }
}

extension [Float] {
  /// Multiplies the frames from the index `start` on by a factor that is `target` at the last one.
  mutating func amplify(
    from factor: Float, to target: Float, start: Int = 0, channelCount: Int
  ) {
    let frameCount = (count - start) / channelCount
    if factor == 1 && target == 1 || frameCount == 0 { return }
    let step = (target - factor) / Float(frameCount)
    var index = start
    for frame in 1...frameCount {
      let current = frame == frameCount ? target : factor + step * Float(frame)
      for _ in 0..<channelCount {
        self[index] *= current
        index += 1
      }
    }
  }
}
