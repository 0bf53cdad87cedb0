import Foundation
import TestSignals
import Testing

/// Tags that ffmpeg wrote to audio files, found by ffprobe in the M4A file.
@Suite struct TagProcessTests {
  private static let tags = [
    ("title", "Größe"), ("artist", "Björk; Co"), ("album", "漢字"), ("genre", "Trip-Hop"),
    ("date", "2003"), ("track", "3/12"), ("comment", "A comment"), ("copyright", "2003 X"),
  ]
  private static let more = [
    ("album_artist", "Various"), ("composer", "Bach"), ("disc", "1/2"),
    ("MUSICBRAINZ_ALBUMID", "f0-e1"), ("REPLAYGAIN_TRACK_GAIN", "-3.20 dB"),
  ]

  @Test(arguments: ["a.flac", "a.mp3", "a.ogg", "a.opus", "a.wav", "a.aiff"])
  func tagsAndCoverAreKept(name: String) throws {
    let folder = WorkFolder()
    try folder.write(Sound.music(frames: 9600, rate: 48_000, channels: 2).wav, to: "in.wav")
    // The chunks of WAV contain neither covers nor all tags. ffmpeg adds covers only to some
    // formats.
    let tags = Self.tags + (name == "a.wav" ? [] : Self.more)
    let hasCover = ["a.flac", "a.mp3", "a.aiff"].contains(name)
    var arguments = ["-nostdin", "-v", "error", "-i", "in.wav"]
    if hasCover {
      arguments += ["-f", "lavfi", "-i", "color=size=16x16:rate=1:duration=1", "-map", "0"]
      arguments += ["-map", "1", "-c:v", "mjpeg", "-disposition:v", "attached_pic"]
    }
    for (key, value) in tags { arguments += ["-metadata", "\(key)=\(value)"] }
    if name == "a.aiff" { arguments += ["-write_id3v2", "1"] }
    let made = try Program.ffmpeg().run(arguments + [name], in: folder)
    try #require(made.status == 0, "\(made.errors)")
    let outcome = try folder.aacorn("encode", "-q", name, "-o", "b.m4a")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let facts = try Program.ffprobe().run(
      ["-v", "error", "-show_format", "-show_streams", "-of", "default=nw=1", "b.m4a"], in: folder)
    let lines = Set(facts.text.split(separator: "\n").map(String.init))
    for (key, value) in tags {
      #expect(lines.contains("TAG:\(key)=\(value)"), "\(key) of \(name): \(facts.text)")
    }
    #expect(lines.contains("codec_name=mjpeg") == hasCover)
  }
}
