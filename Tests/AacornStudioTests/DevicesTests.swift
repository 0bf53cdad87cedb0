import AacornSystem
import Foundation
import Simulation
import SoundRigs
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
  }
}
