#if os(Linux)
import AacornSystem

/// The folder with the device files of sound cards, which changes when a card is connected or
/// disconnected.
final class ALSADeviceFolder: ListWatchRun {
  private let path: String
  private let pipe: WakePipe
  private let parentWatch: FolderWatch
  private let watch: FolderWatch
  /// Whether the folder existed at the beginning.
  private let existed: Bool
  private let isEnding = Atomic(false)

  let endTimeout = 900

  /// Creates a watch of the folder `name` in `parent`; without a sound card, the folder does not
  /// exist.
  init?(_ parent: String = "/dev", _ name: String = "snd") {
    guard let pipe = WakePipe(), let parentWatch = FolderWatch(), let watch = FolderWatch(),
      parentWatch.add(parent)
    else { return nil }
    path = "\(parent)/\(name)"
    existed = watch.add(path)
    (self.pipe, self.parentWatch, self.watch) = (pipe, parentWatch, watch)
  }

  func requestEnd() {
    isEnding.store(true, ordering: .releasing)
    pipe.wake()
  }

  /// Calls `change` after each change of the folder, until the end is requested.
  ///
  /// It does not open any file: that would wake the hardware.
  func watch(_ change: @Sendable () -> Void) {
    let descriptors = [pipe.reading, parentWatch.descriptor, watch.descriptor]
    var isPresent = existed
    while !isEnding.load(ordering: .acquiring) {
      _ = System.wait(forAny: descriptors, milliseconds: -1)
      let hasChanges = System.isReadable(watch.descriptor)
      watch.drain()
      parentWatch.drain()
      let wasPresent = isPresent
      // Adding a folder that is already watched has no effect.
      isPresent = watch.add(path)
      if hasChanges || isPresent != wasPresent, !isEnding.load(ordering: .acquiring) { change() }
    }
  }
}
#endif
