import AacornDevices
import AacornSystem
import Testing

/// A device controlled by a test.
///
/// It delivers counted frames on request.
///
/// Its timestamps imitate a device that never stops: frame n is captured n/48,000 s after the
/// origin. So the recording depends only on the delivered frames.
final class HandFedSource: CaptureSource {
  static let sampleRate = 48_000

  let device: Device?
  let failure: DeviceError? = nil
  let followsClock: Bool
  let diagnostics: [String] = []
  private let origin: Int64
  private let state: Lock<(sink: CaptureSink?, frame: Int, lostCount: Int)>
  private let resumptions = Lock(0)
  /// The samples of a counter until it repeats, and of another block.
  private static let counter = {
    var (signal, samples) = (CounterSignal(sampleRate: sampleRate, channelCount: 2), [Float]())
    _ = signal.read(into: &samples, frameCount: 65_536 + 480)
    return samples
  }()

  /// Creates a device whose first frame has the number `firstFrame` and the corresponding time.
  ///
  /// With an origin, the device follows the monotonic clock, and frame 0 is captured at that time.
  init(_ name: String = "test", firstFrame: Int = 0, origin: Int64? = nil) {
    device = Device(backend: .synthetic, id: name, name: name)
    followsClock = origin != nil
    self.origin = origin ?? 0
    state = Lock((nil, firstFrame, 0))
  }

  var nextFrame: Int { state.withLock(\.frame) }

  func start(_ sink: CaptureSink) throws(DeviceError) { state.withLock { $0.sink = sink } }

  var resumptionCount: Int { resumptions.withLock(\.self) }

  func resume() { resumptions.withLock { $0 += 1 } }

  func stop() { state.withLock { $0.sink = nil } }

  /// Whether a session accepts frames.
  var isRunning: Bool { state.withLock { $0.sink != nil } }

  /// Leaves frames out; only the time of the next block shows it.
  func skip(_ frameCount: Int) { state.withLock { $0.frame += frameCount } }

  /// Leaves frames out, which the next block reports as lost.
  func lose(_ frameCount: Int) {
    state.withLock { state in
      state.frame += frameCount
      state.lostCount += frameCount
    }
  }

  /// Delivers frames in blocks of 10 ms.
  ///
  /// Returns false if no session accepts them.
  @discardableResult
  func deliver(_ frameCount: Int) -> Bool {
    state.withLock { state in
      guard let sink = state.sink else { return false }
      let end = state.frame + frameCount
      while state.frame < end {
        let count = min(480, end - state.frame)
        let first = 2 * (state.frame % 65_536)
        let samples = Array(Self.counter[first..<first + 2 * count])
        let block = CaptureBlock(
          frameCount: count, channelCount: 2, sampleRate: Self.sampleRate,
          time: origin + Int64(state.frame) * 1_000_000_000 / Int64(Self.sampleRate),
          lostFrameCount: state.lostCount)
        let isTaken = unsafe samples.withUnsafeBytes { unsafe sink.write(block, $0, .float32) }
        guard isTaken else { return false }
        state.frame += count
        state.lostCount = 0
      }
      return true
    }
  }

  /// Whether the session has room for these frames.
  ///
  /// A real device does not check, and loses frames that do not fit.
  func hasRoom(for frameCount: Int) -> Bool {
    let block = CaptureBlock(
      frameCount: frameCount, channelCount: 2, sampleRate: Self.sampleRate, time: 0)
    return state.withLock { $0.sink?.hasRoom(for: block) ?? false }
  }

  /// Sends an event that has no effect on the recording.
  ///
  /// Once the session has reported the event, it has consumed all earlier blocks.
  func mark() { notify(.resumed) }

  func notify(_ notice: DeviceEvent) {
    state.withLock { _ = $0.sink?.notify(notice, time: origin) }
  }
}
