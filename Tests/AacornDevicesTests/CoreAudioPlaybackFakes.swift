import AacornSignal
import AacornSystem

@testable import AacornDevices

/// Fake outputs that a test controls.
final class FakePlaybackHardware: CoreAudioPlaybackHardware {
  struct Content {
    var device: Device? = FakePlaybackHardware.loudspeakers
    var latency: Int64 = 0
    var layout: ChannelLayout?
    var openError: DeviceError?
    var activateError: DeviceError?
    var startError: DeviceError?
    var post: (@Sendable (CoreAudioEvent) -> Void)?
    var log: [String] = []
    /// The number of open units, at most one.
    var openCount = 0
    var isActive = false
    var lastOrder: CoreAudioPlaybackOrder?
    /// The played samples, block by block.
    var blocks: [[Float]] = []
  }

  static let loudspeakers = Device(
    backend: .coreAudio, id: "speakers", name: "Loudspeakers", channelCount: 2, sampleRate: 48_000)
  static let headphones = Device(
    backend: .coreAudio, id: "headphones", name: "Headphones", channelCount: 2, sampleRate: 44_100)

  let request = PlaybackRequest()
  private let content = Lock(Content())

  /// The current state.
  var value: Content { content.withLock { $0 } }

  func change<Result: Sendable>(_ body: (inout Content) -> Result) -> Result {
    content.withLock { body(&$0) }
  }

  /// Sends an event to the target, as the system would.
  func post(_ event: CoreAudioEvent) {
    value.post?(event)
  }

  var log: [String] { value.log }

  /// The number of times that `entry` is in the log.
  func count(_ entry: String) -> Int { log.filter { $0 == entry }.count }

  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation {
    change { $0.post = post }
    return FakeObservation { [self] in
      change {
        $0.log.append("unobserve")
        $0.post = nil
      }
    }
  }

  func activate() throws(DeviceError) -> [String] {
    let error = change { content in
      content.log.append("activate")
      content.isActive = content.activateError == nil
      return content.activateError
    }
    if let error { throw error }
    return ["a remark"]
  }

  func deactivate() {
    change {
      $0.log.append("deactivate")
      $0.isActive = false
    }
  }

  func route() throws(DeviceError) -> CoreAudioRoute {
    let now = value
    guard let device = now.device else { throw .noDevice(for: .playback, backend: .coreAudio) }
    return CoreAudioRoute(device: device, latency: now.latency, layout: now.layout)
  }

  func open(
    _ order: CoreAudioPlaybackOrder, _ makeRenderer: (Int, Int64) -> CoreAudioFeedRenderer
  ) throws(DeviceError) -> any CoreAudioStream {
    if let error = value.openError { throw error }
    let device = order.route.device
    change {
      $0.log.append("open \(device.id)")
      $0.lastOrder = order
      $0.openCount += 1
    }
    return FakePlaybackStream(self, makeRenderer(device.channelCount, 0), device.channelCount)
  }
}

/// A unit that plays one block when it starts.
private final class FakePlaybackStream: CoreAudioStream {
  let feed: CoreAudioFeedRenderer
  let diagnostics: [String] = []
  private let hardware: FakePlaybackHardware
  private let channelCount: Int
  private var isOpen = true

  init(_ hardware: FakePlaybackHardware, _ feed: CoreAudioFeedRenderer, _ channelCount: Int) {
    self.hardware = hardware
    self.feed = feed
    self.channelCount = channelCount
  }

  func start() throws(DeviceError) {
    if let error = hardware.value.startError { throw error }
    let block = feed.block(frameCount: 480, channelCount: channelCount).samples
    hardware.change { $0.blocks.append(block) }
  }

  func update(latency: Int64) {
    feed.update(latency: latency)
    hardware.change { $0.log.append("latency \(latency)") }
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    hardware.change {
      $0.log.append("close")
      $0.openCount -= 1
    }
  }
}

extension CoreAudioFeedRenderer {
  /// Fills a block that contained noise; returns the block and whether it is audible.
  func block(
    frameCount: Int, channelCount: Int, count: Double? = nil,
    stamp: CoreAudioSoundClock.PresentationStamp? = nil
  ) -> (samples: [Float], isAudible: Bool) {
    var samples = [Float](repeating: 99, count: max(1, frameCount * channelCount))
    let isAudible = unsafe samples.withUnsafeMutableBufferPointer { buffer -> Bool in
      guard let start = buffer.baseAddress else { return false }
      return unsafe fill(start, frameCount: frameCount, count: count, stamp: stamp)
    }
    return (samples, isAudible)
  }
}
