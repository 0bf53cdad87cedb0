import AacornCodec
import AacornContainers
import AacornRecording
import AacornSystem
import TestSignals
import Testing

@testable import AacornCommands

@Suite struct RepairCommandTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  @Test(
    arguments: [
      [], "a b -o c", "a --in-place -o b", "a --check --in-place", "a --check -o b", "-", "a -o -",
      [""], "a --channels 9", "a --rate 5",
    ] as [Words])
  func invalidRepairArgumentsAreRejected(arguments: Words) {
    captured.aacorn(["repair"] + arguments.words, status: .usage)
  }

  /// Writes a file of ADTS frames.
  private func makeStream(_ name: String) throws -> String {
    let path = folder.path(name)
    let status = CapturedConsole().run(
      ["record", path, "--device", "tone", "--unpaced", "-d", "2", "-q"])
    #expect(status == .success)
    return path
  }

  /// Writes `a.aac`, whose last frame is cut off.
  private func makeTornStream() throws -> (path: String, bytes: [UInt8]) {
    let path = try makeStream("a.aac")
    let bytes = Array(try folder.read("a.aac").dropLast(10))
    try folder.write(bytes, to: "a.aac")
    return (path, bytes)
  }

  @Test func aTornStreamIsRepairedIntoANewFile() throws {
    let (path, bytes) = try makeTornStream()
    try folder.write("[]", to: "a.aac.gaps.json")
    captured.aacorn("repair", "--check", path, status: .failed, output: "can be saved")
    captured.aacorn("repair", path)
    captured.expectOutput("a.aac → \(folder.path("a-repaired.aac")): 0:02.0 saved")
    captured.expectOutput("a frame that is cut off")
    #expect(
      folder.names
        == ["a-repaired.aac", "a-repaired.aac.gaps.json", "a.aac", "a.aac.gaps.json"])
    #expect(try folder.read("a.aac") == bytes)
    let repaired = try folder.read("a-repaired.aac")
    #expect(bytes.starts(with: repaired) && repaired.count < bytes.count)
    captured.aacorn("inspect", folder.path("a-repaired.aac"))
    captured.aacorn("repair", path, status: .cannotWrite)
    captured.aacorn("repair", "--force", path)
  }

  @Test(arguments: [("b.aac", "ADTS"), ("b.m4a", "MP4"), ("b.latm", "LATM in LOAS"), (nil, "ADTS")])
  func cutTransportStreamIsRepaired(name: String?, container: String) throws {
    let signal = try CodedSignal(rate: 48_000)
    var writer = try ADTSWriter(configuration: signal.stream)
    var frames: [[UInt8]] = []
    for unit in signal.units {
      frames.append([])
      try writer.append(unit, to: &frames[frames.count - 1])
    }
    let stream = TransportPacker.stream(type: 0x0F, frames)
    let path = try folder.write(Array(stream.bytes.dropLast(400)), to: "a.ts")
    let output = folder.path(name ?? "a-repaired.aac")
    captured.aacorn(["repair", path] + (name == nil ? [] : ["-o", output]))
    captured.expectOutput("a.ts → \(output): ", " lost")
    CapturedConsole().aacorn("inspect", output, output: "Container    \(container)\n")
    CapturedConsole().aacorn("decode", "-q", output, "-o", folder.path("a.wav"))
    captured.aacorn("repair", "--in-place", path, status: .failed, errors: "Omit --in-place")
  }

  @Test func truncatedMovieReportStatesTheMissingDuration() throws {
    let path = try makeStream("a.m4a")
    try folder.write(Array(try folder.read("a.m4a").prefix(17_000)), to: "a.m4a")
    captured.aacorn("inspect", path, status: .failed)
    captured.expectOutput(" of 0:02.0 (", "error at the end of the file: the file ends too early\n")
    captured.expectOutput(" of 0:02.0 is missing\n")
    captured.aacorn("repair", "--check", path, status: .failed, output: " of 0:02.0 can be saved, ")
    captured.aacorn("repair", path, output: " of 0:02.0 saved, ")
    let repaired = CapturedConsole(running: ["inspect", folder.path("a-repaired.m4a")])
    #expect(!repaired.output.contains(" of 0:"))
  }

  @Test func unfinishedRecordingIsReportedByInspectAndRepair() throws {
    let signal = try CodedSignal(rate: 48_000)
    var configuration = MP4RecordingWriter.Configuration(stream: signal.stream)
    configuration.reservedByteCount = 4096
    var writer = try MP4RecordingWriter(configuration: configuration)
    var file = writer.start()
    for unit in signal.units { try writer.append(unit, to: &file) }
    writer.flush(to: &file)
    let path = try folder.write(file, to: "a.m4a")
    captured.aacorn("inspect", path)
    captured.expectOutput("note: the recording is unfinished; it can be played, and")
    captured.aacorn("repair", "--check", path, status: .failed)
    captured.expectOutput("a.m4a: unfinished recording, 0:01.")
    captured.aacorn("repair", "--in-place", path)
    let repaired = CapturedConsole(running: ["inspect", path])
    repaired.expectOutput("Faults       none")
  }

  @Test func aTornEndIsCutOffInPlace() throws {
    let (path, bytes) = try makeTornStream()
    captured.aacorn("repair", "--in-place", path)
    #expect(folder.names == ["a.aac"])
    captured.aacorn("inspect", path)
    #expect(try bytes.starts(with: folder.read("a.aac")))
  }

  @Test func irreparableFileIsReportedWithReason() throws {
    let noise = try folder.write(Array(repeating: 0x55, count: 5000), to: "noise.aac")
    let aiff = try folder.write("FORM\0\0\0\u{4}AIFF", to: "a.aiff")
    captured.aacorn("repair", noise, status: .failed)
    captured.expectErrors("cannot be recovered: no AAC frame can be recognized in it")
    captured.aacorn("repair", aiff, status: .failed, errors: "its header is damaged")
    captured.aacorn("repair", folder.path("no.aac"), status: .cannotRead)
    captured.aacorn("repair", "--json", noise, status: .failed)
    captured.expectOutput(#""status":"error","error":"bad-input""#)
    #expect(folder.names == ["a.aiff", "noise.aac"])
  }

  @Test func lengthsInTheHeaderOfWAVAreCorrected() throws {
    let whole = wavFile(frames: 100)
    var open = whole + [1]
    for offset in [4, 40] { open.replaceSubrange(offset..<offset + 4, with: [255, 255, 255, 255]) }
    let path = try folder.write(open, to: "a.wav")
    captured.aacorn("repair", "--check", path, status: .failed)
    captured.expectOutput("a.wav: 0:00.0 can be saved, 100 frames, 1 B in 1 place lost")
    captured.aacorn("repair", path)
    #expect(try folder.read("a-repaired.wav") == whole)
    #expect(try folder.read("a.wav") == open)
    captured.aacorn("repair", "--in-place", path)
    #expect(try folder.read("a.wav") == whole)
    captured.aacorn("repair", path, output: "a.wav: nothing to repair")
  }

  @Test func repairJSONListsLosses() throws {
    try captured.aacorn("repair", "--json", makeTornStream().path)
    captured.expectOutput(#""status":"repaired","sampleRate":48000,"channels":2,"#)
    captured.expectOutput(#""lostPlaces":1,"losses":[{"offset":"#)
    captured.expectOutput(#""reason":"torn-frame"}],"silentFrames":0,"tornPlaces":0}"#)
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
    captured.aacorn("repair", "--json", folder.path("a.aac"))
    captured.expectOutput(#""status":"repaired","sampleRate":48000,"channels":2,"#)
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
    captured.aacorn("inspect", path, status: .failed)
    captured.aacorn("repair", "--check", path, status: .failed, output: "replaced by silence")
    // The movie's tables are in front of the audio, so there is no room for new ones.
    captured.aacorn("repair", "--in-place", path, status: .failed)
    captured.expectErrors("cannot be completed in place")
    captured.aacorn("repair", "--json", path)
    captured.expectOutput(#""duration":2.000000"#, #""reason":"unreadable-frame""#)
    #expect(try folder.read("a.m4a") == bytes)
    let repaired = CapturedConsole()
    _ = repaired.run(["inspect", folder.path("a-repaired.m4a")])
    #expect(repaired.output.contains(" 0 errors") || repaired.output.contains("none"))
    captured.aacorn("repair", folder.path("a-repaired.m4a"), output: "nothing to repair")
  }

  /// Writes a damaged file, which can be repaired.
  private func makeDamagedFile(_ name: String) throws -> String {
    switch name {
    case "a.aac": return try makeTornStream().path
    case "a.m4a": return try makeNoisyMovie(name)
    default:
      var bytes = wavFile(frames: 100)
      for offset in [4, 40] {
        bytes.replaceSubrange(offset..<offset + 4, with: [255, 255, 255, 255])
      }
      return try folder.write(bytes, to: name)
    }
  }

  @Test(
    arguments: [
      ("a.aac", "b.mp3"), ("a.aac", "b.wav"), ("a.aac", "b.ts"), ("a.aac", "b.mov"),
      ("a.m4a", "b.AAC"), ("a.m4a", "b.latm"), ("a.m4a", "b.wav"), ("a.wav", "b.caf"),
      ("a.wav", "b.m4a"),
    ])
  func outputSuffixOfAnotherFormatIsRejected(name: String, output: String) throws {
    let path = try makeDamagedFile(name)
    captured.aacorn("repair", path, "-o", folder.path(output), status: .failed)
    captured.expectErrors("The suffix of “\(folder.path(output))” does not match any format that ")
    #expect(folder.names == [name])
  }

  @Test(
    arguments: [
      ("a.aac", "b.part"), ("a.m4a", "b.MP4"), ("a.m4a", "b.mov"), ("a.m4a", "b"),
      ("a.wav", "b.wave"), ("a.wav", "b.rf64"),
    ])
  func outputSuffixOfTheFormatOrOfNoneIsAccepted(name: String, output: String) throws {
    let path = try makeDamagedFile(name)
    captured.aacorn("repair", path, "-o", folder.path(output), output: " saved, ")
    let suffix = FileName.suffix(path)
    captured.aacorn("repair", path, "-o", folder.path("c." + suffix))
    #expect(try folder.read(output) == folder.read("c." + suffix))
  }

  @Test func fileWithRemainingErrorsIsLeftUnchanged() throws {
    // Checksums that do not match their frames.
    let path = folder.path("a.aac")
    captured.aacorn("encode", "--tone", "0.5", "--crc", "--format", "aac", "-q", "-o", path)
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
      captured.aacorn(["repair", path] + options, status: .failed)
    }
    captured.expectErrors("cannot be recovered: the repaired file would still")
    captured.expectErrors("the checksum does not match the block")
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
