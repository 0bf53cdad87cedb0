import Foundation
import SoundRigs
import TestSignals
import Testing

/// `aacorn encode`, run from a shell.
@Suite struct EncodeProcessTests {
  let folder = WorkFolder()
  let sound = Sound.music(frames: 30_000, rate: 44_100, channels: 2)

  @Test func pipeOutputEqualsFileOutput() throws {
    try folder.write(sound.wav, to: "in.wav")
    try folder.write(sound.raw, to: "in.raw")
    for format in ["aac", "latm"] {
      try folder.aacorn("encode", "-q", "in.wav", "-o", "file.\(format)")
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
        let outcome = try folder.shell(line, status: 0)
        #expect(outcome.errors.isEmpty)
        #expect(try folder.read("piped.\(format)") == folder.read("file.\(format)"), "\(line)")
        try FileManager.default.removeItem(atPath: folder.path("piped.\(format)"))
      }
    }
  }

  @Test func emptyStandardInputHasSpecificError() throws {
    for line in [
      "$AACORN encode - -o out.m4a < /dev/null", "true | $AACORN decode - -o out.wav",
      ": > empty; $AACORN decode - -o out.wav < empty",
    ] {
      try folder.shell(line, status: 1, errors: "No data arrived on standard input.")
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
    try folder.aacorn("inspect", "without.m4a")
  }

  @Test func mp4InPipeIsComplete() throws {
    try folder.write(sound.wav, to: "in.wav")
    try folder.shell("$AACORN encode -q in.wav -o - | cat > out.m4a", status: 0)
    let decoded = try Decoders.ffmpeg("out.m4a", channels: 2, in: folder)
    // A fragmented file states its delay in an edit list and in a tag. ffmpeg applies the tag.
    #expect(decoded[0].count >= sound.frameCount)
    #expect(Sound.lag(sound.channels[0], decoded[0]) == 0)
    try folder.aacorn("inspect", "out.m4a")
  }

  /// A shell that runs the tests in the background may ignore SIGINT, and children inherit that.
  @Test(arguments: [("INT", Int32(130)), ("TERM", 143)], [[], [1, 2, 3]] as [[UInt8]])
  func signalRemovesPartialOutput(signal: (String, Int32), old: [UInt8]) throws {
    if !old.isEmpty { try folder.write(old, to: "out.m4a") }
    let program = try Program.aacorn.get().path
    let arguments = ["--default-signal=INT,TERM", program, "encode", "-f", "--tone", "86400", "-o"]
    let run = try Program.find("env", package: "coreutils").start(
      arguments + ["out.m4a"], in: folder)
    #expect(
      eventually { folder.names.contains { folder.size(of: $0) > 10_000 } }, "The output grows.")
    if signal.0 == "INT" { run.interrupt() } else { run.terminate() }
    let outcome = try run.wait()
    #expect(outcome.status == signal.1 && !outcome.wasKilled)
    #expect(folder.names == (old.isEmpty ? [] : ["out.m4a"]))
    if !old.isEmpty { #expect(try folder.read("out.m4a") == old) }
  }

  @Test func closedPipeEndsEncodingQuietly() throws {
    let outcome = try folder.shell(
      "{ $AACORN encode -q --tone 600 --format aac -o -; echo $? > status; } | head -c 5000 > part")
    #expect(outcome.errors.isEmpty)
    #expect(try String(decoding: folder.read("status"), as: UTF8.self) == "141\n")
  }

  @Test func exitCodesAreThoseOfTheHelp() throws {
    try folder.write(sound.wav, to: "in.wav")
    try folder.write(Array("RIFF....WAVEnonsense".utf8), to: "bad.wav")
    let cases: [([String], Int32)] = [
      (["--help"], 0), (["encode", "in.wav", "-o", "a.m4a"], 0), (["encode", "bad.wav"], 1),
      (["inspect", "in.wav"], 1), (["encode", "--nonsense"], 2), (["nonsense"], 2),
      (["encode", "missing.wav"], 3),
      // Reading the start of this file is a device error for every user.
      (["encode", "/proc/self/mem", "-o", "c.m4a"], 3),
      (["encode", "in.wav", "-o", "no/such/folder/x.m4a"], 4),
      (["encode", "in.wav", "-o", "/dev/full"], 4),
    ]
    for (arguments, status) in cases {
      let outcome = try folder.aacorn(arguments, status: status)
      #expect(status == 0 || !outcome.errors.isEmpty, "\(arguments)")
    }
    #expect(folder.names == ["a.m4a", "bad.wav", "in.wav"])
  }
}
