public import AacornDevices
import AacornSignal

extension PushSource {
  /// Sends complete interleaved frames, waiting for room without blocking a thread.
  ///
  /// A live source does not wait: samples without room become a gap. Returns false if no recording
  /// accepts samples, or if the task was canceled; some of the samples may have been accepted
  /// before.
  ///
  /// If the last frame is incomplete, no samples are accepted, and the recording ends with the
  /// source's `failure`.
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
