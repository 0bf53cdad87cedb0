import AacornDevices
import AacornSystem

/// A playback target controlled by a test.
///
/// It pulls frames on request.
final class HandPulledTarget: PlaybackTarget {
  let format: PlaybackFormat
  let device: Device?
  let failure: DeviceError? = nil
  let diagnostics: [String] = []
  private let state = Lock<(feed: PlaybackFeed?, isStopped: Bool)>((nil, false))
  private let resumptions = Lock(0)

  init(_ name: String = "headphones", sampleRate: Int = 48_000, channelCount: Int = 2) {
    format = PlaybackFormat(sampleRate: sampleRate, channelCount: channelCount)
    device = Device(backend: .synthetic, id: name, name: name)
  }

  func preferredFormat() throws(DeviceError) -> PlaybackFormat { format }

  func start(_ feed: PlaybackFeed) throws(DeviceError) { state.withLock { $0.feed = feed } }

  func resume() { resumptions.withLock { $0 += 1 } }

  func stop() { state.withLock { $0.isStopped = true } }

  /// The feed, once the target was started.
  var feed: PlaybackFeed? { state.withLock(\.feed) }

  var resumptionCount: Int { resumptions.withLock(\.self) }

  var isStopped: Bool { state.withLock(\.isStopped) }

  func pull(_ frameCount: Int) -> [Float] {
    var samples = [Float](repeating: 0, count: frameCount * format.channelCount)
    unsafe _ = samples.withUnsafeMutableBufferPointer { unsafe feed?.read(into: $0) }
    return samples
  }
}
