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
}
