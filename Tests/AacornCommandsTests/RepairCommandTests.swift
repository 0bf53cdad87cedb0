import AacornCodec
import AacornContainers
import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

@Suite struct RepairCommandTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  @Test(arguments: [
    [], ["a", "b", "-o", "c"], ["a", "--in-place", "-o", "b"], ["a", "--check", "--in-place"],
    ["a", "--check", "-o", "b"], ["-"], ["a", "-o", "-"], [""], ["a", "--channels", "9"],
    ["a", "--rate", "5"],
  ])
  func invalidRepairArgumentsAreRejected(arguments: [String]) {
    #expect(captured.run(["repair"] + arguments) == .usage)
  }

  /// Writes a file of ADTS frames.
  private func makeStream(_ name: String) throws -> String {
    let path = folder.path(name)
    let status = CapturedConsole().run(
      ["record", path, "--device", "tone", "--unpaced", "-d", "2", "-q"])
    #expect(status == .success)
    return path
  }

  @Test func intactFileIsLeftUnchanged() throws {
    for name in ["a.aac", "a.m4a"] {
      let path = try makeStream(name)
      #expect(captured.run(["repair", path]) == .success)
      #expect(captured.output.contains("\(name): nothing to repair"))
    }
    #expect(folder.names == ["a.aac", "a.m4a"])
  }

  /// Without standard output, the result of a check is lost, so the command fails like `inspect`.
  @Test(arguments: [
    (["repair", "--check"], true), (["repair", "--check", "--json"], true), (["inspect"], true),
    (["repair"], false),
  ])
  func unprintableCheckResultFails(arguments: [String], isResult: Bool) throws {
    let path = try makeStream("a.aac")
    let output = TextStream { (_: [UInt8]) throws(SystemError) in throw SystemError.diskFull }
    var console = Console(
      output: output, errors: TextStream { _ in }, isLive: false, columns: 80,
      interruption: Interruption())
    console.isOutputMissing = true
    let status = RootCommand.run(arguments + [path], in: console)
    console.output.flush()
    #expect(status == .success)
    #expect(console.status(status) == (isResult ? .cannotWrite : .success))
  }

  @Test func aTornStreamIsRepairedIntoANewFile() throws {
    let path = try makeStream("a.aac")
    let bytes = Array(try folder.read("a.aac").dropLast(10))
    try folder.write(bytes, to: "a.aac")
    try folder.write("[]", to: "a.aac.gaps.json")
    #expect(captured.run(["repair", "--check", path]) == .failed)
    #expect(captured.output.contains("can be saved"))
    #expect(captured.run(["repair", path]) == .success)
    #expect(captured.output.contains("a.aac → \(folder.path("a-repaired.aac")): 0:02.0 saved"))
    #expect(captured.output.contains("a frame that is cut off"))
    #expect(
      folder.names
        == ["a-repaired.aac", "a-repaired.aac.gaps.json", "a.aac", "a.aac.gaps.json"])
    #expect(try folder.read("a.aac") == bytes)
    let repaired = try folder.read("a-repaired.aac")
    #expect(bytes.starts(with: repaired) && repaired.count < bytes.count)
    #expect(captured.run(["inspect", folder.path("a-repaired.aac")]) == .success)
    #expect(captured.run(["repair", path]) == .cannotWrite)
    #expect(captured.run(["repair", "--force", path]) == .success)
  }

  @Test func truncatedMovieReportStatesTheMissingDuration() throws {
    let path = try makeStream("a.m4a")
    try folder.write(Array(try folder.read("a.m4a").prefix(17_000)), to: "a.m4a")
    #expect(captured.run(["inspect", path]) == .failed)
    #expect(captured.output.contains(" of 0:02.0 ("))
    #expect(captured.output.contains("error at the end of the file: the file ends too early\n"))
    #expect(captured.output.contains(" of 0:02.0 is missing\n"))
    #expect(captured.run(["repair", "--check", path]) == .failed)
    #expect(captured.output.contains(" of 0:02.0 can be saved, "))
    #expect(captured.run(["repair", path]) == .success)
    #expect(captured.output.contains(" of 0:02.0 saved, "))
    let repaired = CapturedConsole(running: ["inspect", folder.path("a-repaired.m4a")])
    #expect(!repaired.output.contains(" of 0:"))
  }

  @Test func unfinishedRecordingIsReportedByInspectAndRepair() throws {
    var encoder = try AACEncoder(.init(sampleRate: 48_000, channelCount: 1))
    encoder.encode(interleaved: [Float](repeating: 0.1, count: 48_000).span)
    _ = encoder.finish()
    var configuration = MP4RecordingWriter.Configuration(stream: encoder.audioSpecificConfig)
    configuration.reservedByteCount = 4096
    var writer = try MP4RecordingWriter(configuration: configuration)
    var file = writer.start()
    while let unit = encoder.nextAccessUnit() { try writer.append(unit, to: &file) }
    writer.flush(to: &file)
    let path = try folder.write(file, to: "a.m4a")
    #expect(captured.run(["inspect", path]) == .success)
    #expect(captured.output.contains("note: the recording is unfinished; it can be played, and"))
    #expect(captured.run(["repair", "--check", path]) == .failed)
    #expect(captured.output.contains("a.m4a: unfinished recording, 0:01."))
    #expect(captured.run(["repair", "--in-place", path]) == .success)
    let repaired = CapturedConsole(running: ["inspect", path])
    #expect(repaired.output.contains("Faults       none"))
  }

  @Test func aTornEndIsCutOffInPlace() throws {
    let path = try makeStream("a.aac")
    let bytes = Array(try folder.read("a.aac").dropLast(10))
    try folder.write(bytes, to: "a.aac")
    #expect(captured.run(["repair", "--in-place", path]) == .success)
    #expect(folder.names == ["a.aac"])
    #expect(captured.run(["inspect", path]) == .success)
    #expect(try bytes.starts(with: folder.read("a.aac")))
  }

  @Test func theDamagedFileIsNeverTheOutput() throws {
    let path = try makeStream("a.aac")
    let bytes = Array(try folder.read("a.aac").dropLast(10))
    try folder.write(bytes, to: "a.aac")
    #expect(
      captured.run(["repair", "--force", path, "-o", folder.path("./a.aac")]) == .cannotWrite)
    #expect(captured.errors.contains("is the damaged file itself"))
    #expect(try folder.read("a.aac") == bytes)
  }

  @Test func irreparableFileIsReportedWithReason() throws {
    let noise = try folder.write(Array(repeating: 0x55, count: 5000), to: "noise.aac")
    let aiff = try folder.write("FORM\0\0\0\u{4}AIFF", to: "a.aiff")
    #expect(captured.run(["repair", noise]) == .failed)
    #expect(captured.errors.contains("cannot be recovered: no AAC frame can be recognized in it"))
    #expect(captured.run(["repair", aiff]) == .failed)
    #expect(captured.errors.contains("its header is damaged"))
    #expect(captured.run(["repair", folder.path("no.aac")]) == .cannotRead)
    #expect(captured.run(["repair", "--json", noise]) == .failed)
    #expect(captured.output.contains("\"status\":\"error\",\"error\":\"bad-input\""))
    #expect(folder.names == ["a.aiff", "noise.aac"])
  }

  @Test func lengthsInTheHeaderOfWAVAreCorrected() throws {
    let whole = wavFile(frames: 100)
    var open = whole + [1]
    for offset in [4, 40] { open.replaceSubrange(offset..<offset + 4, with: [255, 255, 255, 255]) }
    let path = try folder.write(open, to: "a.wav")
    #expect(captured.run(["repair", "--check", path]) == .failed)
    #expect(
      captured.output.contains("a.wav: 0:00.0 can be saved, 100 frames, 1 B in 1 place lost"))
    #expect(captured.run(["repair", path]) == .success)
    #expect(try folder.read("a-repaired.wav") == whole)
    #expect(try folder.read("a.wav") == open)
    #expect(captured.run(["repair", "--in-place", path]) == .success)
    #expect(try folder.read("a.wav") == whole)
    #expect(captured.run(["repair", path]) == .success)
    #expect(captured.output.contains("a.wav: nothing to repair"))
  }

  @Test func repairJSONListsLosses() throws {
    let path = try makeStream("a.aac")
    let bytes = Array(try folder.read("a.aac").dropLast(10))
    try folder.write(bytes, to: "a.aac")
    #expect(captured.run(["repair", "--json", path]) == .success)
    #expect(
      captured.output.contains("\"status\":\"repaired\",\"sampleRate\":48000,\"channels\":2,"))
    #expect(captured.output.contains("\"lostPlaces\":1,\"losses\":[{\"offset\":"))
    #expect(
      captured.output.contains("\"reason\":\"torn-frame\"}],\"silentFrames\":0,\"tornPlaces\":0}"))
  }

  /// ADTS cannot state the profile; only the frames show it.
  @Test(arguments: [("he", 48), ("he2", 32)])
  func repairJSONContainsOutputFormatOfHEAAC(profile: String, bitrate: Int) throws {
    let status = captured.run([
      "record", folder.path("a.aac"), "--device", "tone", "--unpaced", "-d", "2", "-q", "--profile",
      profile, "-b", "\(bitrate)k",
    ])
    #expect(status == .success, "\(captured.errors)")
    try folder.write(Array(try folder.read("a.aac").dropLast(10)), to: "a.aac")
    #expect(captured.run(["repair", "--json", folder.path("a.aac")]) == .success)
    #expect(
      captured.output.contains("\"status\":\"repaired\",\"sampleRate\":48000,\"channels\":2,"),
      "\(captured.output)")
  }

  /// A movie with noise in the middle of its audio.
  private func makeNoisyMovie(_ name: String) throws -> String {
    let path = try makeStream(name)
    var bytes = try folder.read(name)
    for index in bytes.count / 2..<bytes.count / 2 + 3000 { bytes[index] ^= 0x5A }
    try folder.write(bytes, to: name)
    return path
  }

  @Test func noiseInAMovieIsFoundAndBecomesSilence() throws {
    let path = try makeNoisyMovie("a.m4a")
    let bytes = try folder.read("a.m4a")
    #expect(captured.run(["inspect", path]) == .failed)
    #expect(captured.run(["repair", "--check", path]) == .failed)
    #expect(captured.output.contains("replaced by silence"))
    // The movie's tables are in front of the audio, so there is no room for new ones.
    #expect(captured.run(["repair", "--in-place", path]) == .failed)
    #expect(captured.errors.contains("cannot be completed in place"))
    #expect(captured.run(["repair", "--json", path]) == .success)
    #expect(captured.output.contains("\"duration\":2.000000"))
    #expect(captured.output.contains("\"reason\":\"unreadable-frame\""))
    #expect(try folder.read("a.m4a") == bytes)
    let repaired = CapturedConsole()
    _ = repaired.run(["inspect", folder.path("a-repaired.m4a")])
    #expect(repaired.output.contains(" 0 errors") || repaired.output.contains("none"))
    #expect(captured.run(["repair", folder.path("a-repaired.m4a")]) == .success)
    #expect(captured.output.contains("nothing to repair"))
  }

  @Test func fileWithRemainingErrorsIsLeftUnchanged() throws {
    // Checksums that do not match their frames.
    let path = folder.path("a.aac")
    #expect(
      captured.run(["encode", "--tone", "0.5", "--crc", "--format", "aac", "-q", "-o", path])
        == .success)
    var bytes = try folder.read("a.aac")
    var offset = 0
    while offset < bytes.count {
      bytes[offset + 7] ^= 0x55
      offset +=
        Int(bytes[offset + 3] & 3) << 11 | Int(bytes[offset + 4]) << 3
        | Int(bytes[offset + 5] >> 5)
    }
    try folder.write(bytes, to: "a.aac")
    for options in [[], ["--check"], ["--in-place"]] {
      #expect(captured.run(["repair", path] + options) == .failed)
    }
    #expect(captured.errors.contains("cannot be recovered: the repaired file would still"))
    #expect(captured.errors.contains("the checksum does not match the block"))
    #expect(folder.names == ["a.aac"])
    #expect(try folder.read("a.aac") == bytes)
  }

  @Test func theNewNameKeepsTheSuffix() {
    #expect(RepairedName.of("a/b.m4a") == "a/b-repaired.m4a")
    #expect(RepairedName.of("a.b/c") == "a.b/c-repaired")
    #expect(RepairedName.of("TALK.AAC") == "TALK-repaired.AAC")
    let long = String(repeating: "y", count: 251)
    #expect(RepairedName.of("a/\(long).m4a") == "a/\(long.dropLast(9))-repaired.m4a")
  }
}
