import AacornContainers
import AacornDevices
import AacornRecording
import AacornSystem
import SoundRigs
import Testing

@testable import AacornCommands

@Suite struct DevicesCommandTests {
  private let captured = CapturedConsole()
  private let microphone = Device(
    backend: .pulseAudio, id: "usb.mic", name: "Blue Yeti", channelCount: 2, sampleRate: 48_000,
    isDefault: true)
  private let monitor = Device(
    backend: .pulseAudio, id: "pci.hdmi.monitor", name: "Monitor of HDMI", channelCount: 8,
    sampleRate: 44_100, isMonitor: true)

  @Test func theTableIsAlignedAndMarksDefaultAndMonitor() {
    let built = Device(backend: .synthetic, id: "tone", name: "Notes", isDefault: true)
    let lines = DeviceTable.lines(DeviceScan(.capture, devices: [microphone, monitor, built]))
    #expect(
      lines == [
        "PulseAudio (pulse)",
        "    ID                Channels      Rate  Name",
        "  * usb.mic                  2    48 kHz  Blue Yeti",
        "    pci.hdmi.monitor         8  44.1 kHz  Monitor of HDMI [records an output]",
        "",
        "Test signals, for use instead of a device",
        "    tone       Notes",
        "    file:PATH  A sound file: WAV, FLAC, MP3 and others",
      ])
  }

  @Test func columnsWithoutValuesAreOmitted() {
    let device = Device(backend: .alsa, id: "hw:1", name: "Card")
    #expect(
      DeviceTable.lines(DeviceScan(.capture, devices: [device])) == [
        "ALSA (alsa)", "    ID    Name", "    hw:1  Card",
      ])
  }

  @Test func theTableOfOutputsMarksTheDefault() {
    let speakers = Device(
      backend: .pulseAudio, id: "pci.speakers", name: "Speakers", channelCount: 2,
      sampleRate: 48_000, isDefault: true)
    let headset = Device(
      backend: .pulseAudio, id: "usb", name: "Head\u{1B}set", channelCount: 1, sampleRate: 16_000)
    let lines = DeviceTable.lines(DeviceScan(.playback, devices: [speakers, headset]))
    #expect(
      lines.first == "Outputs of PulseAudio (pulse)" && lines.count == 4
        && lines[1] == "    ID            Channels    Rate  Name"
        && lines[2] == "  * pci.speakers         2  48 kHz  Speakers"
        && lines[3].hasPrefix("    usb                  1  16 kHz  Head"))
    #expect(!lines.joined().unicodeScalars.contains { $0.value < 0x20 })
    #expect(
      DeviceTable.json(speakers, for: .playback).encoded
        == #"{"type":"output","backend":"pulse","id":"pci.speakers","name":"Speakers","#
        + #""details":"","channels":2,"sampleRate":48000,"default":true}"#)
  }

  @Test func identicalBackendErrorIsReportedOnce() {
    let scan = DeviceScan(
      .capture, devices: [],
      failures: [
        (backend: .pulseAudio, error: .noServer(backend: .pulseAudio, reason: "refused")),
        (backend: .alsa, error: .noDevice(for: .capture, backend: .alsa)),
      ])
    let outputs = DeviceScan(
      .playback, devices: [Device(backend: .synthetic, id: "null", name: "Silent output")],
      failures: [
        (backend: .pulseAudio, error: .noServer(backend: .pulseAudio, reason: "refused")),
        (backend: .alsa, error: .noDevice(for: .playback, backend: .alsa)),
      ])
    #expect(!outputs.isUsable)
    let backends = outputs.unreportedFailures(after: scan).map { $0.backend }
    #expect(backends == [.alsa])
    let speakers = Device(backend: .alsa, id: "hw:0", name: "Speakers")
    #expect(DeviceScan(.playback, devices: [speakers]).isUsable)
  }

  @Test func oldPipeWireIsANoteIfNoOtherServerWorks() {
    let old = DeviceError.notPreferred(.pipeWire, version: "0.3.65", minimum: "1.0.0")
    let silent = DeviceError.noServer(backend: .pulseAudio, reason: "refused")
    let empty = DeviceError.noDevice(for: .capture, backend: .pulseAudio)
    func printed(
      _ pulseError: DeviceError, devices: [Device] = [], isVerbose: Bool = false
    ) -> [DeviceBackend] {
      let scan = DeviceScan(
        .capture, devices: devices,
        failures: [
          (.pipeWire, old), (.pulseAudio, pulseError),
          (.alsa, .noDevice(for: .capture, backend: .alsa)),
        ])
      return scan.printedFailures(after: nil, isVerbose: isVerbose).map(\.backend)
    }
    #expect(printed(silent) == [.pulseAudio, .alsa, .pipeWire])
    #expect(printed(empty) == [.pulseAudio, .alsa])
    #expect(printed(empty, isVerbose: true) == [.pulseAudio, .alsa, .pipeWire])
    #expect(printed(silent, devices: [microphone]).isEmpty)
    #expect(
      old.commandMessage(for: .capture)
        == "PipeWire 0.3.65 is used only if it is selected, because it is older than 1.0.0. To use "
        + "it, add --backend pipewire.")
  }

  @Test func jsonOfOutputsFollowsThatOfDevices() {
    captured.aacorn("devices", "--backend", "synthetic", "--json", "--outputs")
    let lines = captured.output.split(separator: "\n")
    #expect(lines.count == 6)
    #expect(lines.last?.hasPrefix(#"{"type":"output","backend":"synthetic","id":"null","#) == true)
  }

  @Test func jsonIsAnObjectForEachDevice() {
    captured.aacorn("devices", "--backend", "synthetic", "--json")
    let lines = captured.output.split(separator: "\n")
    #expect(lines.count == 5)
    let first = lines.first.map(String.init) ?? ""
    #expect(first.hasPrefix(#"{"type":"device","backend":"synthetic","id":"tone","name":"Struck "#))
    #expect(first.hasSuffix(#""sampleRate":null,"default":true,"monitor":false}"#))
  }

  @Test func deviceChangesAreReported() {
    var silent = microphone
    silent.isDefault = false
    var other = monitor
    other.isDefault = true
    var slow = silent
    slow.sampleRate = 16_000
    #expect(DeviceChange.between([microphone], [microphone]).isEmpty)
    #expect(
      DeviceChange.between([microphone], [silent, other]) == [.added(other), .becameDefault(other)])
    #expect(DeviceChange.between([microphone, monitor], [monitor]) == [.removed(microphone)])
    #expect(DeviceChange.between([silent], [slow]) == [.changed(slow)])
    #expect(DeviceChange.added(monitor).line.hasPrefix("+ pci.hdmi.monitor  8 channels"))
    #expect(DeviceChange.becameDefault(monitor).line == "* pci.hdmi.monitor is now the default")
    #expect(
      DeviceChange.removed(microphone).json(wallTime: 0).encoded.hasPrefix(
        #"{"type":"removed","time":"1970-01-01T00:00:00.000Z","backend":"pulse","#))
  }

  @Test func watchingEndsWithTheSignal() {
    let captured = captured
    let thread = WorkerThread("test") {
      // The command lists the present devices before it watches for changes.
      _ = eventually { !captured.output.isEmpty }
      captured.interruption.raise(System.interruptSignal)
    }
    captured.aacorn("devices", "--watch", "--backend", "synthetic")
    thread?.join()
    #expect(captured.interruption.signal == nil)
  }
}
