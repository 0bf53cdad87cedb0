import Testing

@testable import AacornDevices

@Suite struct CoreAudioStatusTests {
  @Test func fourLettersAreShownAsSuch() {
    #expect(CoreAudioStatus(0x666D_743F).text == "'fmt?'")
    #expect(CoreAudioStatus(0x2164_6576).text == "'!dev'")
  }

  @Test(arguments: [
    0, -1, -10_868, -50, Int32.min, Int32.max, 0x666D_7400, 0x666D_741F, 0x7F6D_7420,
    Int32(bitPattern: 0xE96D_7420),
  ])
  func unprintableStatusCodeIsShownAsNumber(code: Int32) {
    #expect(CoreAudioStatus(code).text == "\(code)")
  }

  @Test func knownStatusHasDescription() {
    #expect(
      CoreAudioStatus(-10_868).error("open", "mic")
        == .system(
          operation: "open", id: "mic", reason: "the format is not supported, -10868"))
    #expect(
      CoreAudioStatus(-12_345).error("open", "mic")
        == .system(operation: "open", id: "mic", reason: "status -12345"))
  }

  @Test func busyAndMissingDevicesHaveSpecificErrors() {
    #expect(CoreAudioStatus(0x2168_6F67).error("open", "mic") == .deviceBusy(id: "mic"))
    #expect(
      CoreAudioStatus(0x2164_6576).error("open", "mic")
        == .unknownDevice(id: "mic", backend: .coreAudio))
  }

  @Test(arguments: [(0x2169_6E74, true), (0x2170_7269, false)] as [(Int32, Bool)])
  func interruptionErrorStatesWhetherMixingIsPossible(code: Int32, canMix: Bool) {
    let error = CoreAudioStatus(code).error("activate", "the audio session")
    #expect(error == .cannotInterrupt(canMix: canMix))
    #expect(error.message.contains("otherAudio: .mix") == canMix)
    #expect(error.message.hasPrefix("Another app, such as a call, uses the audio"))
  }

  @Test func onlyZeroIsSuccess() throws {
    try CoreAudioStatus(0).check("open", "mic")
    #expect(throws: DeviceError.self) { try CoreAudioStatus(-1).check("open", "mic") }
    #expect(throws: DeviceError.self) { try CoreAudioStatus(1).check("open", "mic") }
  }
}
