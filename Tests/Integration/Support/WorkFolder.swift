import AacornSystem
import Foundation
import SoundRigs

/// A test folder that is deleted with its object.
final class WorkFolder: Sendable {
  let path: String
  /// The folder for the standard streams of programs, so that `names` contains only files made by
  /// programs.
  private let hiddenPath: String
  private let number = Atomic<Int>(0)

  init() {
    let base = FileManager.default.temporaryDirectory
      .appendingPathComponent("aacorn-integration-\(UUID().uuidString)")
    path = base.appendingPathComponent("work").path
    hiddenPath = base.appendingPathComponent("streams").path
    for folder in [path, hiddenPath] {
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      } catch {
        preconditionFailure("\(error)")
      }
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
  }

  func path(_ name: String) -> String { path + "/" + name }

  func hidden(_ name: String) -> String { hiddenPath + "/" + name }

  func nextNumber() -> Int { number.add(1) + 1 }

  /// Writes a file, creates its parent folders, and returns its path.
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

  /// The current size of a file in bytes, or 0 if the file does not exist.
  func size(of name: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path(name))
    return attributes?[.size] as? Int ?? 0
  }

  /// Waits until a file has grown by `count` bytes.
  ///
  /// Returns false if it has not.
  func waitForGrowth(of name: String, by count: Int) -> Bool {
    var first = 0
    return eventually {
      let size = size(of: name)
      if first == 0 { first = size }
      return first > 0 && size >= first + count
    }
  }

  /// The sorted names in the folder, including hidden ones.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
