//! Encodes a WAV, AIFF or CAF file to an M4A file.
//!
//!     swift run EncodeFile song.wav song.m4a

import Aacorn
import Foundation

// snippet.hide
guard CommandLine.arguments.count == 3 else { fatalError("Say which file becomes which.") }
let input = URL(fileURLWithPath: CommandLine.arguments[1])
let output = URL(fileURLWithPath: CommandLine.arguments[2])
// snippet.show
// The header says what the samples are and where they begin.
let file = try [UInt8](Data(contentsOf: input))
var header = PCMFileReader(canSeek: false)
var step = try header.push(file.span)
if step == .needMore { step = try header.finish() }
guard case .ready(let info) = step else { fatalError("A reader that cannot seek does not ask to.") }
var samples: [Float] = []
var frames = PCMFrameReader(format: info.format, byteCount: info.dataByteCount)
frames.read(file.span.extracting(droppingFirst: Int(info.dataOffset)), into: &samples)

var encoder = try AACEncoder(
  .init(
    sampleRate: info.format.sampleRate, channelCount: info.format.channelCount,
    rateControl: .variable(level: 4)))
encoder.encode(interleaved: samples.span)
let trim = encoder.finish()

var configuration = MP4Writer.Configuration(
  stream: encoder.audioSpecificConfig, layout: .moovAtEnd)
configuration.tags.title = input.deletingPathExtension().lastPathComponent
var movie = try MP4Writer(configuration: configuration)
var bytes = movie.start()
while let unit = encoder.nextAccessUnit() { try movie.append(unit, to: &bytes) }

// What remains are the tables behind the sound, and the size of the sound in front of it.
try Data(bytes).write(to: output)
let handle = try FileHandle(forWritingTo: output)
for write in try movie.finish(trim) {
  try handle.seek(toOffset: write.offset)
  try handle.write(contentsOf: Data(write.bytes))
}
try handle.close()
