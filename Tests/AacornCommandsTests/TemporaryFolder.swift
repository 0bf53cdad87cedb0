import AacornRecording
import AacornSystem
import Foundation
import Testing

@testable import AacornCommands

/// A folder that is deleted with its object, including its content.
final class TemporaryFolder: Sendable {
  private static let counter = Atomic<Int>(0)

  let path: String

  init() {
    let number = Self.counter.add(1) + 1
    let base = System.environment("TMPDIR") ?? "/tmp"
    path = FileName.joined(base, "aacorn-test-\(System.processNumber)-\(number)")
    do { try System.makeFolder(path) } catch { preconditionFailure("\(path): \(error)") }
  }

  deinit {
    Self.remove(path)
  }

  /// The path of a name in the folder.
  func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file, and creates its parent folders.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = path(name)
    try OutputFile.makeFolders(for: path)
    let file = try OutputFile(path, replacing: true, interruption: Interruption())
    try file.write(bytes)
    try file.commit()
    return path
  }

  /// Writes a text file.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Writes a text file of lines.
  @discardableResult
  func write(lines: [String], to name: String = "all.txt") throws -> String {
    try write(lines.map { $0 + "\n" }.joined(), to: name)
  }

  /// A manifest line in JSON with files in the folder.
  func line(_ input: String, cover: String? = nil, output: String? = nil) -> String {
    let members = [("input", input), ("cover", cover), ("output", output)]
    let texts = members.compactMap { (name, file) in
      file.map { "\"\(name)\": \"\(path($0))\"" }
    }
    return "{" + texts.joined(separator: ", ") + "}"
  }

  func setPermissions(_ permissions: Int, of name: String) {
    #expect(unsafe chmod(path(name), mode_t(permissions)) == 0)
  }

  /// Creates a named pipe.
  func makePipe(_ name: String) { #expect(unsafe mkfifo(path(name), 0o600) == 0) }

  /// Creates a symbolic link.
  func link(_ name: String, to target: String) {
    #expect(unsafe symlink(target, path(name)) == 0)
  }

  func text(_ name: String) throws -> String { String(decoding: try read(name), as: UTF8.self) }

  /// The entries of a ledger.
  func entries(_ name: String = "all.txt.ledger") throws -> [LedgerEntry] {
    try read(name).split(separator: UInt8(ascii: "\n")).map { try #require(LedgerEntry($0)) }
  }

  func read(_ name: String) throws -> [UInt8] {
    try InputFile(path(name), interruption: Interruption()).readAll(limit: 100_000_000)
  }

  /// The sorted names in the folder.
  var names: [String] { ((try? System.names(inFolder: path)) ?? []).sorted() }

  private static func remove(_ path: String) {
    for name in (try? System.names(inFolder: path)) ?? [] {
      let inside = path + "/" + name
      if (try? System.statusOfLink(inside))?.kind == .folder {
        remove(inside)
      } else {
        try? System.remove(inside)
      }
    }
    try? System.removeFolder(path)
  }
}

/// A WAV file of 16-bit samples: a counter that increases by 37.
func wavFile(frames: Int, channels: Int = 2, rate: Int = 44_100) -> [UInt8] {
  var bytes: [UInt8] = []
  func put(_ value: Int, _ count: Int) {
    for shift in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
  }
  let size = frames * channels * 2
  bytes += Array("RIFF".utf8)
  put(36 + size, 4)
  bytes += Array("WAVEfmt ".utf8)
  put(16, 4)
  put(1, 2)
  put(channels, 2)
  put(rate, 4)
  put(rate * channels * 2, 4)
  put(channels * 2, 2)
  put(16, 2)
  bytes += Array("data".utf8)
  put(size, 4)
  for index in 0..<frames * channels { put(index * 37 % 20_000, 2) }
  return bytes
}

extension BatchWork {
  /// The work of a manifest line, without a result of an earlier run.
  init(_ line: ManifestLine, _ settings: BatchCommand = BatchCommand()) {
    self.init(
      line: line, settings: settings, known: nil, interruption: Interruption())
  }
}

extension ManifestLine {
  init(_ text: String, _ settings: BatchCommand = BatchCommand()) throws {
    try self.init(Array(text.utf8)[...], number: 1, settings)
  }
}
