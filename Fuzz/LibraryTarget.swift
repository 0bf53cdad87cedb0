import AacornDevices
import AacornSystem
import Glibc

@testable import AacornRecording
@testable import AacornStudio

/// Fuzzes a foreign file in the library of the studio.
func fuzzLibrary(_ bytes: [UInt8]) {
  let path = FuzzFile.write(bytes)
  guard let file = try? FileBytes(path) else { return require(false, "the file is missing") }
  require(file.size == bytes.count, "the file has a different length")
  do throws(SystemError) {
    let levels = try WaveformReader(file).levels()
    require(levels.map { $0.count == WaveformReader.levelCount } ?? true, "too many levels")
    let facts = try SoundExaminer(file).facts()
    if let seconds = facts.seconds {
      require(seconds >= 0 && seconds.isFinite, "a length of \(seconds) s")
    }
    require(facts.status == .fine || facts.problem != nil, "a damaged file without a reason")
  } catch {
    require(false, "the file cannot be read: \(error)")
  }
  fuzzSignal(path)
}

/// Fuzzes an audio file as the source of a recording.
private func fuzzSignal(_ path: String) {
  // Exclude the system's library: its faults are not faults of Aacorn.
  guard var signal = try? FileSignal(path: path, usesLibrary: false) else { return }
  require(signal.channelCount > 0 && signal.sampleRate > 0, "a signal without a format")
  var total = 0
  while total < 1 << 16 {
    var samples: [Float] = []
    let count = signal.read(into: &samples, frameCount: 500)
    require(samples.count == count * signal.channelCount, "\(samples.count) samples")
    if count == 0 { break }
    total += count
  }
}
