//! Records for ten seconds, and prints the state for a screen during recording.

import Aacorn

// snippet.hide
let folder = "."
// snippet.show
// The folder of the recordings, such as the documents of an app.
let model = RecorderModel(folder: folder)
await model.start()
for await state in await model.states() {
  if let message = state.message { print(message) }
  guard state.isBusy else { break }
  print("\(state.duration) recorded, the meter at \(state.meter)")
  if state.duration >= .seconds(10) { await model.stop() }
}
