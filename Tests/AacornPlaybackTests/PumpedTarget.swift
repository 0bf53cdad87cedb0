import AacornDevices
import AacornSystem

/// A loudspeaker controlled by a test, which plays the requested number of frames on request.
///
/// It reports no times, so a frame counts as played when it has been read. Positions depend only on
/// that.
final class PumpedTarget: PlaybackTarget {
  private struct State {
    var feed: PlaybackFeed?
    var samples: [Float] = []
    /// The numbers of written and missing frames at the last read.
    var readCounts = (written: 0, missing: 0)
    /// The number of frames that were missing before the last samples were written.
    var missingCountBeforeEnd = 0
    var isOpening = false
    var stopCount = 0
    var resumptionCount = 0
    var failure: DeviceError?

    @discardableResult
    mutating func updateMissingCount() -> Int {
      if let feed, feed.writtenFrameCount > readCounts.written {
        missingCountBeforeEnd = readCounts.missing
      }
      return missingCountBeforeEnd
    }
  }

  private let format: PlaybackFormat
  private let state = Lock(State())
  private let gate: Semaphore?

  /// Creates a loudspeaker.
  ///
  /// If `isSlow`, its start blocks until `open()`.
  init(sampleRate: Int = 48_000, channelCount: Int = 1, isSlow: Bool = false) {
    format = PlaybackFormat(sampleRate: sampleRate, channelCount: channelCount)
    gate = isSlow ? Semaphore() : nil
  }

  var device: Device? {
    Device(backend: .synthetic, id: "pump", name: "Pump")
  }
  var failure: DeviceError? { state.withLock { $0.failure } }
  var diagnostics: [String] { [] }

  var samples: [Float] { state.withLock { $0.samples } }
  /// The number of frames that were missing before the last samples were written.
  var missingCountBeforeEnd: Int { state.withLock { $0.updateMissingCount() } }
  var isOpening: Bool { state.withLock { $0.isOpening } }
  var stopCount: Int { state.withLock { $0.stopCount } }
  var resumptionCount: Int { state.withLock { $0.resumptionCount } }
  var feed: PlaybackFeed? { state.withLock { $0.feed } }

  func preferredFormat() throws(DeviceError) -> PlaybackFormat { format }

  func start(_ feed: PlaybackFeed) throws(DeviceError) {
    state.withLock { $0.isOpening = true }
    if let gate { while !gate.wait(milliseconds: 60_000) {} }
    state.withLock { $0.feed = feed }
  }

  func resume() { state.withLock { $0.resumptionCount += 1 } }

  func stop() { state.withLock { $0.stopCount += 1 } }

  func open() { gate?.signal() }

  /// Plays `frameCount` frames, and returns the number of frames that were not silence.
  @discardableResult
  func pump(_ frameCount: Int) -> Int {
    state.withLock { state in
      guard let feed = state.feed else { return 0 }
      state.updateMissingCount()
      // The read lets other threads continue, which may write.
      let writtenCount = feed.writtenFrameCount
      var output = [Float](repeating: 0, count: frameCount * format.channelCount)
      let count = unsafe output.withUnsafeMutableBufferPointer { unsafe feed.read(into: $0) }
      state.readCounts = (writtenCount, feed.missingFrameCount)
      state.samples += output[..<(count * format.channelCount)]
      return count
    }
  }

  /// Sends the player a notice, as the device does.
  func notify(_ event: DeviceEvent) {
    if event == .failed { state.withLock { $0.failure = .deviceBusy(id: "pump") } }
    feed?.notify(event)
  }
}
