import CAacornAtomics

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A thread for long-running work, which its owner must join or detach.
///
/// Encoding consists of long computations, which plain threads run without the memory cost of a
/// concurrency runtime.
@safe
package struct WorkerThread {
  private final class Body {
    let name: String
    let thread: SimulatedThread?
    private let work: @Sendable () -> Void
    private let ended: Semaphore

    init(
      _ name: String, _ work: @escaping @Sendable () -> Void, _ thread: SimulatedThread?,
      _ ended: Semaphore
    ) {
      precondition(name.utf8.count <= 15)
      self.name = name
      self.work = work
      self.thread = thread
      self.ended = ended
    }

    func run() {
      WorkerThread.setName(name)
      work()
      ended.signal()
    }
  }

  #if canImport(Darwin)
  private var handle: pthread_t?
  #else
  private var handle = pthread_t()
  #endif

  /// This thread as a simulated thread, in the world of the thread that started it; nil outside
  /// simulations.
  private let thread: SimulatedThread?
  /// Signaled when the work is done.
  private let ended = Semaphore()

  /// Starts a thread; nil if the system cannot create one.
  ///
  /// Debuggers and `top -H` show its name, which Linux limits to 15 bytes.
  package init?(_ name: String, _ run: @escaping @Sendable () -> Void) {
    thread = SimulatedThread.current?.world.makeThread()
    let body = unsafe Unmanaged.passRetained(Body(name, run, thread, ended)).toOpaque()
    let result = unsafe pthread_create(&handle, nil, Self.start, body)
    if result != 0 {
      unsafe Unmanaged<Body>.fromOpaque(body).release()
      if let thread { thread.world.discard(thread) }
      return nil
    }
    thread?.world.pass(.start)
  }

  /// Waits for the thread to end; on the thread itself, only detaches it.
  package func join() {
    if isCurrent { return detach() }
    thread?.isReleased = true
    if let thread, !thread.hasEnded {
      _ = thread.world.wait(for: .join, until: nil) { thread.hasEnded }
    }
    #if canImport(Darwin)
    if let handle = unsafe handle { _ = unsafe pthread_join(handle, nil) }
    #else
    _ = pthread_join(handle, nil)
    #endif
  }

  /// Waits at most this long for the thread to end, and abandons it if it does not.
  ///
  /// Returns whether it has ended. On the thread itself, the method only detaches it.
  @discardableResult
  package func join(milliseconds: Int) -> Bool {
    let hasEnded = !isCurrent && ended.wait(milliseconds: milliseconds)
    if hasEnded { join() } else { detach() }
    return hasEnded
  }

  private var isCurrent: Bool {
    #if canImport(Darwin)
    unsafe pthread_equal(handle, pthread_self()) != 0
    #else
    pthread_equal(handle, pthread_self()) != 0
    #endif
  }

  /// Releases the thread without waiting for its end.
  package func detach() {
    thread?.isReleased = true
    #if canImport(Darwin)
    if let handle = unsafe handle { _ = unsafe pthread_detach(handle) }
    #else
    _ = pthread_detach(handle)
    #endif
  }

  #if canImport(Darwin)
  private static let start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
    unsafe run($0)
  }
  #else
  private static let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
    { unsafe run($0) }
  #endif

  /// Sets the name of the current thread.
  private static func setName(_ name: String) {
    #if canImport(Darwin)
    unsafe pthread_setname_np(name)
    #elseif os(Linux) || os(Android)
    unsafe aacorn_set_thread_name(name)
    #endif
  }

  private static func run(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let body = unsafe body else { return nil }
    guard let thread = unsafe Unmanaged<Body>.fromOpaque(body).takeUnretainedValue().thread else {
      unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
      return nil
    }
    // The objects of the closure are released before the thread leaves its world.
    thread.run { unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
    return nil
  }
}
