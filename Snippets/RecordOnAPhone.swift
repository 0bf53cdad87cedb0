//! Records a talk on a phone, where calls and other apps interrupt the recording.

import Aacorn
import Foundation

// Applies to all recording and playback of this app from now on.
var session = CoreAudioSessionOptions()
session.mode = .spokenAudio
session.otherAudio = .duck
CoreAudioSessionOptions.forApp = session

var configuration = RecordingConfiguration(sampleRate: 48_000, channelCount: 1, bitrate: 96_000)
configuration.duration = .seconds(600)
let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
let file = documents.appendingPathComponent("talk.m4a")
let recorder = try Recorder(to: file, configuration)
try await recorder.start()
for await event in recorder.events {
  switch event {
  case .suspended: print("Something else has the microphone.")
  case .resumed: print("It is back.")
  case .gap(let gap): print("\(gap.length) samples are missing: \(gap.cause)")
  case .stopped(let summary): print("\(summary.duration), \(summary.gapCount) gaps")
  default: break
  }
}
