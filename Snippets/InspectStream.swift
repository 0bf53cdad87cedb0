//! Inspects an AAC stream: ADTS, LATM or ADIF.
//!
//!     swift run InspectStream song.aac

import Aacorn
import Foundation

// snippet.hide
guard CommandLine.arguments.count == 2 else { fatalError("Say which file.") }
let input = URL(fileURLWithPath: CommandLine.arguments[1])
// snippet.show
let handle = try FileHandle(forReadingFrom: input)
var inspector = StreamInspector()
while let block = try handle.read(upToCount: 65_536), !block.isEmpty {
  inspector.append([UInt8](block))
  while let row = inspector.next() { print(row.number, row.byteCount, row.samplePosition) }
}
inspector.finish()
while let row = inspector.next() { print(row.number, row.byteCount, row.samplePosition) }

let report = inspector.report
print("\(report.frameCount) frames of \(report.sampleRate) Hz at \(report.bitrate.mean) b/s")
for fault in report.faults.first { print("\(fault.severity) at byte \(fault.offset)") }
