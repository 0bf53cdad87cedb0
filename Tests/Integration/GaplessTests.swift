import Foundation
import TestSignals
import Testing

/// The exact length and the channel order in the container.
@Suite struct GaplessTests {
  @Test(arguments: [1, 1000, 1024, 1025, 2048, 12_345, 44_100], [44_100, 48_000, 22_050])
  func theLengthIsExactToTheSample(frames: Int, rate: Int) throws {
    let folder = WorkFolder()
    let sound = Sound.music(frames: frames, rate: rate, channels: 2)
    try folder.write(sound.wav, to: "in.wav")
    try folder.aacorn("encode", "-q", "in.wav", "-o", "out.m4a")
    let facts = try Decoders.probe("out.m4a", in: folder)
    #expect(facts["time_base"] == "1/\(rate)")
    #expect(facts["duration_ts"] == "\(frames)")
    #expect(facts["start_pts"] == "0")
    #expect(facts["nb_frames"] == "\((frames + 1023) / 1024 + 1)")
    let decoded = try Decoders.ffmpeg("out.m4a", channels: 2, in: folder)
    #expect(decoded[0].count >= frames)
    if frames > 2000 {
      for (original, copy) in zip(sound.channels, decoded) {
        #expect(Sound.lag(original, Array(copy.prefix(frames))) == 0)
      }
    }
  }

  @Test(arguments: [3, 4, 5, 6, 8], ["m4a", "aac"])
  func ffmpegDecodesChannelsInOrder(channelCount: Int, format: String) throws {
    let folder = WorkFolder()
    let rate = 48_000
    var hertz = [440.0, 1250, 2300, 930, 3450, 4700, 5900, 7300]
    // The LFE contains only the lowest spectral lines.
    if channelCount >= 6 { hertz[3] = 93 }
    let sound = Sound.tones(Array(hertz.prefix(channelCount)), frames: 24_000, rate: rate)
    try folder.write(sound.wav, to: "in.wav")
    let name = "out.\(format)"
    try folder.aacorn("encode", "-q", "in.wav", "-o", name)
    let decoded = try Decoders.ffmpeg(name, channels: channelCount, in: folder)
    for (output, samples) in decoded.enumerated() {
      for channel in 0..<channelCount {
        let amplitude = Sound.amplitude(of: hertz[channel], in: samples[8192..<16_384], rate: rate)
        if output == channel {
          #expect(abs(amplitude - 0.3) < 0.02, "channel \(channel)")
        } else {
          #expect(amplitude < 0.01, "channel \(channel) at the position of \(output)")
        }
      }
    }
    let layouts = [3: "3.0", 4: "4.0", 5: "5.0", 6: "5.1", 8: "7.1"]
    let layout = try Decoders.probe(name, in: folder)["channel_layout"]
    #expect(layout?.split(separator: "(").first.map(String.init) == layouts[channelCount])
  }
}
