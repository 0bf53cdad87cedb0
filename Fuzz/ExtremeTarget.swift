import AacornCodec
import AacornContainers
import AacornSoundFiles
import AacornSystem
import Glibc

@testable import AacornRecording

/// Inspects, decodes, repairs, cuts and joins a well-formed file of extreme numbers.
func fuzzExtremes(_ bytes: [UInt8]) {
  var generator = ExtremeFile(bytes, frames: codedFrames)
  let file = generator.make()
  fuzzMP4(file)
  fuzzPCMFile(file)
  fuzzRepair(file)
  fuzzLibrary(file)
  let path = FuzzFile.write(file)
  decode(path)
  splice(path)
}

/// Frames of noise.
private let codedFrames: [[UInt8]] = {
  guard
    var encoder = try? AACEncoder(
      .init(sampleRate: 44_100, channelCount: 2, rateControl: .constant(bitsPerSecond: 32_000)))
  else { return [[]] }
  var random = FuzzRandom(seed: 1)
  let samples = (0..<2 * 12 * 1024).map { _ in
    Float(Int32(bitPattern: random.next())) / 4_294_967_296
  }
  encoder.encode(interleaved: samples.span)
  _ = encoder.finish()
  var frames: [[UInt8]] = []
  while let unit = encoder.nextAccessUnit() { frames.append(unit.bytes) }
  return Array(frames.dropFirst(4).prefix(8))
}()

/// Decodes a file to another one; few seconds of sound are enough.
private func decode(_ path: String) {
  let output = path + ".wav"
  defer { unlink(output) }
  var request = DecodeRequest(path, to: output, .wav)
  request.options.replacesExisting = true
  request.options.duration = .seconds(20)
  guard var work = try? DecodeWork(request, interruption: Interruption()) else { return }
  _ = try? work.run { _, _ in }
}

/// Cuts a part out of a file, and joins the file with itself.
private func splice(_ path: String) {
  let output = path + ".m4a"
  defer { unlink(output) }
  guard var request = try? SpliceRequest([path, path], to: output) else { return }
  request.replacesExisting = true
  if var work = try? JoinWork(request, interruption: Interruption()) {
    _ = try? work.run { _, _ in }
  }
  request.start = .milliseconds(50)
  request.duration = .milliseconds(200)
  if var work = try? CutWork(request, interruption: Interruption()) {
    _ = try? work.run { _, _ in }
  }
}
