import AacornRecording
import Foundation
import StreamRigs
import Testing

@testable import AacornStudio

extension RecorderSuites {
  @Suite("Effects in the studio") struct RecorderEffectTests {
    init() { RiggedSystem.reset(["mic"]) }

    /// Waits until the meter of the first channel shows a peak in a range; the peak of the input is
    /// 0.5.
    private static func wait(for range: ClosedRange<Double>, _ page: RecorderPage) throws {
      _ = try page.next("meter") { event in
        guard let columns = event["columns"] as? String, !columns.isEmpty,
          let peaks = event["peaks"] as? [Double], let first = peaks.first
        else { return false }
        return range.contains(first)
      }
    }

    @Test func recordingContainsEffects() throws {
      let rig = try RecorderRig([RiggedSystem.self])
      let answer = try rig.post("record", [("format", "wav"), ("effects", " gain -40, limiter ")])
      #expect(answer.status == 200, "\(answer.text)")
      #expect(rig.settings["effects"] as? String == " gain -40, limiter ")
      #expect(rig.waitForSound(0.3))
      let ended = try rig.post("stop")
      let seconds = try #require(ended.json["seconds"] as? Double)
      let data = Array(rig.bytes(answer.name).suffix(4 * Int((seconds * 48_000).rounded())))
      let peaks = stride(from: 0, to: data.count - 1, by: 2).map { index in
        abs(Int(Int16(bitPattern: UInt16(data[index]) | UInt16(data[index + 1]) << 8)))
      }
      let peak = try #require(peaks.max())
      #expect(abs(peak - 164) < 3)
      // The next page shows these effects.
      #expect(rig.settings["effects"] as? String == " gain -40, limiter ")
      #expect(rig.state["isBypassed"] as? Bool == false)
    }

    @Test func effectsAreChangedAndBypassedWhileItRecords() throws {
      let rig = try RecorderRig([RiggedSystem.self])
      let page = try RecorderPage(rig)
      try rig.post("record")
      try Self.wait(for: 0.45...0.55, page)
      #expect(try rig.post("effects", [("effects", "gain -40")]).status == 200)
      #expect(rig.settings["effects"] as? String == "gain -40")
      try Self.wait(for: 0.001...0.01, page)
      #expect(try rig.post("bypass").status == 400)
      #expect(try rig.post("bypass", [("bypassed", "true")]).status == 200)
      #expect(rig.state["isBypassed"] as? Bool == true)
      try Self.wait(for: 0.45...0.55, page)
      // The bypass also applies to new effects.
      #expect(try rig.post("effects", [("effects", "limiter -20")]).status == 200)
      #expect(try rig.post("bypass", [("bypassed", "false")]).status == 200)
      try Self.wait(for: 0.05...0.15, page)
      for text in ["", "None", " none "] {
        #expect(try rig.post("effects", [("effects", text)]).status == 200)
        #expect(rig.settings["effects"] as? String == "")
      }
      try Self.wait(for: 0.45...0.55, page)
      try rig.post("bypass", [("bypassed", "true")])
      let ended = try rig.post("stop")
      #expect(ended.status == 200 && ended.json["gapCount"] as? Int == 0)
      #expect(rig.state["isBypassed"] as? Bool == false)
      #expect(try rig.post("bypass", [("bypassed", "true")]).status == 409)
    }

    @Test func monitoredAudioHasEffects() throws {
      let rig = try RecorderRig([RiggedSystem.self])
      let page = try RecorderPage(rig)
      let begun = try rig.post("listen", [("on", "true"), ("effects", "gain -40")])
      #expect(begun.status == 200, "\(begun.text)")
      try Self.wait(for: 0.001...0.01, page)
      #expect(try rig.post("effects").status == 200)
      try Self.wait(for: 0.45...0.55, page)
      #expect(try rig.post("listen", [("on", "false")]).status == 200)
    }

    @Test func invalidEffectIsReportedAtItsField() throws {
      let rig = try RecorderRig([RiggedSystem.self])
      for (text, words) in [
        ("highpas 80", "There is no effect “highpas”. Did you mean highpass?"),
        ("gain 99", "The effect gain cannot have a gain of 99dB."),
        ("@/etc/hostname", "There is no effect “@/etc/hostname”."),
        (Array(repeating: "gain", count: 33).joined(separator: ","), "at most 32 effects"),
      ] {
        for command in ["effects", "record", "listen"] {
          let answer = try rig.post(command, [("on", "true"), ("effects", text)])
          #expect(answer.status == 400, "\(command), \(text): \(answer.text)")
          #expect(answer.json["field"] as? String == "effects", "\(command), \(text)")
          let isComplete = answer.error.hasSuffix(".") || answer.error.hasSuffix("?")
          #expect(answer.error.contains(words) && isComplete, "\(answer.error)")
        }
      }
      #expect(rig.files.isEmpty && rig.phase == "idle")
      // Other errors do not name a field.
      #expect(!(try rig.post("record", [("device", "absent")]).text.contains("\"field\"")))
    }

    @Test func rejectedEffectChangeKeepsCurrentEffects() throws {
      let rig = try RecorderRig([RiggedSystem.self])
      let page = try RecorderPage(rig)
      try rig.post("record", [("effects", "gain -40")])
      #expect(try rig.post("effects", [("effects", "gain loud")]).status == 400)
      #expect(rig.settings["effects"] as? String == "gain -40")
      try Self.wait(for: 0.001...0.01, page)
      #expect(try rig.post("stop").status == 200)
    }

    @Test func pagesAreOfferedThePresets() throws {
      let rig = try RecorderRig([RiggedSystem.self])
      let presets = try #require(rig.state["effectPresets"] as? [String])
      #expect(presets == EffectPreset.allCases.map(\.rawValue))
      for preset in presets {
        #expect(try rig.post("effects", [("effects", preset)]).status == 200)
        #expect(rig.settings["effects"] as? String == preset)
      }
    }
  }
}
