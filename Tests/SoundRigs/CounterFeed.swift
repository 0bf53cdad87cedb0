import AacornSystem
public import Foundation

/// Writes numbered frames into a pipe source's pipe, as a microphone would that never stops.
///
/// Which frame is written depends on the clock alone: while there is no server to take them, frames
/// pass unheard, as sound does. So a recording's frames can be compared with the time.
public final class CounterFeed: Sendable {
  /// Frames a second.
  public let rate: Int
  /// Samples in a frame.
  public let channels: Int
  private let pipe: URL
  private let origin: UInt64
  private let backlog: Double
  private let isStopping = Atomic<Bool>(false)
  private let longestWait = Atomic<Int>(0)
  private let longestPause = Atomic<Int>(0)

  /// Begins to feed a pipe, with frame 0 at `origin` (of `DispatchTime`), or now.
  ///
  /// Frames that nobody reads for longer than `backlog` seconds are lost. A twenty-fifth, so that a
  /// source which nobody reads for a while does not begin with what is long past; where every frame
  /// counts and the time does not, a second bears with a busy machine.
  public init(
    _ pipe: URL, rate: Int = 48_000, channels: Int = 2, origin: UInt64? = nil,
    backlog: Double = 0.04
  ) {
    self.backlog = backlog
    self.pipe = pipe
    self.rate = rate
    self.channels = channels
    self.origin = origin ?? DispatchTime.now().uptimeNanoseconds
    Thread.detachNewThread { [self] in run() }
  }

  /// When frame 0 was, so that another feed can count the same frames.
  public var start: UInt64 { origin }

  /// The longest that a frame came after its time, in seconds.
  ///
  /// Five milliseconds where the machine is idle. For whoever listens, frames that come later than
  /// that are missing until they come.
  public var longestDelay: Double { Double(longestWait.load(ordering: .relaxed)) / Double(rate) }

  /// The longest that nothing was fed because the machine had other things to do, in frames.
  public var longestRest: Int { longestPause.load(ordering: .relaxed) }

  /// Forgets how late frames have come until now.
  public func forgetDelay() { longestWait.store(0, ordering: .relaxed) }

  /// Stops feeding.
  public func stop() { isStopping.store(true, ordering: .relaxed) }

  /// The value of a frame: ((7n + 4099c) mod 65,536) − 32,768.
  public static func value(frame: Int, channel: Int) -> Int16 {
    Int16(truncatingIfNeeded: ((frame &* 7 &+ channel &* 4099) & 0xFFFF) - 32_768)
  }

  private func run() {
    // A server that dies must not take the test along.
    var pipeSignal = sigset_t()
    unsafe sigemptyset(&pipeSignal)
    unsafe sigaddset(&pipeSignal, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)
    // Where that is allowed, a microphone does not wait for its turn.
    _ = System.raiseThreadPriority()
    var descriptor: Int32 = -1
    var frame = 0
    var lastDue: Int?
    while !isStopping.load(ordering: .relaxed) {
      usleep(5000)
      let now = Int(DispatchTime.now().uptimeNanoseconds - origin)
      let due = now / 1_000_000 * rate / 1000
      longestPause.store(
        max(longestPause.load(ordering: .relaxed), due - (lastDue ?? due)), ordering: .relaxed)
      lastDue = due
      if descriptor < 0 {
        descriptor = unsafe open(pipe.path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        // F_SETPIPE_SZ, which Swift's module of the C library lacks, is 1031.
        let size = Double(2 * channels * rate) * backlog
        if descriptor >= 0 { _ = fcntl(descriptor, 1031, Int32(size)) }
        frame = due
        continue
      }
      // What a pipe does not take is lost, as with a microphone.
      frame = max(frame, due - Int(Double(rate) * backlog))
      var bytes: [Int16] = []
      for index in frame..<max(frame, due) {
        for channel in 0..<channels { bytes.append(Self.value(frame: index, channel: channel)) }
      }
      if bytes.isEmpty { continue }
      longestWait.store(
        max(longestWait.load(ordering: .relaxed), due - frame), ordering: .relaxed)
      let count = unsafe bytes.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, $0.count)
      }
      if count == bytes.count * 2 {
        frame = due
      } else if count > 0 {
        // A frame torn in two would shift all that follow.
        frame += count / (2 * channels)
        if count % (2 * channels) != 0 {
          close(descriptor)
          descriptor = -1
        }
      } else if errno != EAGAIN {
        close(descriptor)
        descriptor = -1
      }
    }
    if descriptor >= 0 { close(descriptor) }
  }
}
