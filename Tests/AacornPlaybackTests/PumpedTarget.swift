import AacornDevices
import AacornSystem

/// A loudspeaker in the hands of a test: it takes as many frames as it is told to, when it is told.
///
/// It never says when a frame sounds, so a frame is heard when it has been taken, and positions depend
/// on nothing but that.
final class PumpedTarget: PlaybackTarget {
  private struct State {
    var feed: PlaybackFeed?
    var samples: [Float] = []
    var isOpening = false
    var stopCount = 0
    var resumptionCount = 0
    var failure: PlaybackError?
  }

  private let format: PlaybackFormat
  private let state = Lock(State())
  private let gate: Semaphore?

  /// A loudspeaker, which if `isSlow` opens only once it is let to.
  init(sampleRate: Int = 48_000, channelCount: Int = 1, isSlow: Bool = false) {
    format = PlaybackFormat(sampleRate: sampleRate, channelCount: channelCount)
    gate = isSlow ? Semaphore() : nil
  }

  var device: PlaybackDevice? {
    PlaybackDevice(backend: .synthetic, id: "pump", name: "Pump")
  }
  var failure: PlaybackError? { state.withLock { $0.failure } }
  var remarks: [String] { [] }

  /// What was heard.
  var samples: [Float] { state.withLock { $0.samples } }
  var isOpening: Bool { state.withLock { $0.isOpening } }
  var stopCount: Int { state.withLock { $0.stopCount } }
  /// How often it was to take its device back.
  var resumptionCount: Int { state.withLock { $0.resumptionCount } }
  var feed: PlaybackFeed? { state.withLock { $0.feed } }

  func preferredFormat() throws(PlaybackError) -> PlaybackFormat { format }

  func start(_ feed: PlaybackFeed) throws(PlaybackError) {
    state.withLock { $0.isOpening = true }
    if let gate { while !gate.wait(milliseconds: 60_000) {} }
    state.withLock { $0.feed = feed }
  }

  func resume() { state.withLock { $0.resumptionCount += 1 } }

  func stop() { state.withLock { $0.stopCount += 1 } }

  /// Lets it open.
  func open() { gate?.signal() }

  /// Asks for so many frames, and returns how many were samples.
  @discardableResult
  func pump(_ frameCount: Int) -> Int {
    state.withLock { state in
      guard let feed = state.feed else { return 0 }
      var output = [Float](repeating: 0, count: frameCount * format.channelCount)
      let count = unsafe output.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return 0 }
        return unsafe feed.read(frameCount: frameCount, into: start)
      }
      state.samples += output[..<(count * format.channelCount)]
      return count
    }
  }

  /// Tells the player something, as the device does.
  func notify(_ notice: PlaybackNotice) {
    if notice == .failed { state.withLock { $0.failure = .deviceBusy(id: "pump") } }
    feed?.notify(notice)
  }
}
