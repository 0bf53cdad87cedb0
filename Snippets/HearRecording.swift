//! Monitors a recording on headphones while it is made.

import Aacorn

// snippet.hide
let source = try DeviceSystems.makeSource(
  CaptureRequest(device: .pinned(id: "tone")), backend: .synthetic)
// Nil selects the best available audio system; the synthetic one is silent.
let backend: DeviceBackend? = CommandLine.arguments.contains("--silent") ? .synthetic : nil
// snippet.show
var configuration = RecordingConfiguration()
configuration.monitor = MonitorConfiguration(backend: backend)
configuration.duration = .seconds(2)
let recorder = Recorder(from: source, to: [FileOutput("take.m4a", .m4a)], configuration)
try await recorder.start()
for await event in recorder.events {
  if case .monitor(.started(let device)) = event {
    print("It is heard on \(device?.name ?? "an output").")
  }
}
