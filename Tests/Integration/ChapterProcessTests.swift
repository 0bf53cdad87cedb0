import Foundation
import TestSignals
import Testing

/// Chapters written by ffmpeg, found by ffmpeg at the right times after a cut.
@Suite struct ChapterProcessTests {
  private static let metadata = """
    ;FFMETADATA1
    title=A title
    genre=Talk
    [CHAPTER]
    TIMEBASE=1/1000
    START=0
    END=1500
    title=Beginning
    [CHAPTER]
    TIMEBASE=1/1000
    START=1500
    END=4000
    title=Größe; Ende

    """

  @Test(arguments: ["", "disable_chpl"])
  func chaptersOfOthersAreKept(flag: String) throws {
    let folder = WorkFolder()
    try folder.write(Sound.music(frames: 176_400, rate: 44_100, channels: 2).wav, to: "in.wav")
    try folder.write(Self.metadata.utf8, to: "chapters.txt")
    try folder.aacorn("encode", "-q", "in.wav", "-o", "plain.m4a")
    var arguments = [
      "-nostdin", "-v", "error", "-i", "plain.m4a", "-i", "chapters.txt", "-map", "0:a",
      "-map_metadata", "1", "-map_chapters", "1", "-c", "copy",
    ]
    if !flag.isEmpty { arguments += ["-movflags", flag] }
    #expect(try Program.ffmpeg().run(arguments + ["whole.m4a"], in: folder).status == 0)
    try folder.aacorn("cut", "whole.m4a", "--start", "1", "--end", "3", "-o", "part.m4a")
    let facts = try Program.ffprobe().run(
      ["-v", "error", "-show_chapters", "-show_format", "-of", "default=nw=1", "part.m4a"],
      in: folder)
    let lines = facts.text.split(separator: "\n").map(String.init)
    #expect(lines.filter { $0.hasPrefix("start_time=") }.prefix(2).count == 2)
    #expect(lines.contains("start_time=0.500000"))
    #expect(lines.contains("TAG:title=Beginning") && lines.contains("TAG:title=Größe; Ende"))
    #expect(lines.contains("TAG:title=A title") && lines.contains("TAG:genre=Talk"))
    let report = try folder.aacorn("inspect", "part.m4a")
    #expect(report.text.contains("0:00.5  Größe; Ende"))
  }
}
