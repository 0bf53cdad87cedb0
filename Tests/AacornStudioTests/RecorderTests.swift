import AacornCodec
import AacornContainers
import AacornDevices
import AacornInspection
import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem
import DeviceRigs
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornStudio

extension RecorderSuites {
  @Suite("Recording in the studio") struct RecorderTests {
    init() { RiggedSystem.reset(["mic", "line"]) }

    @Test func aRecordingIsWhatTheAnswerSays() throws {
      let rig = try RecorderRig()
      #expect(rig.phase == "idle" && rig.state["recording"] is NSNull)
      let start = System.seconds
      let begun = try rig.post(
        "record",
        [
          ("device", "tone"), ("bitrate", "96000"), ("title", "A \"title\""), ("name", "../evil/x"),
        ])
      #expect(begun.status == 200, "\(begun.text)")
      #expect(begun.name.hasSuffix(".m4a") && !begun.name.contains("/"))
      #expect(rig.phase == "recording" && rig.recorder.isRecording)
      let recording = try #require(rig.recording)
      #expect(recording["name"] as? String == begun.name)
      #expect(recording["bitrate"] as? Int == 96_000 && recording["format"] as? String == "m4a")
      #expect((recording["device"] as? [String: Any])?["id"] as? String == "tone")
      #expect(rig.waitForSound(1))
      #expect(try rig.post("record", [("device", "tone")]).status == 409)

      let ended = try rig.post("stop")
      #expect(ended.status == 200 && ended.name == begun.name)
      let bytes = rig.bytes(begun.name)
      #expect(ended.json["bytes"] as? Int == bytes.count && ended.json["gapCount"] as? Int == 0)
      let seconds = try #require(ended.json["seconds"] as? Double)
      #expect(seconds >= 1 && seconds < System.seconds - start + 1)
      #expect(abs(try movieSeconds(bytes) - seconds) < 0.0006)
      #expect(rig.phase == "idle" && rig.files == [begun.name])
      let last = try #require(rig.state["last"] as? [String: Any])
      #expect(last["name"] as? String == begun.name)
      // The bitrate of the audio alone, as the library lists it.
      let bitrate = try #require(last["bitrate"] as? Int)
      #expect(abs(bitrate - 96_000) < 5000 && bitrate < bytes.count * 8)
      #expect((-40..<0) ~= (last["loudness"] as? Double ?? 0))
      #expect(rig.recorder.lastRecording?.byteCount == bytes.count && !rig.recorder.isRecording)
      #expect(try rig.post("stop").status == 409)
      // The next page shows the settings of this recording.
      let settings = rig.settings
      #expect(settings["bitrate"] as? Int == 96_000 && settings["device"] as? String == "tone")
      #expect(settings["title"] as? String == "A \"title\"")
    }

    @Test func theProfileIsWhatWasAskedFor() throws {
      let rig = try RecorderRig()
      for (word, profile, bitrate, length) in [
        ("he", "he", "48000", 2048), ("auto", "he", "48000", 2048), ("lc", "lc", "48000", 1024),
        ("he2", "he2", "32000", 2048),
      ] {
        let fields = [
          ("device", "tone"), ("sampleRate", "48000"), ("bitrate", bitrate), ("profile", word),
        ]
        let begun = try rig.post("record", fields)
        #expect(begun.status == 200, "\(begun.text)")
        let recording = try #require(rig.recording)
        #expect(recording["profile"] as? String == profile && recording["channels"] as? Int == 2)
        #expect(recording["samplesPerFrame"] as? Int == length)
        #expect(rig.settings["profile"] as? String == word)
        #expect(rig.waitForSound(0.3))
        #expect(try rig.post("stop").status == 200)
        let track = try #require(MP4Reader(file: rig.bytes(begun.name)).track)
        #expect(track.channelCount == 2 && track.stream.hasParametricStereo == (word == "he2"))
      }
    }

    /// A page that connects after the response does not receive an older state.
    @Test func stateIsSentBeforeResponse() throws {
      let rig = try RecorderRig()
      for _ in 0..<5 {
        #expect(try rig.post("record", [("device", "tone")]).status == 200)
        #expect(try RecorderPage(rig).next("state")["phase"] as? String == "recording")
        #expect(rig.waitForSound(0.05))
        #expect(try rig.post("stop").status == 200)
        #expect(try RecorderPage(rig).next("state")["phase"] as? String == "idle")
      }
    }

    /// The response reports the error; pages get no second message.
    @Test func aFileThatCannotBeMadeIsNamedOnce() throws {
      let rig = try RecorderRig()
      // A file blocks the path, so that the studio cannot recreate the folder.
      try FileManager.default.removeItem(atPath: rig.folder.path)
      #expect(FileManager.default.createFile(atPath: rig.folder.path, contents: nil))
      let answer = try rig.post(
        "record", [("device", "tone"), ("name", "talk"), ("output", "hls")])
      #expect(answer.status == 503 && rig.phase == "idle" && rig.state["recording"] is NSNull)
      #expect(answer.error.hasPrefix("“talk.m4a” cannot be written to the studio's folder."))
      #expect(rig.messages == [])
      #expect(try rig.get("/hls/live.m3u8").status == 404)
    }

    @Test(arguments: ["aac", "wav", "caf"]) func everyFormatIsRecorded(_ format: String) throws {
      let rig = try RecorderRig()
      let begun = try rig.post("record", [("device", "speech"), ("format", format)])
      #expect(begun.status == 200 && begun.name.hasSuffix("." + format), "\(begun.text)")
      #expect(rig.waitForSound(0.5))
      let ended = try rig.post("stop")
      let bytes = rig.bytes(begun.name)
      #expect(ended.json["bytes"] as? Int == bytes.count && bytes.count > 1000)
      let seconds = try #require(ended.json["seconds"] as? Double)
      if format == "aac" {
        #expect(try soundReport(bytes).frameCount > 20)
      } else {
        // 16 bits, two channels, 48 kHz, plus a header.
        let sound = bytes.count - Int((seconds * 192_000).rounded())
        #expect(sound > 0 && sound < 5000)
      }
    }

    @Test func silentDeviceIsShownAndReportedAtTheEnd() throws {
      let rig = try RecorderRig()
      let page = try RecorderPage(rig)
      try rig.post("record", [("device", "silence")])
      let state = try page.next("state") {
        ($0["recording"] as? [String: Any])?["isSilent"] as? Bool == true
      }
      #expect(state["phase"] as? String == "recording")
      let ended = try rig.post("stop").json
      #expect(ended["isSilent"] as? Bool == true && ended["loudness"] is NSNull)
    }

    @Test func aPauseIsLeftOutAndMutedSoundIsSilence() throws {
      let rig = try RecorderRig([RiggedSystem.self])
      let page = try RecorderPage(rig)
      let begun = System.seconds
      let name = try rig.post("record", [("format", "wav")]).name
      let started = System.seconds
      #expect(rig.waitForSound(0.3))
      #expect(try rig.post("mute", [("muted", "true")]).status == 200)
      _ = try page.next("meter") { event in
        (event["peaks"] as? [Double]) == [0, 0] && (event["columns"] as? String)?.isEmpty == false
      }
      #expect(rig.state["isMuted"] as? Bool == true)
      try rig.post("mute", [("muted", "false")])
      let pausing = System.seconds
      try rig.post("pause")
      _ = try page.next("state") { $0["phase"] as? String == "paused" }
      let start = System.seconds
      System.sleep(milliseconds: 1500)
      let minPause = System.seconds - start
      try rig.post("resume")
      _ = try page.next("state") { $0["phase"] as? String == "recording" }
      let maxPause = System.seconds - pausing
      #expect(rig.waitForSound(0.6))
      // The pause is in the ledger, but the meter still counts no gap.
      #expect(
        eventually { rig.recorder.active.withLock { $0?.session.takeStatus().gapCount } == 1 })
      let status = try #require(rig.recorder.active.withLock { $0?.session.takeStatus() })
      #expect(status.gapCount == 1 && status.filledGapCount == 0)
      let known = Double(status.sampleCount) / 48_000
      let meter = try page.next("meter") { ($0["seconds"] as? Double ?? 0) > known }
      #expect(meter["gapCount"] as? Int == 0)
      let stopping = System.seconds
      let ended = try rig.post("stop")
      let seconds = try #require(ended.json["seconds"] as? Double)
      let passed = System.seconds - begun
      #expect(ended.json["gapCount"] as? Int == 0)
      let samples = rig.bytes(name)
      #expect(Double(samples.count) / 192_000 < seconds + 0.1)
      // The recording is shorter than the elapsed time by the pause. A block of the device takes less than 0.1 s.
      #expect(seconds > stopping - started - maxPause - 0.1)
      #expect(seconds < passed - minPause)
      let state = try page.next("state") { $0["phase"] as? String == "idle" }
      #expect((state["last"] as? [String: Any])?["name"] as? String == name)
      #expect(state["isMuted"] as? Bool == false)
      // Muted audio is a run of zeros.
      let data = samples.suffix(Int(seconds * 192_000))
      #expect(data.contains { $0 != 0 })
      var zeros = 0
      var longest = 0
      for byte in data {
        zeros = byte == 0 ? zeros + 1 : 0
        longest = max(longest, zeros)
      }
      #expect(longest > 1920)
    }

    @Test func invalidSettingsAreRejected() throws {
      let rig = try RecorderRig([RiggedSystem.self])
      let choices: [([(String, String)], String)] = [
        ([("device", "tone"), ("bitrate", "700000")], "out of range"),
        ([("device", "tone"), ("bitrate", "many")], "takes a number"),
        ([("device", "tone"), ("sampleRate", "48001")], "does not support a sampling rate"),
        ([("device", "tone"), ("channels", "7")], "channels"),
        ([("device", "tone"), ("format", "mp3")], "“format”"),
        ([("device", "tone"), ("quality", "9"), ("mode", "vbr")], "“quality”"),
        ([("device", "tone"), ("gain", "99")], "decibels"),
        ([("device", "tone"), ("voice", "true")], "voice processing"),
        ([("device", "tone"), ("voice", "perhaps")], "“voice”"),
        ([("device", "tone"), ("title", String(repeating: "ü", count: 1001))], "“title”"),
        ([("device", "absent")], "no device “absent”"),
        ([("device", "file:/etc/passwd")], "no device"),
        ([("device", "file:/etc/passwd"), ("backend", "synthetic")], "no device"),
        ([("backend", "alsa")], "does not exist"),
        ([("device", "tone"), ("profile", "hev3")], "“profile”"),
        (
          [("device", "tone"), ("profile", "he2"), ("bitrate", "32000"), ("channels", "1")],
          "HE-AAC v2 is for 2 channels, not 1. Choose HE-AAC for mono."
        ),
        ([("device", "tone"), ("output", "gopher://x:secret-word@y/z")], "An output is"),
        ([("device", "tone"), ("output", "icecast://source:secret-word@host")], "mount"),
        ([("device", "tone"), ("output", "rtmp://host/only-secret-word")], "stream key"),
        ([("device", "tone"), ("output", "hls"), ("output", "hls")], "only once"),
        ([("device", "tone"), ("output", "hls"), ("format", "wav")], "outputs need AAC"),
      ]
      for (fields, words) in choices {
        let answer = try rig.post("record", fields)
        #expect(answer.status == 400, "\(fields): \(answer.text)")
        #expect(answer.error.contains(words), "\(fields): \(answer.error)")
        #expect(!answer.text.contains("secret-word") && !answer.error.contains("--"))
      }
      #expect(rig.files.isEmpty && rig.phase == "idle")
      #expect(!(try rig.get("/api/state").text.contains("secret-word")))
    }

    @Test func unopenableDeviceYieldsMessage() throws {
      let rig = try RecorderRig([RiggedSystem.self])
      RiggedSystem.state.withLock { $0.sourceError = .deviceBusy(id: "mic") }
      let busy = try rig.post("record")
      #expect(busy.status == 503 && busy.error.contains("in use by another program"))
      #expect(rig.files.isEmpty && rig.phase == "idle")
      let none = try RecorderRig()
      let absent = try none.post("record")
      #expect(absent.status == 503, "\(absent.text)")
      #expect(none.files.isEmpty)
    }

    @Test func methodsAndPathsAreWhatTheyAre() throws {
      let rig = try RecorderRig()
      #expect(try rig.get("/api/record").status == 405)
      #expect(try studioAnswer(port: rig.server.port, "/api/state", method: "DELETE").status == 405)
      #expect(try rig.get("/api/other").status == 404)
      #expect(try rig.get("/hls/live.m3u8").status == 404)
      for command in ["stop", "pause", "resume"] { #expect(try rig.post(command).status == 409) }
      #expect(try rig.post("mute", [("muted", "true")]).status == 409)
      #expect(try rig.post("mute").status == 400)
      #expect(try rig.post("device", [("device", "tone")]).status == 409)
      let text = try studioAnswer(
        port: rig.server.port, "/api/record", method: "POST", headers: ["Content-Type: text/plain"],
        body: Array("device=tone".utf8))
      #expect(text.status == 400 && rig.phase == "idle")
    }

    @Test func theEndOfTheStudioIsTheEndOfTheRecording() throws {
      let rig = try RecorderRig()
      let name = try rig.post("record", [("device", "tone")]).name
      #expect(rig.waitForSound(0.7))
      rig.recorder.stop()
      let seconds = try movieSeconds(rig.bytes(name))
      #expect(seconds >= 0.7 && rig.recorder.lastRecording?.name == name)
      let duration = rig.recorder.lastRecording?.duration ?? .zero
      #expect(abs(seconds - duration / .seconds(1)) < 0.0006)
      rig.recorder.stop()
      #expect(try rig.post("record", [("device", "tone")]).status == 503)
    }

    @Test func recordingPausedBeforeAudioReportsThePause() throws {
      RiggedSystem.state.withLock { $0.hold = 0 }
      let rig = try RecorderRig([RiggedSystem.self])
      #expect(try rig.post("record", [("device", "mic")]).status == 200)
      try rig.post("pause")
      #expect(eventually { rig.phase == "paused" })
      RiggedSystem.state.withLock { $0.hold = nil }
      let ended = try rig.post("stop")
      #expect(ended.status == 503)
      #expect(
        ended.error
          == "Nothing was recorded: the recording was paused or stopped before any audio arrived.")
    }

    @Test func recordingContinuesWithOtherDevice() throws {
      let rig = try RecorderRig([RiggedSystem.self])
      let name = try rig.post("record", [("device", "mic")]).name
      #expect(rig.waitForSound(0.3))
      #expect(try rig.post("device", [("device", "absent")]).status == 400)
      #expect(try rig.post("device", [("device", "line")]).status == 200)
      #expect(
        eventually { (rig.recording?["device"] as? [String: Any])?["id"] as? String == "line" })
      #expect(rig.recording?["name"] as? String == name)
      #expect(rig.messages.contains { $0.contains("Microphone line") })
      #expect(try rig.post("stop").status == 200)
    }

    @Test func gapsShowAsTheyHappen() throws {
      RiggedSystem.reset(
        ["mic"], faults: SyntheticFaults([.at(14_400, .loss(frameCount: 4800, cause: .overrun))]))
      let rig = try RecorderRig([RiggedSystem.self])
      let page = try RecorderPage(rig)
      try rig.post("record")
      let state = try page.next("state") { event in
        (event["recording"] as? [String: Any])?["gapCount"] as? Int == 1
      }
      let recording = try #require(state["recording"] as? [String: Any])
      #expect(recording["filledSeconds"] as? Double == 0.1)
      let gap = try #require((recording["gaps"] as? [[String: Any]])?.first)
      #expect(gap["cause"] as? String == "overrun" && gap["position"] as? Double == 0.3)
      #expect(gap["length"] as? Double == 0.1)
      #expect((gap["words"] as? String)?.contains("100 ms of audio is missing") == true)
      let time = try #require(gap["at"] as? Double)
      #expect(abs(time / 1000 - Double(System.wallNanoseconds) / 1e9) < 1)
      #expect(try rig.post("stop").json["gapCount"] as? Int == 1)
    }

    @Test func lostDeviceIsShownAndRecordingIsKept() throws {
      RiggedSystem.reset(
        ["mic"],
        faults: SyntheticFaults([.at(24_000, .absence(for: .milliseconds(1500)))]))
      // A page receives the latest state, not each change, so the device returns only after the
      // page has shown its absence.
      RiggedSystem.state.withLock { $0.hold = 24_000 }
      let incidents = Lock<[String]>([])
      let rig = try RecorderRig([RiggedSystem.self]) { incident in
        incidents.withLock { $0.append(incident) }
      }
      let page = try RecorderPage(rig)
      let name = try rig.post("record").name
      _ = try page.next("state") { event in
        (event["recording"] as? [String: Any])?["isDeviceLost"] as? Bool == true
      }
      RiggedSystem.state.withLock { $0.hold = nil }
      _ = try page.next("state") { event in
        (event["recording"] as? [String: Any])?["isDeviceLost"] as? Bool == false
      }
      #expect(rig.waitForSound(2.1))
      RiggedSystem.state.withLock { $0.breakage = .deviceBusy(id: "mic") }
      // Now the device cannot resume: the recording ends by itself.
      let state = try page.next("state") { $0["phase"] as? String == "idle" }
      let last = try #require(state["last"] as? [String: Any])
      #expect(last["name"] as? String == name)
      #expect(try movieSeconds(rig.bytes(name)) > 2)
      #expect(last["bytes"] as? Int == rig.bytes(name).count)
      #expect(rig.messages.contains { $0.contains("The device was disconnected") })
      #expect(
        rig.messages.contains { $0.contains("ended prematurely") && $0.contains("in use") })
      let reported = incidents.withLock { $0 }
      #expect(reported.count == 1 && reported[0].contains("in use"), "\(reported)")
    }
  }
}
