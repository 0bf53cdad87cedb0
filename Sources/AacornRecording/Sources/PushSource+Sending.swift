public import AacornDevices
import AacornSignal

extension PushSource {
  /// Sends complete interleaved frames, waiting for room without blocking a thread.
  ///
  /// Returns false if the recording has ended, or the task was canceled. An incomplete frame ends
  /// the recording with the `failure`, before any of the samples is accepted.
  @discardableResult
  public func send(_ samples: [Float]) async -> Bool {
    guard acceptsFrames(sampleCount: samples.count) else { return false }
    var start = 0
    while start < samples.count {
      if isClosed || Task.isCancelled { return false }
      let end = min(samples.count, start + maxBlockSampleCount)
      if push(samples.span.extracting(start..<end)) || followsClock {
        start = end
      } else {
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    return true
  }
}
