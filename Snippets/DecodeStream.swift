//! Decodes a stream with ADTS headers as it arrives, in pieces of any size.
//!
//!     swift run DecodeStream song.aac

import Aacorn
import Foundation

// snippet.hide
guard CommandLine.arguments.count == 2 else { fatalError("Say which file.") }
let input = URL(fileURLWithPath: CommandLine.arguments[1])
// snippet.show
let handle = try FileHandle(forReadingFrom: input)
var reader = ADTSReader()
var decoder: AACDecoder?
var samples: [Float] = []
var isFinished = false

while !isFinished {
  if let bytes = try handle.read(upToCount: 4096), !bytes.isEmpty {
    reader.append([UInt8](bytes))
  } else {
    reader.finish()
    isFinished = true
  }
  while let event = reader.next() {
    guard case .frame(let frame) = event else { continue }
    if decoder == nil { decoder = try AACDecoder(frame.header.audioSpecificConfig) }
    for block in frame.blocks {
      decoder?.decode(frame.payload, range: block)
      decoder?.append(to: &samples)
    }
  }
}
// snippet.hide

print("\(samples.count) samples of \(decoder?.sampleRate ?? 0) Hz")
