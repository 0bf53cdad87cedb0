//! Inspects an AAC file: M4A, ADTS, LATM or ADIF.
//!
//!     swift run InspectFile song.m4a

import Aacorn

// snippet.hide
guard CommandLine.arguments.count == 2 else { fatalError("Say which file.") }
let input = CommandLine.arguments[1]
// snippet.show
let report = try await AACFile.inspect(input)
print("\(report.frameCount) frames of \(report.sampleRate) Hz at \(report.bitrate.mean) b/s")
for fault in report.faults.first { print("\(fault.severity) at byte \(fault.offset)") }
