//! Prints the levels of a recording while it runs.

import Aacorn

// snippet.hide
let source = try DeviceSystems.makeSource(
  CaptureRequest(device: .pinned(id: "tone")), backend: .synthetic)
// snippet.show
var configuration = RecordingConfiguration()
configuration.duration = .seconds(2)
let recorder = Recorder(from: source, to: [], configuration)
let levels = recorder.levels()
try await recorder.start()
for await level in levels {
  for channel in level.channels {
    print("peak \(channel.peakDecibels) dB, RMS \(channel.rmsDecibels) dB")
  }
}
