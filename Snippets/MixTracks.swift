//! Records a voice over music, and ducks the music while the voice speaks.
//!
//!     swift run MixTracks bed.wav

import Aacorn

// snippet.hide
guard CommandLine.arguments.count == 2 else { fatalError("Say which file is the music.") }
let path = CommandLine.arguments[1]
let microphone = try DeviceSystems.makeSource(
  CaptureRequest(device: .pinned(id: "speech")), backend: .synthetic)
// snippet.show
var bed = TrackConfiguration("music")
bed.gain = -14
bed.loops = true
bed.fadeIn = .seconds(1)
bed.fadeOut = .seconds(3)
bed.ducking = Ducking(of: .track("mic"), depth: 12)
let music = try FileSignal(path: path)
var configuration = RecordingConfiguration()
configuration.duration = .seconds(2)
let recorder = Recorder(
  from: [
    TrackSource(TrackConfiguration("mic"), from: microphone), TrackSource(bed, playing: music),
  ], to: [FileOutput("show.m4a", .m4a)], configuration)
try await recorder.start()
await recorder.stopTrack(named: "music")
let summary = await recorder.end()
// snippet.hide

print("\(summary.duration) in \(summary.outputs.map(\.name).joined(separator: ", "))")
