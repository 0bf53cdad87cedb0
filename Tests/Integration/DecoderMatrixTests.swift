import AacornCodec
import Foundation
import TestSignals
import Testing

/// Every sample rate, layout, bitrate and effort, decoded by ffmpeg and faad; at less common rates, a
/// third of the layouts.
@Suite struct DecoderMatrixTests {
  static let channelCounts = [1, 2, 3, 4, 5, 6, 8]
  static let efforts = ["fast", "balanced", "best"]
  static let formats = ["aac", "m4a"]
  /// The frames of the test audio, not a whole number of AAC frames.
  static let frames = 9000
  /// The resulting number of AAC frames, including priming.
  static let units = 10

  static let streams = SamplingFrequency.all.map(\.hertz).enumerated().flatMap { index, rate in
    channelCounts.filter { rate == 44_100 || rate == 48_000 || ($0 + index) % 3 == 0 }.map {
      (rate, $0)
    }
  }

  @Test(
    arguments: streams.enumerated().filter { !isDebugBuild || $0.offset % 3 == 0 }.map(\.element))
  func bothDecodersAcceptEveryFile(rate: Int, channelCount: Int) throws {
    let folder = WorkFolder()
    let sound = Sound.music(frames: Self.frames, rate: rate, channels: channelCount)
    try folder.write(sound.wav, to: "in.wav")
    let limits = try #require(
      AACEncoder.bitrateLimits(sampleRate: rate, channelCount: channelCount))
    let middle = min(limits.upperBound, rate * channelCount * 3 / 2)
    for (index, bitrate) in [limits.lowerBound, middle, limits.upperBound].enumerated() {
      // Test all efforts and formats at the common rates. At other rates, alternate between them.
      let isCommon = channelCount <= 2 && (rate == 44_100 || rate == 48_000)
      let efforts = isCommon ? Self.efforts : [Self.efforts[(index + rate / 50) % 3]]
      let formats = isCommon ? Self.formats : [Self.formats[(index + channelCount) % 2]]
      for effort in efforts {
        for format in formats {
          let name = "out.\(format)"
          try folder.aacorn(
            "encode", "-q", "-f", "-b", "\(bitrate)", "--effort", effort, "in.wav", "-o", name)
          let floor = index == 0 ? 0.0 : index == 1 ? 10 : 20
          try checkWithFFmpeg(name, sound, floor: floor, in: folder)
          try checkWithFaad(name, sound, floor: floor, in: folder)
        }
      }
    }
  }

  private func checkWithFFmpeg(
    _ name: String, _ sound: Sound, floor: Double, in folder: WorkFolder
  ) throws {
    let decoded = try Decoders.ffmpeg(name, channels: sound.channels.count, in: folder)
    // Because of the edit list in M4A, ffmpeg drops the priming. It does not trim the end.
    let priming = name.hasSuffix("m4a") ? 0 : 1024
    for (channel, samples) in decoded.enumerated() {
      #expect(samples.count == Self.units * 1024 - (1024 - priming))
      let restored = samples.dropFirst(priming).prefix(Self.frames)
      let ratio = Sound.signalToNoise(sound.channels[channel][...], restored)
      #expect(ratio > floor, "\(name), channel \(channel): \(ratio) dB")
    }
  }

  private func checkWithFaad(
    _ name: String, _ sound: Sound, floor: Double, in folder: WorkFolder
  ) throws {
    // Debian's faad does not support 7350 Hz, and rejects ADTS frames of more than 4608 bytes, which
    // occur if the mean is above 4000.
    if sound.rate == 7350 { return }
    let bytes = try folder.read(name).count
    if sound.channels.count == 8, name.hasSuffix("aac"), bytes / Self.units > 4000 { return }
    let decoded = try Decoders.faad(name, channels: sound.channels.count, in: folder)
    // At low rates faad assumes SBR without signaling, and outputs two samples for each one.
    let scale = sound.rate <= 24_000 ? 2 : 1
    for samples in decoded { #expect(samples.count == scale * (Self.units - 1) * 1024) }
    // faad has a different channel order for more than two channels.
    guard sound.channels.count <= 2, scale == 1 else { return }
    for (channel, original) in sound.channels.enumerated() {
      let ratio = Sound.signalToNoise(original[...], decoded[channel].prefix(Self.frames))
      #expect(ratio > floor, "\(name), channel \(channel): \(ratio) dB")
    }
  }

  @Test(arguments: [
    ["--vbr", "1"], ["--vbr", "3"], ["--vbr", "5"], ["--abr", "96k"], ["--mpeg2"],
    ["--bandwidth", "8k"], ["-b", "320k"],
  ])
  func otherSettingsDecodeToo(options: [String]) throws {
    let folder = WorkFolder()
    let sound = Sound.music(frames: 30_000, rate: 44_100, channels: 2)
    try folder.write(sound.wav, to: "in.wav")
    for name in ["out.aac", "out.m4a"] {
      try folder.aacorn(["encode", "-q", "in.wav", "-o", name] + options)
      try checkLength(name, sound, in: folder)
    }
  }

  private func checkLength(_ name: String, _ sound: Sound, in folder: WorkFolder) throws {
    let priming = name.hasSuffix("m4a") ? 0 : 1024
    let decoded = try Decoders.ffmpeg(name, channels: 2, in: folder)
    for (original, samples) in zip(sound.channels, decoded) {
      let restored = Array(samples.dropFirst(priming).prefix(original.count))
      #expect(restored.count == original.count)
      #expect(Sound.lag(original, restored) == 0)
      #expect(Sound.signalToNoise(original, restored) > 5)
    }
    let faad = try Decoders.faad(name, channels: 2, in: folder)
    #expect(Sound.lag(sound.channels[0], faad[0]) == 0)
  }

  @Test(arguments: channelCounts)
  func checksumsAreAccepted(channelCount: Int) throws {
    let folder = WorkFolder()
    let sound = Sound.music(frames: 20_000, rate: 48_000, channels: channelCount)
    try folder.write(sound.wav, to: "in.wav")
    try folder.aacorn("encode", "-q", "--crc", "in.wav", "-o", "out.aac")
    #expect(try folder.read("out.aac").prefix(2) == [0xFF, 0xF0])
    let decoded = try Decoders.ffmpeg("out.aac", channels: channelCount, in: folder)
    #expect(decoded[0].count == 21 * 1024)
    // faad verifies the checksums; ffmpeg does not.
    let faad = try Decoders.faad("out.aac", channels: channelCount, in: folder)
    #expect(faad[0].count == 20 * 1024)
    try folder.aacorn("inspect", "out.aac")
  }

  /// LATM is decoded only by ffmpeg, because faad does not read it.
  @Test func latmDecodes() throws {
    let folder = WorkFolder()
    let sound = Sound.music(frames: 20_000, rate: 44_100, channels: 2)
    try folder.write(sound.wav, to: "in.wav")
    try folder.aacorn("encode", "-q", "in.wav", "-o", "out.latm")
    let outcome = try Program.ffmpeg().run(
      ["-nostdin", "-v", "error", "-f", "loas", "-i", "out.latm", "-f", "f32le", "-"], in: folder)
    #expect(outcome.errors.isEmpty)
    let decoded = Sound.channels(ofFloats: outcome.output, count: 2)
    #expect(Sound.lag(sound.channels[0], Array(decoded[0].dropFirst(1024))) == 0)
  }
}
