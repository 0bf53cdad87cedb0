import AudioToolbox
import SimulatedApple

/// All open audio files, and the behavior that a test sets for them.
package enum SimulatedFiles {
  /// Deviations from the default behavior.
  package struct Changes: Sendable {
    /// The maximum number of frames that a call reads.
    package var largestFrameCount = Int.max
    /// The first frame that cannot be read, and the error code.
    package var failure: (frame: Int, status: Int32)?
  }

  private struct Content {
    var last = 0
    var files: [Int: SimulatedSoundFile] = [:]
    var changes = Changes()
  }

  private static let content = Guarded(Content())

  /// The deviations from the default behavior.
  package static var changes: Changes {
    get { content.change(\.changes) }
    set { content.change { $0.changes = newValue } }
  }

  /// The number of open files.
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

  /// Returns the file, or nil if it was closed, which is recorded as a fault of the caller.
  static func find(_ handle: OpaquePointer, _ call: String) -> SimulatedSoundFile? {
    let file = content.change { $0.files[Int(bitPattern: handle)] }
    if file == nil { SimulatedUnits.recordFault("\(call) for a file that was disposed of.") }
    return file
  }

  static func remove(_ handle: OpaquePointer) {
    content.change { _ = $0.files.removeValue(forKey: Int(bitPattern: handle)) }
  }
}
