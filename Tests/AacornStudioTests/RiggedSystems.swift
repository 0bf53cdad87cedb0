import AacornDevices
import AacornSystem
import DeviceRigs
import SoundRigs

/// A sound system whose devices the test adds and removes; their signal is a sine of 440 Hz.
enum RiggedSystem: DeviceSystem {
  struct State {
    var devices: [Device] = []
    var sourceError: DeviceError?
    var faults = SyntheticFaults()
    var watchers: [Int: @Sendable () -> Void] = [:]
    var watcherCount = 0
    /// Whether listing the devices blocks, until this property is false.
    var isHeld = false
    /// The frame before which the devices block until this property is nil.
    var hold: Int?
    /// The error with which the devices fail, or nil while they work.
    var breakage: DeviceError?
  }

  static let state = Lock(State())
  static var backend: DeviceBackend { .pulseAudio }

  static func checkAvailability(for direction: DeviceDirection) throws(DeviceError) {
    _ = eventually { !state.withLock(\.isHeld) }
  }

  static func devices(for direction: DeviceDirection) -> [Device] { state.withLock(\.devices) }

  static func makeSource(_ request: CaptureRequest) throws(DeviceError) -> any CaptureSource {
    let (sourceError, faults, devices) = state.withLock { ($0.sourceError, $0.faults, $0.devices) }
    if let sourceError { throw sourceError }
    var device = devices.first { $0.isDefault } ?? devices[0]
    if case .pinned(let id) = request.device { device = devices.first { $0.id == id } ?? device }
    return FaultySource(device, playing: RiggedTone(), faults: faults)
  }

  static func makeTarget(_ request: PlaybackRequest) throws(DeviceError) -> any PlaybackTarget {
    throw .noDevice(for: .playback, backend: backend)
  }

  static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    let number = state.withLock { state in
      state.watcherCount += 1
      state.watchers[state.watcherCount] = change
      return state.watcherCount
    }
    return Watch(number)
  }

  private final class Watch: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
    deinit { RiggedSystem.state.withLock { $0.watchers[number] = nil } }
  }

  static func device(_ id: String, isDefault: Bool = false) -> Device {
    Device(
      backend: .pulseAudio, id: id, name: "Microphone \(id)", channelCount: 2, sampleRate: 48_000,
      isDefault: isDefault)
  }

  /// Resets the system to these devices, of which the first is the default.
  static func reset(_ ids: [String], faults: SyntheticFaults = SyntheticFaults()) {
    state.withLock { state in
      state.devices = ids.enumerated().map { device($1, isDefault: $0 == 0) }
      state.sourceError = nil
      state.faults = faults
      state.isHeld = false
      state.hold = nil
      state.breakage = nil
    }
  }

  /// Replaces the devices, as if they were plugged in or out, and notifies the watchers.
  static func change(_ ids: [String]) {
    reset(ids)
    for watcher in state.withLock({ $0.watchers.values.map { $0 } }) { watcher() }
  }
}

/// A sine of 440 Hz at half of full scale in the first channel, and at a quarter in the second.
struct SineSignal: SyntheticSignal {
  let sampleRate = 48_000
  let channelCount = 2
  private var cosine = 1.0
  private var sine = 0.0

  // Cosine and sine of 2π · 440 / 48000.
  private static let step = (0.998_341_673_968_886_8, 0.057_564_026_959_567_3)

  mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    for _ in 0..<frameCount {
      samples += [Float(sine * 0.5), Float(sine * 0.25)]
      (cosine, sine) = (
        cosine * Self.step.0 - sine * Self.step.1, sine * Self.step.0 + cosine * Self.step.1
      )
      let scale = 1.5 - 0.5 * (cosine * cosine + sine * sine)
      (cosine, sine) = (cosine * scale, sine * scale)
    }
    return frameCount
  }
}

/// A tone that a test can end, or hold at a frame in order to observe a short state.
private struct RiggedTone: SyntheticSignal {
  private var tone = SineSignal()
  private var position = 0

  var sampleRate: Int { tone.sampleRate }
  var channelCount: Int { tone.channelCount }
  var failure: DeviceError? { RiggedSystem.state.withLock(\.breakage) }

  mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    _ = eventually { RiggedSystem.state.withLock { $0.hold ?? .max } > position }
    if failure != nil { return 0 }
    let count = tone.read(into: &samples, frameCount: frameCount)
    position += count
    return count
  }
}
