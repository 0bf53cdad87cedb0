import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornSystem
import TestSignals

/// WAV files of a test, which are deleted with the object.
final class PlayedFiles: Sendable {
  private static let counter = Atomic<Int>(0)

  private let folder: String
  private let names = Lock<[String]>([])

  init() throws {
    let number = Self.counter.add(1) + 1
    let base = System.environment("TMPDIR") ?? "/tmp"
    folder = FileName.joined(base, "aacorn-play-\(System.processNumber)-\(number)")
    try System.makeFolder(folder)
  }

  deinit {
    for name in names.withLock({ $0 }) { try? System.remove(path(name)) }
    try? System.removeFolder(folder)
  }

  func path(_ name: String) -> String { FileName.joined(folder, name) }

  /// Returns the path of a file that the caller writes.
  func newPath(_ name: String) -> String {
    names.withLock { $0.append(name) }
    return path(name)
  }

  func bytes(at path: String) throws -> [UInt8] {
    try InputFile(path, interruption: Interruption()).readAll(limit: 1 << 26)
  }

  func write(_ bytes: [UInt8], to name: String) throws -> String {
    names.withLock { $0.append(name) }
    let file = try OutputFile(path(name), replacing: true, interruption: Interruption())
    try file.write(bytes)
    try file.commit()
    return path(name)
  }

  /// Writes a file with these samples, unchanged and by default in one channel, and returns its
  /// path.
  func wav(
    _ samples: [Float], to name: String, rate: Int = 48_000, channels: Int = 1
  ) throws -> String {
    let writer = WAVWriter(encoding: .float32, sampleRate: rate, channelCount: channels)
    var bytes = writer.header(frameCount: UInt64(samples.count / channels))
    writer.append(samples.span, to: &bytes)
    return try write(bytes, to: name)
  }

  /// Returns the samples of a sound file.
  func samples(at path: String) throws -> [Float] {
    var (all, samples): ([Float], [Float]) = ([], [])
    let sound = try SeekableSound(path, interruption: Interruption())
    while try sound.next(into: &samples) { all += samples }
    return all
  }

  /// Writes an ADTS stream of samples in one channel, and returns its path and its bytes.
  func aac(_ samples: [Float], to name: String) async throws -> (path: String, bytes: [UInt8]) {
    let output = newPath(name)
    try await AACFile.encode(from: wav(samples, to: name + ".wav"), to: output)
    return (output, try bytes(at: output))
  }

  /// Writes a file of numbered samples for each range, and returns their paths.
  func ramps(_ ranges: Range<Int>..., rate: Int = 48_000) throws -> [String] {
    try ranges.enumerated().map { try wav(ramp($1), to: "\($0).wav", rate: rate) }
  }
}

/// Returns the first byte of each frame of an ADTS stream, and its end.
func frameBorders(_ aac: [UInt8]) -> [Int] {
  var borders = [0]
  while let start = borders.last, start < aac.count {
    let length =
      Int(aac[start + 3] & 3) << 11 | Int(aac[start + 4]) << 3 | Int(aac[start + 5] >> 5)
    borders.append(start + length)
  }
  return borders
}
