import Foundation
import TestSignals
import Testing

/// Files written by ffmpeg in formats that the system's sound library reads.
@Suite struct LibrarySoundTests {
  let folder = WorkFolder()

  /// Converts a file with ffmpeg.
  private func convert(_ input: String, _ options: [String] = [], to output: String) throws {
    let outcome = try Program.ffmpeg().run(
      ["-nostdin", "-v", "error", "-y", "-i", input] + options + [output], in: folder)
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  /// Lossless formats, and the ffmpeg options for 16 bits.
  static let exact: [(suffix: String, options: [String])] = [
    ("flac", ["-sample_fmt", "s16"]), ("w64", ["-c:a", "pcm_s16le"]),
    ("au", ["-c:a", "pcm_s16be"]),
  ]

  @Test(arguments: exact, [1, 2, 6])
  func losslessInputEncodesLikeWAV(
    format: (suffix: String, options: [String]), channels: Int
  ) throws {
    let sound = Sound.music(frames: 30_000, rate: 44_100, channels: channels)
    try folder.write(sound.wav, to: "in.wav")
    try convert("in.wav", format.options, to: "in.\(format.suffix)")
    try folder.aacorn("encode", "-q", "in.wav", "-o", "a.m4a")
    let outcome = try folder.aacorn("encode", "-q", "in.\(format.suffix)", "-o", "b.m4a")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(try folder.read("a.m4a") == folder.read("b.m4a"))
  }

  /// The gain makes samples that 16 bits cannot represent.
  @Test func twentyFourBitsStayTwentyFour() throws {
    try folder.write(Sound.music(frames: 30_000, rate: 48_000, channels: 2).wav, to: "in.wav")
    try convert("in.wav", ["-af", "volume=0.0123", "-c:a", "pcm_s24le"], to: "a.wav")
    try convert("a.wav", to: "a.flac")
    try folder.aacorn("encode", "-q", "a.wav", "-o", "a.m4a")
    try folder.aacorn("encode", "-q", "a.flac", "-o", "b.m4a")
    #expect(try folder.read("a.m4a") == folder.read("b.m4a"))
  }

  static let lossy: [(suffix: String, options: [String])] = [
    ("mp3", ["-c:a", "libmp3lame", "-b:a", "192k"]),
    // `-write_xing 0` omits the header that states the length of the file.
    ("mp3", ["-c:a", "libmp3lame", "-q:a", "4", "-write_xing", "0"]),
    ("ogg", ["-c:a", "libvorbis", "-q:a", "8"]), ("opus", ["-c:a", "libopus", "-b:a", "192k"]),
    ("wav", ["-c:a", "adpcm_ms"]),
  ]

  @Test(arguments: lossy)
  func lossyInputIsReadToItsEnd(suffix: String, options: [String]) throws {
    let sound = Sound.music(frames: 144_000, rate: 48_000, channels: 2)
    try folder.write(sound.wav, to: "in.wav")
    try convert("in.wav", options, to: "b.\(suffix)")
    let outcome = try folder.aacorn("encode", "-q", "-b", "256k", "b.\(suffix)", "-o", "b.m4a")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let decoded = try Decoders.ffmpeg("b.m4a", channels: 2, in: folder)
    // Without a stated length, the priming and padding of the lossy encoder are read as well.
    #expect(decoded[0].count >= 144_000 && decoded[0].count < 152_000)
    for hertz in [200.0, 400, 600] {
      let amplitude = Sound.amplitude(of: hertz, in: decoded[0][20_000..<120_000], rate: 48_000)
      let wanted = Sound.amplitude(
        of: hertz, in: sound.channels[0][20_000..<120_000], rate: 48_000)
      #expect(abs(amplitude - wanted) < 0.15 * wanted + 0.001, "\(hertz) Hz")
    }
  }

  /// Vorbis and Opus have different channel orders.
  @Test(arguments: [
    ("flac", [String]()), ("ogg", ["-c:a", "libvorbis"]), ("opus", ["-c:a", "libopus"]),
  ])
  func sixChannelsKeepTheirOrder(suffix: String, options: [String]) throws {
    let hertz = [300.0, 500, 700, 60, 1100, 1300]
    let sound = Sound.tones(hertz, frames: 96_000, rate: 48_000)
    try folder.write(sound.wav, to: "in.wav")
    try convert("in.wav", ["-af", "aformat=channel_layouts=5.1"] + options, to: "a.\(suffix)")
    try folder.aacorn("encode", "-q", "a.\(suffix)", "-o", "a.m4a")
    let decoded = try Decoders.ffmpeg("a.m4a", channels: 6, in: folder)
    for (channel, frequency) in hertz.enumerated() {
      let amplitude = Sound.amplitude(
        of: frequency, in: decoded[channel][20_000..<70_000], rate: 48_000)
      #expect(amplitude > 0.2, "channel \(channel) of \(suffix): \(amplitude)")
    }
  }

  /// An MP3 file without tags and without the header that states its length.
  private func makeMP3(_ name: String, frames: Int, channels: Int) throws {
    try folder.write(Sound.music(frames: frames, rate: 44_100, channels: channels).wav, to: "x.wav")
    let options = ["-c:a", "libmp3lame", "-write_xing", "0", "-id3v2_version", "0"]
    try convert("x.wav", options, to: name)
  }

  /// The number of samples of a file after encoding, and the messages.
  private func encode(_ name: String) throws -> (samples: Int, errors: String) {
    let outcome = try folder.aacorn("encode", "-f", name, "-o", "out.m4a")
    let samples = try Decoders.ffmpeg("out.m4a", channels: 2, in: folder)[0].count
    return (samples, outcome.errors)
  }

  @Test func bytesAroundMP3FramesAreSkipped() throws {
    try makeMP3("plain.mp3", frames: 88_200, channels: 2)
    let sound = try folder.read("plain.mp3")
    let title = Array("TIT2".utf8) + [0, 0, 0, 10, 0, 0, 3] + Array("A title 9".utf8)
    let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, UInt8(title.count)] + title
    let zeros = [UInt8](repeating: 0, count: 417)
    let junk = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 197 >> 3) }
    let plain = try encode("plain.mp3").samples
    for (name, bytes) in [
      ("zeros.mp3", zeros + sound), ("tag.mp3", tag + tag + zeros + sound),
      ("junk.mp3", sound + junk + zeros),
    ] {
      try folder.write(bytes, to: name)
      let outcome = try encode(name)
      #expect(outcome.samples == plain, "\(name)")
      // The library itself prints nothing.
      #expect(outcome.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("out.m4a: ") })
    }
    try folder.aacorn(
      "decode", "tag.mp3", "-o", "out.wav", status: 1, errors: "“tag.mp3” is an MP3 file.")
  }

  @Test func partlyReadMP3FileIsReported() throws {
    try makeMP3("stereo.mp3", frames: 44_100, channels: 2)
    try makeMP3("mono.mp3", frames: 88_200, channels: 1)
    try folder.write(folder.read("stereo.mp3") + folder.read("mono.mp3"), to: "both.mp3")
    try folder.aacorn(
      "encode", "both.mp3", "-o", "out.m4a", status: 1,
      errors: "“both.mp3” is damaged or changes its rate or channels: 0:02.")
    try folder.aacorn("inspect", "out.m4a")
  }

  @Test func standardInputIsReadIfItIsAFile() throws {
    try folder.write(Sound.music(frames: 20_000, rate: 44_100, channels: 2).wav, to: "in.wav")
    try convert("in.wav", to: "in.flac")
    try folder.aacorn("encode", "-q", "-", "-o", "a.m4a", input: folder.path("in.flac"))
    try folder.shell(
      "cat in.flac | $AACORN encode -q - -o b.m4a", status: 1,
      errors: "is a FLAC file, which cannot be read from a pipe.")
  }
}
