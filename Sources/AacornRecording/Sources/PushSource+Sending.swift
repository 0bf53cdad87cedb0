public import AacornDevices
import AacornSignal

extension PushSource {
  /// Takes whole interleaved frames, waiting for room without holding a thread.
  ///
  /// False if the recording has ended, or the task was canceled.
  @discardableResult
  public func send(_ samples: [Float]) async -> Bool {
    precondition(samples.count % channelCount == 0, "Only whole frames can be pushed")
    var start = 0
    while start < samples.count {
      if isOver || Task.isCancelled { return false }
      let end = min(samples.count, start + longestBlock)
      if push(samples.span.extracting(start..<end)) || followsClock {
        start = end
      } else {
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    return true
  }
}
