//! Records samples that an app generates to a file.

import Aacorn

// snippet.hide
let path = CommandLine.arguments.dropFirst().first ?? "game.m4a"
let blocks = [[Float]](repeating: [Float](repeating: 0.1, count: 960), count: 100)
// snippet.show
let source = PushSource(sampleRate: 48_000, channelCount: 2)
let recorder = Recorder(from: source, to: [FileOutput(path, .m4a)])
try await recorder.start()
for block in blocks { await source.send(block) }
source.finish()
let summary = await recorder.end()
// snippet.hide

print("\(summary.duration) in \(summary.outputs.map(\.name).joined(separator: ", "))")
