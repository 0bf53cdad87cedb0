import AacornSystem
import Foundation
import SoundRigs

/// A folder of a test, which goes away with the object.
final class WorkFolder: Sendable {
  let path: String
  /// Where the streams of programs go, so that `names` shows only what the programs made.
  private let hiddenPath: String
  private let number = Atomic<Int>(0)

  init() throws {
    let base = FileManager.default.temporaryDirectory
      .appendingPathComponent("aacorn-integration-\(UUID().uuidString)")
    path = base.appendingPathComponent("work").path
    hiddenPath = base.appendingPathComponent("streams").path
    for folder in [path, hiddenPath] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
  }

  func path(_ name: String) -> String { path + "/" + name }

  func hidden(_ name: String) -> String { hiddenPath + "/" + name }

  func nextNumber() -> Int { number.add(1) + 1 }

  /// Makes a file, and the folders it is in; returns its path.
  @discardableResult
  func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    let url = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return url.path
  }

  func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// Bytes of a file so far; 0 as long as there is none.
  func size(of name: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path(name))
    return attributes?[.size] as? Int ?? 0
  }

  /// Waits until a file has grown by so many bytes; false if it never has.
  func waitForGrowth(of name: String, by count: Int) -> Bool {
    var first = 0
    return comesTrue {
      let size = size(of: name)
      if first == 0 { first = size }
      return first > 0 && size >= first + count
    }
  }

  /// The names inside, hidden ones too, in order.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
