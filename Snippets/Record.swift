//! Records ten seconds from the default microphone.

import Aacorn

let recorder = Recorder(
  to: "test.aac", RecordingConfiguration(sampleRate: 44_100, channelCount: 2, bitrate: 96_000))
try await recorder.start()
try await Task.sleep(for: .seconds(10))
let summary = await recorder.stop()
// snippet.hide

print("\(summary.sampleCount) samples, \(summary.gapCount) gaps")
