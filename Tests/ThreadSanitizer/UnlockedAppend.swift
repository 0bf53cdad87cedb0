import AacornRecording
import AacornSystem

@testable import AacornStreaming

/// Two threads that append to one of our queues, and read copies of it.
///
/// With the argument `locked` they use a lock. Without it, the sanitizer must report a race.
///
/// Scripts/check-threads runs both.
final class Shared: @unchecked Sendable {
  // The fault of the unlocked run: nothing guards the queue. Accesses to a property would be reported by
  // themselves, before those inside the queue.
  private let queue: UnsafeMutablePointer<LiveQueue>
  private let lock = Lock(())
  private let isLocked: Bool

  init(isLocked: Bool) {
    self.isLocked = isLocked
    queue = .allocate(capacity: 1)
    queue.initialize(to: LiveQueue(limit: 1 << 40))
  }

  private func access<Result>(_ body: () -> Result) -> Result {
    isLocked ? lock.withLock { _ in body() } : body()
  }

  func work() {
    for number in 0..<2_000 {
      access {
        _ = queue.pointee.append(EncodedPacket(bytes: [1], position: number, sampleCount: 1024))
      }
      // The copy shares its buffer with the queue until it is released, after the lock.
      var copy = access { queue.pointee }
      _ = copy.start()
    }
  }
}

@main struct UnlockedAppend {
  static func main() {
    let shared = Shared(isLocked: CommandLine.arguments.contains("locked"))
    let threads = (0..<2).compactMap { _ in WorkerThread("test") { shared.work() } }
    for thread in threads { thread.join() }
  }
}
