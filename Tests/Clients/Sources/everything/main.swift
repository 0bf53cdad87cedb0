import Aacorn
import Foundation

// An app that adds this library can keep its own type names.
struct Packet: Equatable { var bytes: [UInt8] = [] }
struct Gap: Equatable { var seconds = 0.0 }
struct Level: Equatable { var decibels = 0.0 }
struct Capture: Equatable { var packet = Packet(), gap = Gap(), level = Level() }

/// Hand-written Codable code must still find Swift's Encoder and Decoder.
struct Note: Codable, Equatable {
  var text = ""

  init(_ text: String) { self.text = text }

  init(from decoder: Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  func encode(to encoder: Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

let note = Note("A sine of a second")
guard try JSONDecoder().decode(Note.self, from: JSONEncoder().encode(note)) == note,
  Capture() == Capture(packet: Packet(), gap: Gap(), level: Level())
else { fatalError("The types of the client have changed.") }

var encoder = try AACEncoder(.init(sampleRate: 48_000, channelCount: 1))
encoder.encode(interleaved: [Float](repeating: 0.1, count: 48_000).span)
let trim = encoder.finish()
var count = 0
while let unit = encoder.nextAccessUnit() { count += unit.sampleCount }
guard count >= 48_000 + trim.priming else { fatalError("Samples are missing.") }
print("Everything: \(count) samples in access units")

// The functions with URLs exist too.
let folder = FileManager.default.temporaryDirectory
let input = folder.appendingPathComponent("\(UUID()).wav")
let output = folder.appendingPathComponent("\(UUID()).m4a")
let wav = WAVWriter(encoding: .int16, sampleRate: 48_000, channelCount: 1)
let sound = Data(wav.header(frameCount: 48_000)) + Data(count: 96_000)
try sound.write(to: input)
let summary = try await AACFile.encode(from: input, to: output)
let report = try await AACFile.inspect(output)
guard summary.duration == .seconds(1), report.frameCount > 46, report.faults.count == 0 else {
  fatalError("The file is not what was encoded.")
}
do throws(AACFileError) {
  _ = try Recorder(to: URL(string: "https://radio.example/live.aac") ?? folder)
  fatalError("A recorder records to a web address.")
} catch {
  // Alerts of apps show this text.
  guard error.localizedDescription == error.message else { fatalError("The error has no text.") }
  print("Everything: \(summary.byteCount) bytes in a file; \(error.problem)")
}
do throws(EncoderError) {
  _ = try AACEncoder(sampleRate: 12_345)
  fatalError("An encoder has a rate that AAC does not support.")
} catch {
  guard "\(error)" == error.message, error.localizedDescription == error.message else {
    fatalError("The error is not printed as its message.")
  }
}
try FileManager.default.removeItem(at: input)
try FileManager.default.removeItem(at: output)
