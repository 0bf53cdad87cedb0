//! Decodes an AAC file to WAV, AIFF or CAF; the suffix selects the format.
//!
//!     swift run DecodeFile song.m4a song.wav

import Aacorn

// snippet.hide
guard CommandLine.arguments.count == 3 else { fatalError("Say which file becomes which.") }
let (input, output) = (CommandLine.arguments[1], CommandLine.arguments[2])
// snippet.show
let summary = try await AACFile.decode(from: input, to: output)
print("\(summary.duration) of \(summary.sampleRate) Hz")
if summary.isDamaged { print(summary.warnings) }
