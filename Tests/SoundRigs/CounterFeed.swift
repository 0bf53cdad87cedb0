import AacornSystem
public import Foundation

/// Writes numbered frames to the pipe of a pipe source, like a microphone that never stops.
///
/// Only the clock determines which frame is written. Without a server that reads them, frames are
/// lost, as with a microphone. So a recording's frames can be compared with the time.
public final class CounterFeed: Sendable {
  /// The number of frames per second.
  public let rate = 48_000
  private let channels = 2
  private let pipe: URL
  /// The time of frame 0.
  private let origin = DispatchTime.now().uptimeNanoseconds
  private let backlog: Double
  private let isStopping = Atomic<Bool>(false)
  private let maxDelayFrameCount = Atomic<Int>(0)
  private let maxPauseFrameCount = Atomic<Int>(0)

  /// Starts to feed a pipe.
  ///
  /// Frames that no server reads for longer than `backlog` seconds are lost. The default of 0.04 s
  /// prevents a source that was not read for a while from starting with old frames. A test that
  /// needs every frame but no exact time uses 1 s, for busy machines.
  public init(_ pipe: URL, backlog: Double = 0.04) {
    self.backlog = backlog
    self.pipe = pipe
    Thread.detachNewThread { [self] in run() }
  }

  /// The maximum delay of a frame in seconds, about 0.005 on an idle machine.
  ///
  /// For a reader, frames with a longer delay are missing until they arrive.
  public var maxDelaySeconds: Double {
    Double(maxDelayFrameCount.load(ordering: .relaxed)) / Double(rate)
  }

  /// The longest pause of the feed, caused by a busy machine, in frames.
  public var maxIdleFrameCount: Int { maxPauseFrameCount.load(ordering: .relaxed) }

  /// Resets the maximum delay.
  public func resetMaxDelay() { maxDelayFrameCount.store(0, ordering: .relaxed) }

  /// Stops feeding the pipe.
  public func stop() { isStopping.store(true, ordering: .relaxed) }

  /// Returns the value of a frame: ((7n + 4099c) mod 65,536) − 32,768.
  public static func value(frame: Int, channel: Int) -> Int16 {
    Int16(truncatingIfNeeded: ((frame &* 7 &+ channel &* 4099) & 0xFFFF) - 32_768)
  }

  private func run() {
    // The end of a server must not end the test.
    System.blockPipeSignal()
    // If the system allows it, run with high priority, like a microphone.
    _ = System.raiseThreadPriority()
    var descriptor: Int32 = -1
    var frame = 0
    var lastDue: Int?
    while !isStopping.load(ordering: .relaxed) {
      usleep(5000)
      let now = Int(DispatchTime.now().uptimeNanoseconds - origin)
      let due = now / 1_000_000 * rate / 1000
      maxPauseFrameCount.store(
        max(maxPauseFrameCount.load(ordering: .relaxed), due - (lastDue ?? due)), ordering: .relaxed
      )
      lastDue = due
      if descriptor < 0 {
        descriptor = unsafe open(pipe.path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        // 1031 is F_SETPIPE_SZ, which Swift's module of the C library lacks.
        let size = Double(2 * channels * rate) * backlog
        if descriptor >= 0 { _ = fcntl(descriptor, 1031, Int32(size)) }
        frame = due
        continue
      }
      // Frames that do not fit in the pipe are lost, as with a microphone.
      frame = max(frame, due - Int(Double(rate) * backlog))
      var bytes: [Int16] = []
      for index in frame..<max(frame, due) {
        for channel in 0..<channels { bytes.append(Self.value(frame: index, channel: channel)) }
      }
      if bytes.isEmpty { continue }
      maxDelayFrameCount.store(
        max(maxDelayFrameCount.load(ordering: .relaxed), due - frame), ordering: .relaxed)
      let count = unsafe bytes.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, $0.count)
      }
      if count == bytes.count * 2 {
        frame = due
      } else if count > 0 {
        // A partial frame would shift all later ones.
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
