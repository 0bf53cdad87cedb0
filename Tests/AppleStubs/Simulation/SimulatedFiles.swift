import AudioToolbox
import SimulatedApple

/// All open audio files, and the behavior that a test sets for them.
package enum SimulatedFiles {
  /// Deviations from the default behavior.
  package struct Changes: Sendable {
    /// The maximum number of frames that a call reads.
    package var largestFrameCount = Int.max
    /// The tag of each file's channel layout; nil for none.
    package var layoutTag: UInt32?
  }

  static let handles = Handles<SimulatedSoundFile>(to: "file")
  private static let content = Guarded(Changes())

  /// The deviations from the default behavior.
  package static var changes: Changes {
    get { content.change { $0 } }
    set { content.change { $0 = newValue } }
  }

  /// The number of open files.
  package static var openCount: Int { handles.count }

  package static func reset() {
    handles.removeAll()
    changes = Changes()
  }
}
