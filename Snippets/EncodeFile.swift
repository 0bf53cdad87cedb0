//! Encodes an audio file to AAC; the suffix selects the format.
//!
//!     swift run EncodeFile song.wav song.m4a

import Aacorn

// snippet.hide
guard CommandLine.arguments.count == 3 else { fatalError("Say which file becomes which.") }
let (input, output) = (CommandLine.arguments[1], CommandLine.arguments[2])
// snippet.show
let summary = try await AACFile.encode(from: input, to: output)
print("\(summary.duration) in \(summary.byteCount) bytes")
