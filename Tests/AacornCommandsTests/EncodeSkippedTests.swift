import AacornSystem
import Testing

@testable import AacornCommands

/// The report of files in folders that `aacorn encode` does not read.
@Suite struct EncodeSkippedTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  @Test func skippedFilesAreCounted() {
    let entries = (1...14).map {
      SkippedEntry(entry: InputList.Entry(path: "x/\($0).mp3", subfolder: ""), reason: .coded)
    }
    let messages = SkippedFiles.groups(entries, searchedFor: "").map(\.message)
    #expect(messages.count == 1)
    #expect(
      messages.first?.hasPrefix(
        "14 files were skipped: 1.mp3, 2.mp3, 3.mp3, 4.mp3, 5.mp3, 6.mp3, 7.mp3, 8.mp3, 9.mp3, "
          + "10.mp3 and 4 more. They may contain AAC; name a file to ") == true)
    #expect(
      SkippedFiles.groups([entries[0]], searchedFor: "").first?.message
        == "1 file was skipped: 1.mp3. It may contain AAC; name it to encode it again.")
    #expect(SkippedFiles.groups([], searchedFor: "").isEmpty)
  }

  @Test func losslessMP4IsReportedAsUnreadable() throws {
    let input = try folder.write(wavFile(frames: 3000), to: "in/a.wav")
    captured.aacorn("encode", "-q", input, "-o", folder.path("in/b.m4a"))
    var bytes = try folder.read("in/b.m4a")
    let entry = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("mp4a".utf8)) })
    bytes.replaceSubrange(entry..<entry + 4, with: Array("alac".utf8))
    try folder.write(bytes, to: "in/c.m4a")
    try folder.write(bytes, to: "in/d.mp4")
    captured.aacorn("encode", "-q", folder.path("in"), status: .failed)
    #expect(
      captured.errors
        == "aacorn: 2 files were skipped: c.m4a and d.mp4. Lossless ALAC cannot be read yet; convert it "
        + "with ffmpeg: “ffmpeg -i FILE OUT.flac”.\n")
    let all = CapturedConsole(running: ["encode", folder.path("in")], status: .failed)
    all.expectErrors("1 file was skipped: b.m4a. It may contain AAC")
  }
}
