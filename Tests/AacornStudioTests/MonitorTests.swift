import AacornDevices
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornStudio

extension RecorderSuites {
  @Suite("Meters") struct MonitorTests {
    init() { RiggedSystem.reset(["mic"]) }

    private static func columns(_ event: [String: Any]) -> [[UInt8]] {
      let bytes = Array(Data(base64Encoded: event["columns"] as? String ?? "") ?? Data())
      #expect(bytes.count % 98 == 0)
      return stride(from: 0, to: bytes.count / 98 * 98, by: 98).map { Array(bytes[$0..<$0 + 98]) }
    }

    @Test func levelsColumnsAndFramesAreThoseOfTheSound() throws {
      let rig = try RecorderRig([RiggedSystem.self])
      let page = try RecorderPage(rig)
      try rig.post("record", [("bitrate", "128000")])
      // The window of the spectrum must fill first.
      var columns: [[UInt8]] = []
      var frames: [[Int]] = []
      var seconds = [0.0]
      let start = System.seconds
      while columns.count < 60 {
        let event = try page.next("meter")
        let new = Self.columns(event)
        columns += new
        frames += event["frames"] as? [[Int]] ?? []
        let time = try #require(event["seconds"] as? Double)
        #expect(time >= seconds[seconds.count - 1])
        seconds.append(time)
        if columns.count > 20, !new.isEmpty {
          let peaks = try #require(event["peaks"] as? [Double])
          let means = try #require(event["rms"] as? [Double])
          try #require(peaks.count == 2 && means.count == 2)
          #expect(abs(peaks[0] - 0.5) < 0.02 && abs(peaks[1] - 0.25) < 0.02)
          #expect(abs(means[0] - 0.5 / 2.0.squareRoot()) < 0.03)
        }
      }
      // 20 events and 50 columns per second.
      let elapsed = System.seconds - start
      #expect(abs(Double(seconds.count) - 20 * elapsed) < 3)
      #expect(abs(Double(columns.count) - 50 * elapsed) < 10)
      let last = columns[columns.count - 1]
      #expect(last[0] < 128 - 55 && last[0] > 128 - 70 && last[1] > 128 + 55 && last[1] < 128 + 70)
      let levels = last[2...]
      let loudest = try #require(levels.indices.max { levels[$0] < levels[$1] })
      // 96 bands from 40 Hz to 20 kHz; 440 Hz is in band 96 · log₅₀₀(11).
      let band = 96 * log(440.0 / 40) / log(500.0)
      #expect(abs(Double(loudest - 2) + 0.5 - band) < 1.5)
      #expect(last[loudest] > 215 && last[97] < 60)
      // 47 frames per second at 128 kb/s.
      #expect(frames.count > 30)
      let bytes = frames.map { $0[0] }.reduce(0, +) / frames.count
      #expect((200...600).contains(bytes))
      let bitrate = try #require(try page.next("meter")["bitrate"] as? Int)
      #expect((100_000...150_000).contains(bitrate))
      for frame in frames {
        try #require(frame.count == 8)
        #expect((0...3).contains(frame[1]) && (0...100).contains(frame[2]))
        #expect(frame[3] >= 0 && (0...24_000).contains(frame[4]) && frame[5] >= 0)
      }
      #expect(frames.suffix(10).contains { $0[4] >= 400 })
      // 440 Hz at −6 and −12 dB.
      let loud = try page.next("meter") {
        (($0["loudness"] as? [String: Any])?["integrated"] as? Double) != nil
      }
      let loudness = try #require(loud["loudness"] as? [String: Any])
      let integrated = try #require(loudness["integrated"] as? Double)
      let momentary = try #require(loudness["momentary"] as? Double)
      let truePeak = try #require(loudness["truePeak"] as? Double)
      #expect(abs(integrated + 8.8) < 0.5 && abs(momentary - integrated) < 1)
      #expect(abs(truePeak + 6) < 0.3)
      #expect(try rig.post("stop").status == 200)
      #expect(rig.phase == "idle")
    }

    @Test func meterStartsWhenPageConnects() throws {
      let rig = try RecorderRig([RiggedSystem.self])
      try rig.post("record")
      #expect(rig.waitForSound(0.5))
      let start = System.seconds
      let page = try RecorderPage(rig)
      // The first reading contains no data from before the page connected.
      let first = try page.next("meter")
      #expect(Self.columns(first).isEmpty && (first["frames"] as? [[Int]])?.isEmpty == true)
      let second = try page.next("meter") { ($0["columns"] as? String)?.isEmpty == false }
      // 50 columns per second.
      #expect(Double(Self.columns(second).count) < 50 * (System.seconds - start) + 40)
      try rig.post("stop")
    }

    @Test func listeningShowsSoundAndKeepsNothing() throws {
      let rig = try RecorderRig([RiggedSystem.self])
      let page = try RecorderPage(rig)
      #expect(try rig.post("listen").status == 400)
      #expect(try rig.post("listen", [("on", "true"), ("device", "absent")]).status == 400)
      #expect(try rig.post("listen", [("on", "true"), ("device", "mic")]).status == 200)
      #expect(rig.phase == "listening" && !rig.recorder.isRecording)
      _ = try page.next("meter") { ($0["peaks"] as? [Double])?.first ?? 0 > 0.4 }
      #expect(rig.files.isEmpty && rig.state["recording"] is NSNull)
      // A recording takes over the device.
      let name = try rig.post("record", [("device", "mic")]).name
      #expect(rig.phase == "recording")
      #expect(try rig.post("listen", [("on", "true")]).status == 409)
      #expect(rig.waitForSound(0.2))
      try rig.post("stop")
      #expect(rig.files == [name] && rig.phase == "idle")
      try rig.post("listen", [("on", "true")])
      #expect(rig.phase == "listening")
      // A rejected recording does not affect the meters.
      #expect(try rig.post("record", [("bitrate", "1")]).status == 400)
      #expect(rig.phase == "listening")
      #expect(try rig.post("listen", [("on", "false")]).status == 200)
      #expect(rig.phase == "idle" && rig.files == [name])
    }

    @Test func monitoringRequiresOpenDevice() throws {
      let rig = try RecorderRig([RiggedSystem.self])
      #expect(try rig.post("hear").status == 400)
      #expect(try rig.post("hear", [("on", "true")]).status == 409)
      try rig.post("listen", [("on", "true")])
      #expect(try rig.post("hear", [("on", "true"), ("gain", "loud")]).status == 400)
      #expect(try rig.post("hear", [("on", "false")]).status == 200)
      #expect(rig.state["isHeard"] as? Bool == false)
      try rig.post("listen", [("on", "false")])
    }

    @Test func unwatchedMicrophoneIsClosed() throws {
      let rig = try RecorderRig([RiggedSystem.self], abandonTimeoutMilliseconds: 300)
      var page: RecorderPage? = try RecorderPage(rig)
      try rig.post("listen", [("on", "true")])
      _ = try page?.next("meter")
      // Longer than the timeout, which must not close the microphone yet.
      System.sleep(milliseconds: 800)
      // The microphone stays open while a page is connected.
      #expect(rig.phase == "listening")
      page = nil
      #expect(eventually { rig.phase == "idle" })
      // A recording continues without a page.
      try rig.post("record")
      // Longer than the timeout, which must not end the recording.
      System.sleep(milliseconds: 1000)
      #expect(rig.phase == "recording")
      #expect(try rig.post("stop").status == 200)
    }

    @Test func pcmHasNoFrames() throws {
      let rig = try RecorderRig([RiggedSystem.self])
      let page = try RecorderPage(rig)
      try rig.post("record", [("format", "wav"), ("channels", "1")])
      let event = try page.next("meter") { !Self.columns($0).isEmpty }
      #expect((event["frames"] as? [[Int]])?.isEmpty == true)
      #expect((event["peaks"] as? [Double])?.count == 1)
      try rig.post("stop")
    }
  }
}
