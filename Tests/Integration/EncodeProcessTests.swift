import Foundation
import SoundRigs
import TestSignals
import Testing

/// `aacorn encode`, run from a shell.
@Suite struct EncodeProcessTests {
  let folder: WorkFolder
  let sound = Sound.music(frames: 30_000, rate: 44_100, channels: 2)

  init() throws {
    folder = try WorkFolder()
  }

  /// Runs a shell line in which `$AACORN` is the program.
  private func shell(_ line: String) throws -> Program.Outcome {
    let program = try Program.aacorn.get().path
    return try Program.shell().run(["-c", "AACORN='\(program)'; \(line)"], in: folder)
  }

  @Test func pipeOutputEqualsFileOutput() throws {
    try folder.write(sound.wav, to: "in.wav")
    try folder.write(sound.raw, to: "in.raw")
    for format in ["aac", "latm"] {
      #expect(try aacorn("encode", "-q", "in.wav", "-o", "file.\(format)", in: folder).status == 0)
      let lines = [
        "cat in.wav | $AACORN encode -q - -o piped.\(format)",
        "cat in.wav | $AACORN encode -q - --format \(format) -o - | cat > piped.\(format)",
        "$AACORN encode -q --raw-format s16le - --format \(format) -o - < in.raw > piped.\(format)",
        // The first 1,001 bytes end within a frame. During the pause, the program has usually read
        // them and waits for more. If not, this test covers less.
        "(head -c 1001 in.raw; sleep 0.1; tail -c +1002 in.raw) | "
          + "$AACORN encode -q --raw-format s16le - -o piped.\(format)",
      ]
      for line in lines {
        let outcome = try shell(line)
        #expect(outcome.status == 0, "\(line): \(outcome.errors)")
        #expect(outcome.errors.isEmpty)
        #expect(try folder.read("piped.\(format)") == folder.read("file.\(format)"), "\(line)")
        try FileManager.default.removeItem(atPath: folder.path("piped.\(format)"))
      }
    }
  }

  @Test func emptyStandardInputHasSpecificError() throws {
    for line in [
      "$AACORN encode - -o out.m4a < /dev/null", "$AACORN decode - -o out.wav < /dev/null",
      "true | $AACORN decode - -o out.wav", ": > empty; $AACORN decode - -o out.wav < empty",
    ] {
      let outcome = try shell(line)
      #expect(outcome.status == 1 && outcome.errors.contains("No data arrived on standard input."))
    }
  }

  @Test func theCommandLineIsKnownWithoutTheListOfProcesses() throws {
    let script =
      "mount -t tmpfs none /proc || exit 99; "
      + "'\(try Program.aacorn.get().path)' encode --tone 1 -o without.m4a"
    let outcome = try Program.find("unshare", package: "util-linux").run(
      ["-rm", "sh", "-c", script], in: folder)
    #expect(outcome.status != 99, "A tmpfs cannot be mounted here: \(outcome.errors)")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try aacorn("inspect", "without.m4a", in: folder).status == 0)
  }

  @Test func mp4InPipeIsComplete() throws {
    try folder.write(sound.wav, to: "in.wav")
    #expect(try shell("$AACORN encode -q in.wav -o - | cat > out.m4a").status == 0)
    let decoded = try Decoders.ffmpeg("out.m4a", channels: 2, in: folder)
    // A fragmented file states its delay in an edit list and in a tag. ffmpeg applies the tag.
    #expect(decoded[0].count >= sound.frameCount)
    #expect(Sound.lag(sound.channels[0], decoded[0]) == 0)
    #expect(try aacorn("inspect", "out.m4a", in: folder).status == 0)
  }

  @Test func foldersAreEncodedWithAnyNumberOfJobs() throws {
    for number in 0..<8 {
      let part = Sound.music(frames: 3000 + 4001 * number, rate: 44_100, channels: 1 + number % 2)
      try folder.write(part.wav, to: "in/\(number % 3)/\(number).wav")
    }
    for jobs in ["1", "2", "7"] {
      let outcome = try aacorn(
        "encode", "-q", "--jobs", jobs, "--output-folder", "out\(jobs)", "in", in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    for number in 0..<8 {
      let name = "\(number % 3)/\(number).m4a"
      let first = try folder.read("out1/\(name)")
      #expect(try first == folder.read("out2/\(name)"))
      #expect(try first == folder.read("out7/\(name)"))
      #expect(first.count > 200)
    }
  }

  @Test func nothingIsReplacedUnlessForced() throws {
    try folder.write(sound.wav, to: "in.wav")
    try folder.write(Array("precious".utf8), to: "in.m4a")
    let refused = try aacorn("encode", "in.wav", in: folder)
    #expect(refused.status == 4)
    #expect(refused.errors.contains("in.m4a"))
    #expect(refused.errors.contains("--force"))
    #expect(try folder.read("in.m4a") == Array("precious".utf8))
    #expect(try aacorn("encode", "-q", "--force", "in.wav", in: folder).status == 0)
    #expect(try folder.read("in.m4a").count > 1000)
    #expect(folder.names == ["in.m4a", "in.wav"])
  }

  /// Starts to encode 24 hours of audio, waits for the first output, and sends a signal.
  private func stopHalfway(signal: String) throws -> Program.Outcome {
    let program = try Program.aacorn.get().path
    // A shell that runs the tests in the background may ignore SIGINT, and children inherit that.
    let run = try Program.find("env", package: "coreutils").start(
      ["--default-signal=INT,TERM", program, "encode", "--tone", "86400", "-o", "out.m4a"],
      in: folder)
    #expect(
      eventually { folder.names.contains { folder.size(of: $0) > 10_000 } }, "The output grows.")
    if signal == "INT" { run.interrupt() } else { run.terminate() }
    return try run.wait()
  }

  @Test(arguments: [("INT", Int32(130)), ("TERM", 143)])
  func signalRemovesPartialOutput(signal: String, status: Int32) throws {
    let outcome = try stopHalfway(signal: signal)
    #expect(!outcome.wasKilled)
    #expect(outcome.status == status)
    #expect(folder.names.isEmpty)
  }

  @Test func aSignalLeavesTheOldFileWhenReplacing() throws {
    try folder.write([1, 2, 3], to: "old.m4a")
    let program = try Program.aacorn.get().path
    let run = try Program.find("env", package: "coreutils").start(
      ["--default-signal=INT", program, "encode", "-f", "--tone", "86400", "-o", "old.m4a"],
      in: folder)
    #expect(eventually { folder.names.count > 1 }, "An output file exists.")
    run.interrupt()
    #expect(try run.wait().status == 130)
    #expect(folder.names == ["old.m4a"])
    #expect(try folder.read("old.m4a") == [1, 2, 3])
  }

  @Test func closedPipeEndsEncodingQuietly() throws {
    let outcome = try shell(
      "{ $AACORN encode -q --tone 600 --format aac -o -; echo $? > status; } | head -c 5000 > part")
    #expect(outcome.errors.isEmpty)
    #expect(try String(decoding: folder.read("status"), as: UTF8.self) == "141\n")
  }

  @Test func fullDeviceReportsWriteError() throws {
    try folder.write(sound.wav, to: "in.wav")
    let outcome = try aacorn("encode", "in.wav", "-o", "/dev/full", in: folder)
    #expect(outcome.status == 4)
    #expect(outcome.errors.contains("full"))
    let piped = try shell("$AACORN encode in.wav --format aac -o - > /dev/full")
    #expect(piped.status == 4)
  }

  /// The disk is a file system of 64 kB or, where that cannot be mounted, a limit on the file size.
  @Test func fullDiskRemovesPartialOutput() throws {
    let long = Sound.music(frames: 44_100 * 12, rate: 44_100, channels: 2)
    try folder.write(long.wav, to: "in.wav")
    try FileManager.default.createDirectory(
      atPath: folder.path("disk"), withIntermediateDirectories: true)
    let mounted = try shell("mount -t tmpfs -o size=64k tmpfs disk")
    if mounted.status == 0 {
      defer { _ = try? shell("umount disk") }
      let outcome = try aacorn("encode", "in.wav", "-o", "disk/out.m4a", in: folder)
      #expect(outcome.status == 4)
      #expect(outcome.errors.contains("full"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("disk")).isEmpty)
    } else {
      let outcome = try shell("trap '' XFSZ; ulimit -f 64; $AACORN encode in.wav -o disk/out.m4a")
      #expect(outcome.status == 4, "neither mount (\(mounted.errors)) nor ulimit -f worked")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("disk")).isEmpty)
    }
  }

  @Test func exitCodesAreThoseOfTheHelp() throws {
    try folder.write(sound.wav, to: "in.wav")
    try folder.write(Array("RIFF....WAVEnonsense".utf8), to: "bad.wav")
    try folder.write([], to: "empty.wav")
    let cases: [([String], Int32)] = [
      (["encode", "in.wav", "-o", "a.m4a"], 0),
      (["encode", "bad.wav"], 1),
      (["encode", "empty.wav"], 1),
      (["encode", "in.wav", "-b", "2M", "-o", "b.m4a"], 1),
      (["encode"], 2),
      (["encode", "--nonsense"], 2),
      (["encode", "in.wav", "-o", "x.mp3"], 2),
      (["nonsense"], 2),
      (["encode", "missing.wav"], 3),
      // Reading the start of this file is a device error for every user.
      (["encode", "/proc/self/mem", "-o", "c.m4a"], 3),
      (["encode", "in.wav", "-o", "no/such/folder/x.m4a"], 4),
      (["encode", "in.wav", "missing.wav", "-f"], 1),
      (["inspect", "a.m4a"], 0),
      (["inspect", "in.wav"], 1),
      (["inspect", "missing.aac"], 3),
      (["inspect"], 2),
      (["--help"], 0),
      (["encode", "--help"], 0),
      (["--version"], 0),
    ]
    for (arguments, status) in cases {
      let outcome = try Program.aacorn.get().run(arguments, in: folder)
      #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
      // Errors are explained on standard error.
      if status >= 2 { #expect(!outcome.errors.isEmpty, "\(arguments)") }
    }
    #expect(folder.names == ["a.m4a", "bad.wav", "empty.wav", "in.m4a", "in.wav"])
  }

  @Test func unreadableInputReportsPermission() throws {
    try folder.write(sound.wav, to: "in.wav")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: folder.path("in.wav"))
    let outcome = try aacorn("encode", "in.wav", "-o", "out.m4a", in: folder)
    if geteuid() == 0 {
      // Root can read every file.
      #expect(outcome.status == 0)
    } else {
      #expect(outcome.status == 3)
      #expect(outcome.errors.contains("permission"))
      #expect(folder.names == ["in.wav"])
    }
  }

  @Test func everyLineOfJSONParses() throws {
    try folder.write(sound.wav, to: "in\"\u{1F600}\n.wav")
    try folder.write(sound.wav, to: "b.wav")
    let outcome = try aacorn(
      "encode", "--json", "in\"\u{1F600}\n.wav", "missing.wav", "b.wav", in: folder)
    #expect(outcome.status == 1)
    let objects = try outcome.text.split(separator: "\n").map { line in
      try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
    #expect(objects.compactMap { $0["input"] as? String }.count == 3)
    #expect(Set(objects.compactMap { $0["status"] as? String }) == ["ok", "error"])
    #expect(objects.compactMap { $0["error"] as? String } == ["cannot-read"])
    let made = try #require(objects.first { $0["input"] as? String == "b.wav" })
    #expect(made["samples"] as? Int == sound.frameCount)
    #expect(made["sampleRate"] as? Int == 44_100)
    #expect(made["bytes"] as? Int == (try folder.read("b.m4a").count))
    let inspected = try aacorn("inspect", "--json", "--frames", "b.m4a", in: folder)
    #expect(inspected.status == 0)
    let rows = try inspected.text.split(separator: "\n").map { line in
      try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
    let report = try #require(rows.last)
    #expect(report["type"] as? String == "report")
    #expect(report["samples"] as? Int == sound.frameCount)
    #expect(report["frames"] as? Int == rows.count - 1)
  }

  @Test func theSameCommandGivesTheSameBytes() throws {
    try folder.write(sound.wav, to: "in.wav")
    for name in ["one.m4a", "two.m4a"] {
      #expect(try aacorn("encode", "-q", "in.wav", "-o", name, in: folder).status == 0)
    }
    #expect(try folder.read("one.m4a") == folder.read("two.m4a"))
  }
}
