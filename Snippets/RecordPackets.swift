//! Receives AAC packets and events from a recording of a built-in signal.

import Aacorn

let source = try DeviceSystems.makeSource(
  CaptureRequest(device: .pinned(id: "tone")), backend: .synthetic)
var configuration = RecordingConfiguration(sampleRate: 48_000)
configuration.duration = .milliseconds(2000)
let recorder = Recorder(from: source, to: [], configuration)
try await recorder.start()
for await packet in recorder.packets {
  print("\(packet.bytes.count) bytes for the samples from \(packet.position) on")
}
for await event in recorder.events {
  if case .gap(let gap) = event { print("\(gap.length) samples are missing: \(gap.cause)") }
}
