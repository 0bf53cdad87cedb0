import AacornCodec
import AacornContainers
import Foundation
import TestSignals
import Testing

/// HE-AAC v2 played by ffmpeg in stereo, with left and right preserved.
@Suite struct ParametricStereoTests {
  private static let rate = 48_000

  private let folder = WorkFolder()

  /// Creates four seconds of audio: the first half on the left, the second half on the right.
  init() throws {
    var sound = Sound.music(frames: 4 * Self.rate, rate: Self.rate, channels: 2)
    let middle = sound.frameCount / 2
    for n in 0..<sound.frameCount { sound.channels[n < middle ? 1 : 0][n] = 0 }
    try folder.write(sound.wav, to: "in.wav")
  }

  private func encode(_ name: String) throws {
    try folder.aacorn("encode", "-q", "--profile", "he2", "-b", "32k", "in.wav", "-o", name)
  }

  /// The level difference of the channels in dB, in the second that starts at `start`.
  private static func balance(_ channels: [[Float]], _ start: Double) -> Double {
    let first = Int(start * Double(rate))
    let energies = channels.map { channel in
      channel[first..<first + rate].reduce(1e-9) { $0 + Double($1 * $1) }
    }
    return 10 * log10(energies[0] / energies[1])
  }

  @Test(arguments: ["m4a", "aac"])
  func stereoSidesArePreserved(suffix: String) throws {
    let name = "out." + suffix
    try encode(name)
    let channels = try Decoders.ffmpeg(name, channels: 2, in: folder)
    try #require(channels.allSatisfy { $0.count >= 4 * Self.rate })
    let (early, late) = (Self.balance(channels, 0.5), Self.balance(channels, 2.5))
    #expect(early > 10 && late < -10, "\(early) dB, then \(late) dB")
  }

  @Test func fileSignalsParametricStereo() throws {
    try encode("out.m4a")
    let facts = try Decoders.probe("out.m4a", in: folder)
    #expect(facts["codec_name"] == "aac" && facts["profile"] == "HE-AACv2")
    #expect(facts["channels"] == "2" && facts["sample_rate"] == "48000")
    let track = try #require(MP4Reader(file: try folder.read("out.m4a")).track)
    #expect(track.channelCount == 2 && track.stream.channelCount == 1)
  }
}
