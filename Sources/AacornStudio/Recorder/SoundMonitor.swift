import AacornRecording
import AacornSignal
import AacornSystem
import Synchronization

/// Follows the audio of a recording for viewers.
///
///     session's thread: take(…) ─► ring of samples, list of packets ─► reading() on another one
///
/// While nobody is watching, the session's thread only checks that. If the reader is late, data
/// that does not fit is dropped: it would be shown too late.
final class SoundMonitor: Sendable {
  /// The data to show since the last reading.
  struct Reading: Sendable {
    /// The peak and the root mean square of each channel; 1 is full scale.
    var peaks: [Float] = []
    var powers: [Float] = []
    /// Whole columns of `SoundColumns`.
    var columns: [UInt8] = []
    var frames: [FrameReport.Row] = []
  }

  /// Used only by the reader.
  private struct Reader {
    var meter: LevelMeter
    var columns: SoundColumns
    var frames: FrameReport?
    var samples: [Float] = []
    var isFresh = true
  }

  private let isWatched = Atomic(false)
  private let samples: RingBuffer<Float>
  private let packets = Lock<[Packet]>([])
  private let channelCount: Int
  private let reader: Lock<Reader>
  private let makeReader: @Sendable () -> Reader

  /// The most packets that wait for the reader: some seconds.
  private static let packetLimit = 256
  /// The most samples that wait: a second of them, unless the rate is very high.
  private static let sampleLimit = 1 << 22

  /// Creates a monitor for a recording with this configuration.
  init(_ configuration: RecordingConfiguration) {
    let (sampleRate, channelCount) = (configuration.sampleRate, configuration.channelCount)
    var isAAC = false
    if case .aac = configuration.coding { isAAC = true }
    let makesFrames = isAAC
    makeReader = {
      Reader(
        meter: LevelMeter(channelCount: channelCount, sampleRate: sampleRate),
        columns: SoundColumns(sampleRate: sampleRate, channelCount: channelCount),
        frames: makesFrames
          ? FrameReport(sampleRate: sampleRate, channelCount: channelCount) : nil)
    }
    self.channelCount = channelCount
    samples = RingBuffer(
      capacity: min(sampleRate * channelCount, Self.sampleLimit), filledWith: 0)
    reader = Lock(makeReader())
  }

  // MARK: - The session's thread

  /// Accepts audio in whole frames.
  func take(_ sound: borrowing Span<Float>) {
    guard isWatched.load(ordering: .relaxed) else { return }
    unsafe sound.withUnsafeBufferPointer { sound in
      _ = samples.write(count: sound.count) { unsafe sound[$0] }
    }
  }

  /// Accepts a packet.
  func take(_ packet: Packet) {
    guard isWatched.load(ordering: .relaxed) else { return }
    packets.withLock { packets in
      if packets.count < Self.packetLimit { packets.append(packet) }
    }
  }

  // MARK: - The reader's thread

  /// Notes that nobody is watching.
  func pause() {
    if isWatched.exchange(false, ordering: .relaxed) { reader.withLock { $0.isFresh = true } }
  }

  /// What came since the last reading; nothing the first time, and after a pause.
  func reading() -> Reading {
    reader.withLock { reader in
      var reading = Reading()
      drain(into: &reader.samples)
      let packets = self.packets.withLock { packets in
        defer { packets.removeAll() }
        return packets
      }
      if reader.isFresh {
        // Older contents are outdated.
        reader = makeReader()
        reader.isFresh = false
        isWatched.store(true, ordering: .relaxed)
      } else {
        let samples = reader.samples
        reader.meter.process(samples.span)
        reader.columns.append(samples.span)
        while reader.columns.next(into: &reading.columns) {}
        for packet in packets {
          if let row = reader.frames?.row(packet) { reading.frames.append(row) }
        }
      }
      let isSilent = reader.samples.isEmpty
      reading.peaks = reader.meter.levels.map { isSilent ? 0 : $0.peak }
      reading.powers = reader.meter.levels.map { isSilent ? 0 : $0.power }
      return reading
    }
  }

  private func drain(into samples: inout [Float]) {
    samples.removeAll(keepingCapacity: true)
    let count = self.samples.available / channelCount * channelCount
    _ = self.samples.read(count: count) { samples.append($0) }
  }
}
