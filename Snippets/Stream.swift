//! Streams the microphone to an Icecast server, and stores it in a file.

import Aacorn

let station = try IcecastConfiguration(
  address: "icecast://radio.example:8000/live.aac", password: "secret")
let live = LiveOutput(IcecastService(station)) { state in print(state) }
let recorder = Recorder(
  from: try DeviceSystems.makeSource(CaptureRequest()), to: [live, FileOutput("show.m4a", .m4a)],
  RecordingConfiguration(sampleRate: 48_000))
try await recorder.start()
try await Task.sleep(for: .seconds(3600))
live.connection.update(LiveMetadata(title: "The last piece"))
await recorder.stop()
print("\(live.connection.status.droppedFrameCount) frames were dropped")
