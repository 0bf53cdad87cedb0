import AacornSystem
import Foundation
import Testing

@testable import AacornCommands

/// A folder that is encoded or decoded again.
@Suite struct EncodeRepeatTests {
  private let folder = TemporaryFolder()
  private let sound = wavFile(frames: 2000)

  init() throws {
    for name in ["in/a.wav", "in/b.wav", "in/sub/c.wav"] { try folder.write(sound, to: name) }
  }

  /// Sets the modification time of a file in seconds since the start of 1970.
  private func setTime(_ seconds: Int, of name: String) {
    var times = [timeval](repeating: timeval(tv_sec: seconds, tv_usec: 0), count: 2)
    #expect(unsafe utimes(folder.path(name), &times) == 0)
  }

  @Test func repeatedRunIsAQuietSuccess() throws {
    let arguments = ["encode", folder.path("in"), "--output-folder", folder.path("out")]
    CapturedConsole(running: arguments)
    let output = try folder.read("out/a.m4a")
    let again = CapturedConsole(running: arguments)
    #expect(again.output == "No files encoded, 3 existing files kept\n" && again.errors.isEmpty)
    let quiet = CapturedConsole(running: arguments + ["-q"])
    #expect(quiet.output.isEmpty && quiet.errors.isEmpty)
    let json = CapturedConsole(running: arguments + ["--json"])
    #expect(json.output.split(separator: "\n").count == 3)
    json.expectOutput(
      #""output":"\#(folder.path("out/a.m4a"))","status":"kept","message":"The output exists"#)
    #expect(try folder.read("out/a.m4a") == output)
    // An interrupted run lacks some outputs.
    try System.remove(folder.path("out/b.m4a"))
    let resumed = CapturedConsole(running: arguments)
    resumed.expectOutput("b.m4a: ", "1 file encoded, ", ", 2 existing files kept\n")
    #expect(resumed.errors.isEmpty)
    // Next to the inputs, the outputs are not reported as skipped.
    for _ in 0..<2 {
      let beside = CapturedConsole(running: ["encode", folder.path("in")])
      #expect(beside.errors.isEmpty)
    }
  }

  /// The content of an output decides, not its time: a source may be replaced while it is encoded.
  @Test func outputOfAChangedSourceIsMadeAgain() throws {
    let arguments = ["encode", folder.path("in"), "--output-folder", folder.path("out")]
    CapturedConsole(running: arguments)
    let old = try folder.read("out/a.m4a")
    try folder.write(wavFile(frames: 4000), to: "in/a.wav")
    setTime(1_000_000, of: "in/a.wav")
    let again = CapturedConsole(running: arguments)
    again.expectOutput("a.m4a, again: ", "1 file encoded, ", ", 2 existing files kept")
    #expect(try folder.read("out/a.m4a") != old)
    try folder.write(wavFile(frames: 5000), to: "in/b.wav")
    setTime(1_000_000, of: "in/b.wav")
    let json = CapturedConsole(running: arguments + ["--json"])
    json.expectOutput(#"b.m4a","status":"ok","renewed":true,"#)
    // Another program has changed an output, so it is kept.
    try folder.write(sound, to: "in/a.wav")
    let file = try #require(FileHandle(forUpdatingAtPath: folder.path("out/a.m4a")))
    try file.seek(toOffset: 200)
    try file.write(contentsOf: [1, 2, 3, 4])
    setTime(1_000_000, of: "out/a.m4a")
    let changed = CapturedConsole(running: arguments, status: .failed)
    changed.expectErrors("a.m4a” is older than its source, and was left alone. Use --force")
  }

  /// Two folders with the same names have the same outputs.
  @Test func outputOfAnotherSourceIsKept() throws {
    try folder.write(wavFile(frames: 5000), to: "other/a.wav")
    try folder.write(wavFile(frames: 6000), to: "newer/a.wav")
    for (name, time) in [("other", 1_000_000), ("newer", 4_000_000_000)] {
      setTime(time, of: name + "/a.wav")
    }
    let out = folder.path("out")
    CapturedConsole(running: ["encode", folder.path("in"), "--output-folder", out])
    let old = try folder.read("out/a.m4a")
    let other = CapturedConsole(
      running: ["encode", folder.path("other"), "--output-folder", out])
    #expect(other.output == "No files encoded, 1 existing file kept\n")
    let newer = CapturedConsole(
      running: ["encode", folder.path("newer"), "--output-folder", out], status: .cannotWrite)
    newer.expectErrors("a.m4a” is older than its source, and was left alone. Use --force")
    #expect(try folder.read("out/a.m4a") == old)
    // An output that is renamed is the output of no source.
    try System.remove(folder.path("out/a.m4a"))
    try System.move(folder.path("out/b.m4a"), to: folder.path("out/a.m4a"))
    let renamed = try folder.read("out/a.m4a")
    try folder.write(wavFile(frames: 4000), to: "in/a.wav")
    setTime(1_000_000, of: "in/a.wav")
    CapturedConsole(running: ["encode", folder.path("in"), "--output-folder", out])
    #expect(try folder.read("out/a.m4a") == renamed)
  }

  /// Recordings and cut files may be the only copies of their audio: the source may be decoded.
  @Test func recordingWithANewerSourceIsKept() throws {
    let arguments = ["encode", folder.path("in"), "--output-folder", folder.path("out")]
    CapturedConsole(running: arguments)
    let whole = folder.path("out/whole.m4a")
    try System.move(folder.path("out/b.m4a"), to: whole)
    CapturedConsole(running: ["cut", whole, "--duration", "20ms", "-o", folder.path("out/b.m4a")])
    try System.remove(folder.path("out/a.m4a"))
    CapturedConsole(running: [
      "record", folder.path("out/a.m4a"), "--device", "tone", "--unpaced", "-d", "1", "-q",
    ])
    let old = try ["out/a.m4a", "out/b.m4a"].map(folder.read)
    for name in ["a", "b"] { setTime(1_000_000, of: "out/\(name).m4a") }
    let console = CapturedConsole(running: arguments, status: .failed)
    console.expectErrors(
      "a.m4a” is older than its source, and was left alone. Use --force",
      "b.m4a” is older than its source, and was left alone. Use --force")
    #expect(try ["out/a.m4a", "out/b.m4a"].map(folder.read) == old)
  }

  /// The older file may be the only copy of something.
  @Test func olderFileOfAnotherProgramIsKept() throws {
    try folder.write([1, 2, 3], to: "in/a.m4a")
    setTime(1_000_000, of: "in/a.m4a")
    let console = CapturedConsole(running: ["encode", folder.path("in")], status: .failed)
    console.expectErrors("a.m4a” is older than its source, and was left alone. Use --force")
    console.expectOutput("2 files encoded, ", ", 1 existing file kept\n")
    #expect(try folder.read("in/a.m4a") == [1, 2, 3])
    let streams = ["encode", "--format", "aac", folder.path("in")]
    CapturedConsole(running: streams)
    // The source of this file has not changed, whatever the time of the file.
    setTime(1_000_000, of: "in/a.aac")
    CapturedConsole(running: streams)
    // A named input requests its output, so an existing file is an error.
    let named = CapturedConsole(
      running: ["encode", folder.path("in/b.wav")], status: .cannotWrite)
    named.expectErrors("already exists and was left alone")
  }

  @Test func decodingAFolderAgainKeepsEveryFile() throws {
    CapturedConsole(running: ["encode", folder.path("in"), "--output-folder", folder.path("aac")])
    let arguments = ["decode", folder.path("aac")]
    CapturedConsole(running: arguments)
    let again = CapturedConsole(running: arguments)
    #expect(again.output == "No files decoded, 3 existing files kept\n")
    // A WAV file that is older than the AAC file may be its source.
    try folder.write(sound, to: "aac/a.wav")
    setTime(1_000_000, of: "aac/a.wav")
    CapturedConsole(running: arguments, status: .failed)
    #expect(try folder.read("aac/a.wav") == sound)
  }
}
