//! Records a voice with effects, at the loudness of podcasts.

import Aacorn

// snippet.hide
let source = try DeviceSystems.makeSource(
  CaptureRequest(device: .pinned(id: "speech")), backend: .synthetic)
// snippet.show
var configuration = RecordingConfiguration()
configuration.effects = try EffectDescription.parse("speech, loudness -16, limiter -1")
configuration.duration = .seconds(2)
let recorder = Recorder(from: source, to: [FileOutput("talk.m4a", .m4a)], configuration)
try await recorder.start()
let summary = await recorder.end()
if let loudness = summary.loudness.integrated { print("\(loudness) LUFS") }
