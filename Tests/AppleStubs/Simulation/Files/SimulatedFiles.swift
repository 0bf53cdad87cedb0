import AudioToolbox
import SimulatedApple

/// All sound files that are open, and how a test wants them to behave.
package enum SimulatedFiles {
  /// What is not as usual.
  package struct Changes: Sendable {
    /// Frames that a call reads at most.
    package var largestFrameCount = Int.max
    /// The frame from which on reading fails, and with what.
    package var failure: (frame: Int, status: Int32)?
  }

  private struct Content {
    var last = 0
    var files: [Int: SimulatedSoundFile] = [:]
    var changes = Changes()
  }

  private static let content = Guarded(Content())

  /// What is not as usual.
  package static var changes: Changes {
    get { content.change(\.changes) }
    set { content.change { $0.changes = newValue } }
  }

  /// How many are open.
  package static var openCount: Int { content.change(\.files.count) }

  package static func reset() {
    content.change { $0 = Content() }
  }

  static func add(_ file: SimulatedSoundFile) -> OpaquePointer? {
    let number = content.change { content in
      content.last += 1
      content.files[content.last] = file
      return content.last
    }
    return unsafe OpaquePointer(bitPattern: number)
  }

  /// The file; nil, and a fault of the caller, if it was closed.
  static func find(_ handle: OpaquePointer, _ call: String) -> SimulatedSoundFile? {
    let file = content.change { $0.files[Int(bitPattern: handle)] }
    if file == nil { SimulatedUnits.blame("\(call) for a file that was disposed of.") }
    return file
  }

  static func remove(_ handle: OpaquePointer) {
    content.change { _ = $0.files.removeValue(forKey: Int(bitPattern: handle)) }
  }
}
