import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornSystem
import Foundation

/// A temporary folder that is deleted with its owner.
final class Folder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("aacorn-recording-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: file(name))))
  }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: file(name), withIntermediateDirectories: true)
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: file(name)) }

  func removeAll() throws { for name in names { try remove(name) } }

  /// Renames a file or folder; replaces an existing file.
  func move(_ old: String, to new: String) throws {
    try System.rename(file(old), to: file(new))
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: file(name), withDestinationPath: target)
  }

  func setPermissions(_ permissions: Int, of name: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: permissions], ofItemAtPath: file(name))
  }

  func permissions(of name: String) throws -> Int {
    Int(try System.status(of: file(name)).permissions)
  }

  // MARK: Audio

  /// Writes a WAV file of interleaved samples.
  @discardableResult
  func writeWAV(
    _ samples: [Float], to name: String, rate: Int = 44_100, channels: Int = 2,
    encoding: WAVWriter.Encoding = .int16
  ) throws -> String {
    let writer = WAVWriter(encoding: encoding, sampleRate: rate, channelCount: channels)
    var bytes = writer.header(frameCount: UInt64(samples.count / channels))
    writer.append(samples.span, to: &bytes)
    return try write(bytes, to: name)
  }

  /// The number of bytes of samples that the header of a PCM file states.
  func statedByteCount(_ name: String) throws -> UInt64? {
    let bytes = try bytes(name)
    var reader = PCMFileReader()
    guard case .ready(let info) = try reader.push(bytes.span) else { return nil }
    return info.dataByteCount
  }

  /// The samples of an audio file, interleaved, read `pieces` frames at a time.
  func samples(_ name: String, pieces: Int = 4096) throws -> [Float] {
    let reader = try SoundFileReader(file(name))
    var samples: [Float] = []
    while try reader.read(frameCount: pieces, into: &samples) > 0 {}
    return samples
  }
}
