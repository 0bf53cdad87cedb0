import AacornDevices
import AacornSystem
import Testing

/// A device in the hands of a test: it delivers what it is told to and when, counting frames.
///
/// Its blocks bear the times of a device that never stops: frame n is captured n/48,000 s after its
/// origin. So what has been recorded depends on nothing but what was delivered.
final class HandFedSource: CaptureSource {
  static let sampleRate = 48_000

  let device: CaptureDevice?
  let failure: CaptureError? = nil
  let followsClock: Bool
  let remarks: [String] = []
  private let origin: Int64
  private let state: Lock<(sink: CaptureSink?, frame: Int)>
  private let resumptions = Lock(0)

  /// A device whose first frame is that of this number, at that number's time.
  ///
  /// With an origin it goes by the monotonic clock.
  init(_ name: String = "test", firstFrame: Int = 0, origin: Int64? = nil) {
    device = CaptureDevice(backend: .synthetic, id: name, name: name)
    followsClock = origin != nil
    self.origin = origin ?? 0
    state = Lock((nil, firstFrame))
  }

  /// The number of the frame that comes next.
  var nextFrame: Int { state.withLock(\.frame) }

  func start(_ sink: CaptureSink) throws(CaptureError) { state.withLock { $0.sink = sink } }

  /// How often it was to be taken back.
  var resumptionCount: Int { resumptions.withLock(\.self) }

  func resume() { resumptions.withLock { $0 += 1 } }

  func stop() { state.withLock { $0.sink = nil } }

  /// Delivers so many frames, in blocks of a hundredth of a second; false if nobody takes them.
  @discardableResult
  func deliver(_ frameCount: Int) -> Bool {
    state.withLock { state in
      guard let sink = state.sink else { return false }
      let end = state.frame + frameCount
      while state.frame < end {
        let count = min(480, end - state.frame)
        var samples: [Float] = []
        for frame in state.frame..<state.frame + count {
          for channel in 0..<2 {
            samples.append(CounterSignal.value(frame: frame, channel: channel))
          }
        }
        let block = CaptureBlock(
          frameCount: count, channelCount: 2, sampleRate: Self.sampleRate,
          time: origin + Int64(state.frame) * 1_000_000_000 / Int64(Self.sampleRate))
        let isTaken = unsafe samples.withUnsafeBytes { bytes in
          guard let start = bytes.baseAddress else { return false }
          return unsafe sink.write(block, start, .float32)
        }
        guard isTaken else { return false }
        state.frame += count
      }
      return true
    }
  }

  /// Whether so many frames would be taken now; a device does not ask, and loses what is not.
  func hasRoom(for frameCount: Int) -> Bool {
    let block = CaptureBlock(
      frameCount: frameCount, channelCount: 2, sampleRate: Self.sampleRate, time: 0)
    return state.withLock { $0.sink?.hasRoom(for: block) ?? false }
  }

  /// Says something that changes nothing, so that it can be seen when all before it was taken.
  func mark() { notify(.resumed) }

  /// Tells that something happened.
  func notify(_ notice: CaptureNotice) {
    state.withLock { _ = $0.sink?.notify(notice, time: origin) }
  }
}

/// Numbers by chance, the same in every run (SplitMix64).
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
