import Foundation
import Testing

/// `aacorn record` as a shell and the system treat it.
@Suite(.serialized) struct RecordProcessTests {
  let folder: WorkFolder

  init() throws {
    folder = try WorkFolder()
  }

  private func record(_ arguments: String...) throws -> Program.Run {
    try Program.aacorn.get().start(["record", "--json"] + arguments, in: folder)
  }

  private func seconds(_ name: String) throws -> Double {
    let facts = try Decoders.probe(name, in: folder)
    return Double(facts["duration"] ?? "") ?? 0
  }

  /// Seconds of sound that ffmpeg gets out of a file, whatever its tables say.
  private func decodedSeconds(_ name: String) throws -> Double {
    let outcome = try Program.ffmpeg().run(
      ["-nostdin", "-v", "error", "-i", name, "-f", "s16le", "-ac", "1", "-ar", "8000", "-"],
      in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return Double(outcome.output.count) / 16_000
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func askingForTheEndCompletesTheFile(signal: Int32) throws {
    let run = try record("--device", "tone", "-o", "a.m4a")
    #expect(run.waitFor("\"started\""))
    // A second of 96 kb/s.
    #expect(folder.waitForGrowth(of: "a.m4a", by: 12_000), "Sound is written.")
    run.signal(signal)
    let outcome = try run.wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try seconds("a.m4a") > 0.6)
    #expect(try aacorn("inspect", "a.m4a", in: folder).status == 0)
  }

  @Test func stoppingAtOnceLeavesAPlayableFileOrNone() throws {
    for delay in [0, 1000, 5000, 20_000, 40_000] as [UInt32] {
      let run = try record("--device", "tone", "--force", "-o", "a.m4a")
      #expect(run.waitFor("\"opened\""))
      // Moments by choice, of which any may be the wrong one.
      usleep(delay)
      run.interrupt()
      let outcome = try run.wait()
      #expect([0, 3, 130].contains(outcome.status), "\(outcome.errors)")
      if folder.names.contains("a.m4a") {
        #expect(try aacorn("inspect", "a.m4a", in: folder).status == 0)
        #expect(try seconds("a.m4a") > 0)
      }
    }
  }

  @Test func hangingUpBeginsANewFile() throws {
    let run = try record("--device", "counter", "--rate", "48000", "-o", "a.wav")
    #expect(run.waitFor("\"started\""))
    #expect(folder.waitForGrowth(of: "a.wav", by: 40_000), "Sound is written.")
    run.signal(SIGHUP)
    #expect(run.waitFor("a-002.wav"))
    #expect(folder.waitForGrowth(of: "a-002.wav", by: 40_000), "Sound is written.")
    run.signal(SIGTERM)
    #expect(try run.wait().status == 0)
    #expect(folder.names == ["a-002.wav", "a.wav"])
    // One after the other they are the recording to the sample.
    let second = try folder.read("a-002.wav")
    let joined = try folder.read("a.wav") + second[Recorded.dataOffset(of: second)...]
    let recorded = try Recorded(wav: joined, events: "", rate: 48_000, channels: 2)
    #expect(recorded.stretches.count == 1)
    #expect(recorded.stretches.first?.count == recorded.frameCount)
  }

  /// A kill costs at most a second, and the file plays without repair.
  ///
  /// The second is that of a machine on which programs run when they want to and disks take what
  /// they are given. Where other things are going on a stall of either costs more, of all that run
  /// then; so every file is looked into, but the time is that of three kills in four.
  @Test func aHundredKillsLeaveAHundredPlayableFiles() throws {
    var random = SeededNoise(state: 7)
    var losses: [Double] = []
    for batch in 0..<10 {
      var runs: [(run: Program.Run, name: String, sound: Range<Double>)] = []
      for index in 0..<10 {
        let name = "k\(batch)-\(index).m4a"
        // Ten at a time, so each of them is to be light.
        let run = try Program.aacorn.get().start(
          [
            "record", "--json", "--device", "tone", "--rate", "16000", "--channels", "1", "-b",
            "24k", "--effort", "fast", "-o", name,
          ], in: folder)
        runs.append((run, name, 0..<0))
      }
      for index in runs.indices {
        #expect(runs[index].run.waitFor("\"started\""))
      }
      // Beyond the second that may be missing.
      for entry in runs {
        #expect(folder.waitForGrowth(of: entry.name, by: 3750), "\(entry.name) grows.")
      }
      for index in runs.indices {
        // Moments by chance, of which any may be the wrong one.
        usleep(UInt32.random(in: 0...150_000, using: &random))
        let run = runs[index].run
        let before = Self.secondsSinceStart(of: run.outputSoFar)
        run.signal(SIGKILL)
        runs[index].sound = before..<Self.secondsSinceStart(of: run.outputSoFar)
      }
      for entry in runs {
        _ = try entry.run.wait()
        let kept = try decodedSeconds(entry.name)
        // What was seen in the file before the kill is there, and nothing that was never heard.
        #expect(kept > 1 && kept < entry.sound.upperBound + 0.1, "\(kept) s of \(entry.sound) s")
        losses.append(entry.sound.lowerBound - kept)
      }
    }
    #expect(losses.count == 100)
    #expect(losses.count { $0 < 1 } >= 75, "\(losses.sorted())")
  }

  /// How long ago the first sample was, by the event that told of it.
  private static func secondsSinceStart(of events: String) -> Double {
    struct Event: Decodable {
      var event: String
      var time: String
    }
    for line in events.split(separator: "\n") {
      guard let event = try? JSONDecoder().decode(Event.self, from: Data(line.utf8)),
        event.event == "started"
      else { continue }
      let formatter = ISO8601DateFormatter()
      formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
      return formatter.date(from: event.time).map { Date().timeIntervalSince($0) } ?? 0
    }
    return 0
  }

  @Test(arguments: ["a.m4a", "a.aac", "a.wav"])
  func aFullDiskEndsTheRecordingAndKeepsWhatFitted(name: String) throws {
    let disk = folder.path("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let program = try Program.aacorn.get().path
    // A file system of its own for the time of the recording: 300 kB.
    let script =
      "mount -t tmpfs -o size=300k none '\(disk)' || exit 99; "
      + "'\(program)' record --device tone --unpaced -d 10m -o '\(disk)/\(name)'; status=$?; "
      + "cp '\(disk)/'* .; exit $status"
    let outcome = try Program.find("unshare", package: "util-linux").run(
      ["-rm", "sh", "-c", script], in: folder)
    #expect(outcome.status != 99, "This machine lets no one mount a tmpfs: \(outcome.errors)")
    #expect(outcome.status == 5, "\(outcome.errors)")
    #expect(outcome.errors.contains("full"))
    if name.hasSuffix("wav") {
      #expect(try folder.read(name).count > 250_000)
    } else {
      #expect(try decodedSeconds(name) > 15)
      #expect(try aacorn("inspect", name, in: folder).status == 0)
    }
  }

  @Test func aDayOfRecordingTakesNoMoreMemoryThanAnHour() throws {
    let run = try Program.aacorn.get().start(
      [
        "record", "--device", "silence", "--unpaced", "--rate", "8000", "--channels", "1",
        "-b", "16k", "--effort", "fast", "--no-sync", "-d", "24h", "-o", "day.aac",
      ], in: folder)
    var peaks: [Int] = []
    let deadline = Date() + 600
    while run.isRunning && Date() < deadline {
      usleep(100_000)
      if let peak = Self.residentKilobytes(of: run.identifier) { peaks.append(peak) }
    }
    #expect(try run.wait(seconds: 120).status == 0)
    #expect(try folder.read("day.aac").count > 10_000_000)
    let early = try #require(peaks.dropFirst(peaks.count / 10).first)
    let late = try #require(peaks.last)
    #expect(late < 24_000)
    #expect(late - early < 2000, "\(early) kB became \(late) kB")
  }

  private static func residentKilobytes(of process: Int32) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix("VmHWM:") {
      return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    }
    return nil
  }

  @Test func whatIsRecordedAsAACIsAlignedToTheSample() throws {
    let sound = Sound.music(frames: 100_000, rate: 44_100, channels: 2)
    try folder.write(sound.wav, to: "in.wav")
    let outcome = try aacorn(
      "record", "--device", "file:in.wav", "--unpaced", "-b", "192k", "-o", "a.m4a", in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let decoded = try Decoders.ffmpeg("a.m4a", channels: 2, in: folder)
    #expect(Sound.lag(sound.channels[0], decoded[0]) == 0)
    #expect(Sound.signalToNoise(sound.channels[0][...], decoded[0][..<100_000]) > 10)
  }

  @Test func thePipeCarriesWhatTheFileCarries() throws {
    let outcome = try aacorn(
      "record", "--device", "tone", "--unpaced", "-d", "3", "-o", "-", in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try aacorn(
        "record", "--device", "tone", "--unpaced", "-d", "3", "-o", "b.aac", in: folder
      ).status == 0)
    #expect([UInt8](outcome.output) == (try folder.read("b.aac")))
  }

  /// What programs find on a machine without sound.
  private var silentMachine: [String: String] {
    [
      "PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
      "PULSE_SERVER": "unix:\(folder.path("none"))", "ALSA_CONFIG_PATH": "/dev/null",
    ]
  }

  @Test func withoutAMicrophoneASentenceSaysWhatWasTried() throws {
    let run = try Program.aacorn.get().start(
      ["record", "-o", "a.m4a"], in: folder, environment: silentMachine)
    let outcome = try run.wait()
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("No microphone was found."))
    #expect(outcome.errors.contains("PulseAudio"))
    #expect(outcome.errors.contains("ALSA"))
    #expect(outcome.errors.contains("--device tone"))
    #expect(!folder.names.contains("a.m4a"))
  }

  @Test func withoutDevicesEverySystemSaysWhy() throws {
    let run = try Program.aacorn.get().start(["devices"], in: folder, environment: silentMachine)
    let outcome = try run.wait()
    #expect(outcome.status == 3)
    #expect(outcome.errors.split(separator: "\n").count == 3)
    #expect(outcome.text.contains("Built in"))
  }
}
