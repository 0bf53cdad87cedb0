//! Plays files one after the other, a little faster and with less rumble.
//!
//!     swift run Play song.m4a next.wav

import Aacorn

// snippet.hide
let arguments = CommandLine.arguments.dropFirst()
let items = arguments.filter { $0 != "--silent" }.map { PlaylistItem($0) }
// Nil selects the best available audio system; the synthetic one is silent.
let backend: DeviceBackend? = arguments.contains("--silent") ? .synthetic : nil
// snippet.show
var configuration = PlayerConfiguration()
configuration.speed = 1.25
configuration.effects = try EffectDescription.parse("highpass 80, limiter -1")
let player = Player(playing: items, backend: backend, configuration)
try await player.start()
for await event in player.events {
  if case .started(let item) = event { print("\(item.item.path), \(item.sampleRate) Hz") }
}
let summary = await player.end()
// snippet.hide

print("\(summary.playedItemCount) items in \(summary.playedDuration)")
