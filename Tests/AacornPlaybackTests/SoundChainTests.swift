import AacornDevices
import AacornRecording
import AacornSignal
import AacornSystem
import TestSignals
import Testing

@testable import AacornPlayback

/// The conversion of channels and the volume, exactly.
@Suite struct SoundChainTests {
  struct Mix {
    var channels = 2
    var layout: [SpeakerPosition]?
    /// The number of channels of the device, and their loudspeakers if they are known.
    var device: (count: Int, layout: [SpeakerPosition]?)
    /// The channels of the device for channels with the values 1, 2, ….
    var result: [Float]
  }

  private static let half = Float(0.5).squareRoot()
  private static let front: [SpeakerPosition] = [.frontLeft, .frontRight, .frontCenter]

  static let mixes = [
    Mix(device: (1, nil), result: [1.5]), Mix(channels: 1, device: (2, nil), result: [1, 1]),
    Mix(device: (1, [.frontCenter]), result: [1.5]),
    Mix(layout: [.frontRight, .frontLeft], device: (2, nil), result: [2, 1]),
    Mix(channels: 3, device: (2, front), result: [1 + 3 * half, 2 + 3 * half]),
    Mix(
      channels: 6, device: (2, [.frontLeft, .frontRight]), result: [1 + 8 * half, 2 + 9 * half]),
    // For more than two channels, each channel is played on its loudspeaker.
    Mix(device: (3, nil), result: [1, 2, 0]),
    Mix(device: (3, [.frontRight, .frontLeft, .frontCenter]), result: [2, 1, 0]),
    Mix(layout: [.frontRight, .frontLeft], device: (3, nil), result: [2, 1, 0]),
    Mix(channels: 1, device: (3, front), result: [0, 0, 1]),
    Mix(channels: 1, device: (3, [.frontLeft, .frontRight, .lowFrequency]), result: [1, 1, 0]),
    Mix(
      channels: 3, layout: [.frontCenter, .frontLeft, .frontRight], device: (3, front),
      result: [2, 3, 1]),
    Mix(
      channels: 3, layout: [.frontCenter, .frontLeft, .frontRight], device: (3, nil),
      result: [2, 3, 1]),
    // Nine channels have no standard layout.
    Mix(channels: 9, device: (2, nil), result: [1, 2]),
    Mix(channels: 9, device: (3, front), result: [1, 2, 3]),
    Mix(device: (9, nil), result: [1, 2, 0, 0, 0, 0, 0, 0, 0]),
  ]

  @Test(arguments: mixes.indices) func channelsAreMixedOrRouted(index: Int) {
    let mix = Self.mixes[index]
    let output = PlaybackFormat(
      sampleRate: 48_000, channelCount: mix.device.count,
      layout: mix.device.layout.flatMap { ChannelLayout($0) })
    let layout = mix.layout.flatMap { ChannelLayout($0) }
    let frame = (1...mix.channels).map { Float($0) }
    var played: [Float] = []
    OutputMix(from: mix.channels, layout, to: output).apply(
      frame + frame.map { -$0 }, into: &played)
    let expected = mix.result + mix.result.map { -$0 }
    #expect(played.count == expected.count)
    #expect(zip(played, expected).allSatisfy { abs($0 - $1) < 1e-5 }, "\(played)")
  }

  @Test func restartKeepsNothingOfTheOldAudio() throws {
    let files = try PlayedFiles()
    let path = try files.wav([0], to: "a.wav", rate: 44_100)
    let sound = try SeekableSound(path, interruption: Interruption())
    let format = PlaybackFormat(sampleRate: 48_000, channelCount: 1)
    var chain = try SoundChain(to: format, effects: [], volume: 1)
    var (old, played, expected): ([Float], [Float], [Float]) = ([], [], [])
    #expect(try chain.continueWith(sound, into: &old) == 0)
    chain.process([Float](repeating: 0.5, count: 4410), into: &old)
    chain.restart()
    #expect(chain.programPosition == Double(old.count))
    #expect(try chain.continueWith(sound, into: &played) == Double(old.count))
    let input = ramp(0..<4410)
    chain.process(input, into: &played)
    chain.finish(into: &played)
    var resampler = try Resampler(from: 44_100, to: 48_000, channelCount: 1)
    resampler.process(input.span, into: &expected)
    resampler.flush(into: &expected)
    #expect(played == expected)
  }

  /// A change of the full scale takes ten milliseconds, here eight frames.
  @Test func volumeChangesGradually() {
    var ramp = VolumeRamp(1, sampleRate: 800, channelCount: 2)
    func apply(_ volume: Float, frames: Int) -> [Float] {
      ramp.target = volume
      var samples = [Float](repeating: 1, count: 2 * (1 + frames))
      ramp.apply(to: &samples, from: 2)
      #expect(samples.prefix(2) == [1, 1])
      let frames = stride(from: 2, to: samples.count, by: 2)
      #expect(frames.allSatisfy { samples[$0] == samples[$0 + 1] })
      return frames.map { samples[$0] }
    }
    #expect(apply(1, frames: 2) == [1, 1])
    #expect(apply(0.5, frames: 3) == [0.875, 0.75, 0.625])
    #expect(apply(0.5, frames: 3) == [0.5, 0.5, 0.5])
    #expect(apply(0.6875, frames: 3) == [0.625, 0.6875, 0.6875])
    #expect(apply(1, frames: 5) == [0.8125, 0.9375, 1, 1, 1])
    #expect(apply(0, frames: 1) == [0.875])
  }
}
