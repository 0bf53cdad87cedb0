import Testing

@testable import AacornCodec

/// The stage that downmixes two channels: its output to the core and to band replication, and the
/// timing.
@Suite struct StereoStageTests {
  /// Returns an encoder's input with two channels.
  private static func input(_ channels: [[Float]]) throws -> SampleInput {
    let layout = try #require(ChannelConfiguration(channelCount: 2))
    var input = SampleInput(layout, frameLength: 2048, lead: 1536)
    let samples = EncodedSound.interleaved(channels)
    input.append(interleaved: samples.span)
    return input
  }

  /// Returns noise with attacks on the left, and with a common part.
  private static func sound(frames: Int) -> [[Float]] {
    let count = 2048 * frames
    let (left, right) = (Signals.noise(count, seed: 5), Signals.noise(count, seed: 6))
    var sound = Signals.silence(count, channels: 2)
    for n in 0..<count {
      let gain: Float = n % 3001 < 500 ? 1 : 0.02
      sound[0][n] = gain * left[n]
      sound[1][n] = 0.1 * right[n] + 0.1 * left[n]
    }
    return sound
  }

  /// A stage with the queue of its core.
  private struct Bench {
    var stage = StereoStage(bitrate: 32_000, headerDistance: 8)
    var core = SampleQueue()

    mutating func fill(_ sound: SampleInput, frame: Int) {
      stage.fill(&core, of: sound, frame: frame)
    }

    /// Returns whether another stage has the same result for a frame.
    func isSame(_ other: Bench, frame: Int) -> Bool {
      stage.real == other.stage.real && stage.imaginary == other.stage.imaginary
        && stage.data(ofFrame: frame).bytes == other.stage.data(ofFrame: frame).bytes
        && stage.data(ofFrame: frame).bitCount == other.stage.data(ofFrame: frame).bitCount
        && core.samples[core.head...] == other.core.samples[other.core.head...]
    }
  }

  /// A stage that starts `lookBack` frames before a segment has the same results in the segment as
  /// a stage that started earlier.
  @Test func segmentsFollowFromTheFrameBefore() throws {
    let boundary = AACEncoder.segmentFrameCount
    var sound = try Self.input(Self.sound(frames: 16))
    var old = Bench()
    var new = Bench()
    var late = Bench()
    var maxBitCount = 0
    for frame in boundary - 5..<boundary + 5 {
      old.fill(sound, frame: frame)
      if frame >= boundary - StereoStage.lookBack { new.fill(sound, frame: frame) }
      if frame >= boundary { late.fill(sound, frame: frame) }
      if frame >= boundary {
        let isSame = old.isSame(new, frame: frame)
        #expect(isSame, "frame \(frame)")
        maxBitCount = max(maxBitCount, old.stage.data(ofFrame: frame).bitCount)
      }
      // A stage that starts at the boundary itself lacks a part of its history.
      if frame == boundary {
        let isSame = old.isSame(late, frame: frame)
        #expect(!isSame)
      }
      sound.advance(by: 1)
      old.core.advance(by: 1)
      if frame >= boundary - StereoStage.lookBack { new.core.advance(by: 1) }
      if frame >= boundary { late.core.advance(by: 1) }
    }
    #expect(maxBitCount > 40)
  }

  /// Samples past the needed ones change nothing, and the needed samples are enough for the core.
  @Test func frameAnalysisNeedsOnlyStatedSamples() throws {
    let sound = Self.sound(frames: 8)
    var all = try Self.input(sound)
    // An input begins with a frame of silence.
    var count = StereoStage.neededSamples - 2048
    var (whole, part) = (Bench(), Bench())
    for frame in 0..<3 {
      var few = try Self.input(sound.map { Array($0.prefix(count)) })
      few.advance(by: frame)
      #expect(few.available == StereoStage.neededSamples)
      whole.fill(all, frame: frame)
      part.fill(few, frame: frame)
      let isSame = whole.isSame(part, frame: frame)
      #expect(isSame, "frame \(frame)")
      #expect(whole.core.available >= AACEncoder.coreSamples)
      all.advance(by: 1)
      whole.core.advance(by: 1)
      part.core.advance(by: 1)
      count += 2048
    }
  }

  /// With two equal channels, the core gets the same samples as in HE-AAC.
  @Test func theCoresSamplesAreWhereTheyAreInHighEfficiency() throws {
    var tone = [Float](repeating: 0, count: 8 * 2048)
    for hertz in [230.0, 1870, 4510] {
      let part = Signals.sine(tone.count, hertz: hertz, rate: 44_100, amplitude: 0.2)
      for n in tone.indices { tone[n] += part[n] }
    }
    var sound = try Self.input([tone, tone])
    var bench = Bench()
    bench.fill(sound, frame: 0)
    sound.advance(by: 1)
    bench.core.advance(by: 1)
    bench.fill(sound, frame: 1)
    // The tones begin in this frame, and the two filters differ at the onset.
    let (skipped, count) = (500, 2000)
    var halved = [Float](repeating: 0, count: count)
    var decimator = HalfBandDecimator()
    let queue = sound.queues[0]
    decimator.decimate(
      queue.samples, from: queue.head + 2 * skipped, count: count, into: &halved, at: 0)
    let start = bench.core.head + skipped
    let made = bench.core.samples[start..<start + count].map { Double($0) }
    let ratio = Likeness.signalToNoise(halved, made)
    #expect(ratio > 40, "\(ratio)")
  }
}
