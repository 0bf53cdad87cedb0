import CAacornAtomics

/// A simulation of the clock and the scheduler, in which tests run.
///
/// A thread inside a world uses the world where it would use the system: to read a clock, to sleep,
/// to wait, and to start threads. One thread of a world runs at a time. At each of these calls, the
/// world may let another thread continue. Its time advances to the next deadline if all threads
/// wait, so a test of minutes runs in milliseconds. Calls to the disk can fail.
package protocol World: AnyObject, Sendable {
  /// The monotonic clock, in nanoseconds.
  var nanoseconds: Int64 { get }
  /// The wall clock, in nanoseconds since the start of 1970.
  var wallNanoseconds: Int64 { get }
  /// The time that the computer has slept, in nanoseconds.
  var sleptNanoseconds: Int64 { get }

  /// Runs another thread first if the schedule requires it.
  func pass(_ reason: WaitReason)

  /// Waits until `isReady` returns true or the monotonic clock reaches `deadline` (nil for no
  /// limit); returns false on timeout.
  ///
  /// The world calls `isReady` on any of its threads.
  func wait(for reason: WaitReason, until deadline: Int64?, _ isReady: () -> Bool) -> Bool

  /// Makes a call to the disk, or fails with an error in `errno`.
  ///
  /// `perform` makes the call for at most the given number of bytes, and returns its result.
  func access(_ call: DiskCall, count: Int, _ perform: (_ count: Int) -> Int) -> Int
  /// Records a new descriptor that is not a file's.
  func note(_ descriptor: Int32)

  /// Adds a thread, which continues when it calls `SimulatedThread.run`.
  func makeThread() -> SimulatedThread
  /// Removes a thread that the system could not create.
  func discard(_ thread: SimulatedThread)
  /// Waits until the schedule lets a new thread continue.
  func begin(_ thread: SimulatedThread)
  /// Removes a thread that has ended, and lets another one continue.
  func end(_ thread: SimulatedThread)

  /// The network of this world.
  var network: any WorldNetwork { get }
}

/// A network whose addresses and ports exist in one world only.
package protocol WorldNetwork: AnyObject {
  /// Opens a socket that occupies a port of an address; port 0 selects a free port.
  func openPort(
    _ port: Int, of address: String, isListening: Bool
  ) throws(SystemError) -> Int32
  /// Returns the port of a socket; 0 for a socket file.
  func port(of socket: Int32) -> Int
  /// Returns the abstract name of the Unix domain socket that listens at an address and port.
  func socketName(of address: String, port: Int) -> String
  /// Returns the error number with which the next `accept` must fail; nil for no failure.
  func takeAcceptError() -> Int32?
  /// Prepares an accepted socket, and returns the bytes of the client's address; empty for a client
  /// of a socket file.
  func admit(_ socket: Int32) -> [UInt8]
  /// Returns the maximum number of bytes for the next call that sends or receives `count` bytes.
  func transferLimit(_ count: Int) -> Int
}

/// The call of a simulated thread at which another thread may continue.
package enum WaitReason: String, Sendable {
  case clock, lock, signal, wait, sleep, poll, start, join, spin
}

/// A call of the system that reaches the disk.
package enum DiskCall: Sendable {
  case open(String, creates: Bool)
  case close(Int32)
  case read(Int32)
  case write(Int32, at: Int?)
  case truncate(Int32)
  case synchronize(Int32)
  case rename(String, to: String)
  case link(String, to: String)
  case remove(String)
  case makeFolder(String)
  case removeFolder(String)
}

/// Transfers bytes to or from the disk; a world may transfer fewer of them, or fail.
@inline(__always)
func onDisk(_ call: @autoclosure () -> DiskCall, _ count: Int, _ perform: (Int) -> Int) -> Int {
  guard let thread = SimulatedThread.current else { return perform(count) }
  return thread.world.access(call(), count: count, perform)
}

/// Makes a call to the disk; a world may fail instead.
@inline(__always)
func onDisk(_ call: @autoclosure () -> DiskCall, _ perform: () -> Int32) -> Int32 {
  guard let thread = SimulatedThread.current else { return perform() }
  return Int32(truncatingIfNeeded: thread.world.access(call(), count: 0) { _ in Int(perform()) })
}

/// Reports a new descriptor that is not a file's to the caller's world, and returns it.
func noted(_ descriptor: Int32) -> Int32 {
  if descriptor >= 0 { SimulatedThread.current?.world.note(descriptor) }
  return descriptor
}

/// A thread of a simulated world.
package final class SimulatedThread: @unchecked Sendable {
  // Unchecked because the world orders all access: it runs one thread at a time.

  package let world: any World
  /// The number of the thread in the order of creation.
  package let number: Int
  /// Whether the thread has ended.
  package var hasEnded = false
  /// Whether its owner has joined or detached the thread.
  package var isReleased = false

  package init(_ number: Int, of world: any World) {
    self.number = number
    self.world = world
  }

  /// The simulated thread that calls; nil outside simulations.
  @inline(__always)
  package static var current: SimulatedThread? {
    guard let pointer = unsafe aacorn_simulated_thread() else { return nil }
    return unsafe Unmanaged<SimulatedThread>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Makes the calling thread this thread of the world while `body` runs.
  package func run(_ body: () -> Void) {
    unsafe aacorn_set_simulated_thread(Unmanaged.passUnretained(self).toOpaque())
    world.begin(self)
    body()
    hasEnded = true
    world.end(self)
    aacorn_set_simulated_thread(nil)
  }
}

extension World {
  /// Waits until the monotonic clock reaches a time.
  func sleep(until deadline: Int64) {
    _ = wait(for: .sleep, until: deadline) { false }
  }

  /// Returns the time of the monotonic clock after `milliseconds`; nil for a negative number, which
  /// means no limit.
  func deadline(after milliseconds: Int) -> Int64? {
    guard milliseconds >= 0 else { return nil }
    return nanoseconds + Int64(min(milliseconds, Int(Int32.max))) * 1_000_000
  }
}

extension System {
  /// Runs other threads first; for loops that wait for another thread without sleeping.
  package static func spin() { SimulatedThread.current?.world.pass(.spin) }
}

extension System {
  /// Returns the abstract name of the Unix domain socket that replaces a server's address in the
  /// caller's world; nil outside simulations.
  package static func simulatedSocket(of address: String, port: Int) -> String? {
    SimulatedThread.current?.world.network.socketName(of: address, port: port)
  }

  /// Whether worlds can replace the system.
  ///
  /// The thread sanitizer needs real threads, and the simulation is for Linux.
  package static var canSimulate: Bool {
    #if canImport(Darwin)
    false
    #else
    !hasThreadSanitizer
    #endif
  }
}
