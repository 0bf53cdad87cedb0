import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornDevices
@testable import AacornStudio

extension RecorderSuites {
  @Suite("Devices of the studio") struct DevicesTests {
    init() { RiggedSystem.reset(["mic", "line"]) }

    @Test func comingGoingAndDefaultShowAtOnce() throws {
      let rig = try RecorderRig([RiggedSystem.self])
      let page = try RecorderPage(rig)
      let first = try page.next("devices") { $0["isLooking"] as? Bool == false }
      #expect(first["system"] as? String == "pulse" && first["problem"] is NSNull)
      #expect(first["canProcessVoice"] as? Bool == true)
      let devices = try #require(first["devices"] as? [[String: Any]])
      #expect(devices.map { $0["id"] as? String } == ["mic", "line"])
      #expect(devices.map { $0["isDefault"] as? Bool } == [true, false])
      #expect(devices[0]["name"] as? String == "Microphone mic")
      #expect(devices[0]["channels"] as? Int == 2 && devices[0]["sampleRate"] as? Int == 48_000)
      let builtIn = try #require(first["builtIn"] as? [[String: Any]])
      #expect(builtIn.map { $0["id"] as? String }.contains("tone"))

      let start = System.seconds
      RiggedSystem.change(["line"])
      let second = try page.next("devices")
      #expect((second["devices"] as? [[String: Any]])?.count == 1)
      // Without notifications, the studio would check the devices only every 2 s.
      #expect(System.seconds - start < 1.9)
      RiggedSystem.change(["usb", "line"])
      let third = try page.next("devices")
      #expect((third["devices"] as? [[String: Any]])?.first?["id"] as? String == "usb")
      #expect(rig.deviceIDs == ["usb", "line"])
      RiggedSystem.change([])
      let none = try page.next("devices")
      #expect(none["system"] is NSNull && none["canProcessVoice"] as? Bool == false)
      #expect((none["problem"] as? String)?.contains("No microphone was found") == true)
      #expect(!((none["problem"] as? String)?.contains("--") ?? true))
    }

    @Test func thePageNeedNotWaitForSlowSystems() throws {
      RiggedSystem.state.withLock { $0.isHeld = true }
      defer { RiggedSystem.reset(["mic"]) }
      let rig = try RecorderRig([RiggedSystem.self])
      let first = rig.devices
      #expect(first["isLooking"] as? Bool == true && first["problem"] is NSNull)
      #expect(rig.phase == "idle")
      RiggedSystem.state.withLock { $0.isHeld = false }
      #expect(eventually { rig.devices["isLooking"] as? Bool == false })
      #expect(rig.deviceIDs == ["mic", "line"])
    }

    #if os(Linux)
    /// The test's own PulseAudio server as a sound system.
    enum RiggedPulse: DeviceSystem {
      static let server = Lock<String?>(nil)
      static var backend: DeviceBackend { .pulseAudio }
      static func checkAvailability(for direction: DeviceDirection) throws(DeviceError) {
        _ = try devices(for: direction)
      }

      static func devices(for direction: DeviceDirection) throws(DeviceError) -> [Device] {
        try PulseAudioSystem.devices(for: direction, server: server.withLock { $0 })
      }

      static func makeSource(_ request: CaptureRequest) throws(DeviceError) -> any CaptureSource {
        try PulseAudioSource(request, server: server.withLock { $0 })
      }

      static func makeTarget(
        _ request: PlaybackRequest
      ) throws(DeviceError) -> any PlaybackTarget {
        try PulseAudioTarget(request, server: server.withLock { $0 })
      }

      static func watchDevices(
        _ change: @escaping @Sendable () -> Void
      ) -> (any Sendable & AnyObject)? {
        PulseAudioSystem.watchDevices(server: server.withLock { $0 }, change)
      }
    }

    @Test(.tags(.smoke), .realTime) func aPulseAudioSourceIsRecordedUnpluggedAndPluggedInAgain()
      throws
    {
      let pulse = try PulseServer()
      defer { pulse.stop() }
      RiggedPulse.server.withLock { $0 = pulse.address }
      let module = try pulse.load(PulseServer.pipeSource("mic"))
      let rig = try RecorderRig([RiggedPulse.self])
      let page = try RecorderPage(rig)
      _ = try page.next("devices") { event in
        (event["devices"] as? [[String: Any]])?.contains { $0["id"] as? String == "mic" } == true
      }
      let name = try rig.post("record", [("device", "mic"), ("format", "wav")]).name
      #expect(!name.isEmpty)
      try PulseServer.feed(pulse.pipe(of: "mic"), frames: 0..<48_000) { frame, _ in
        frame % 100 < 50 ? 8000 : -8000
      }
      _ = try page.next("meter") { abs((($0["peaks"] as? [Double])?.first ?? 0) - 0.244) < 0.05 }

      try pulse.unload(module)
      _ = try page.next("state") { event in
        (event["recording"] as? [String: Any])?["isDeviceLost"] as? Bool == true
      }
      #expect(eventually { !rig.deviceIDs.contains("mic") })
      _ = try pulse.load(PulseServer.pipeSource("mic"))
      #expect(eventually { rig.deviceIDs.contains("mic") })
      try PulseServer.feed(pulse.pipe(of: "mic"), frames: 0..<144_000) { frame, _ in
        frame % 100 < 50 ? 8000 : -8000
      }
      #expect(eventually { rig.recording?["isDeviceLost"] as? Bool == false })
      let ended = try rig.post("stop")
      #expect(ended.json["gapCount"] as? Int ?? 0 > 0)
      let seconds = try #require(ended.json["seconds"] as? Double)
      #expect(seconds > 3)
      #expect(abs(Double(rig.bytes(name).count) / 192_000 - seconds) < 0.1)
    }
    #endif
  }
}
