import AacornRecording
import AacornSignal
import AacornSystem
import Synchronization

/// Follows the sound of a recording for those who look at it.
///
///     session's thread: take(…) ─► ring of samples, list of packets ─► reading() on another one
///
/// Unless somebody looks, the session's thread finds out that nobody does and nothing else. Where
/// the reader is late, what finds no room is left out: it would be looked at too late.
final class SoundMonitor: Sendable {
  /// What there is to see since the last look.
  struct Reading: Sendable {
    /// For each channel, the highest sample and the root of the mean square; 1 is full scale.
    var peaks: [Float] = []
    var powers: [Float] = []
    /// Whole columns of `SoundColumns`.
    var columns: [UInt8] = []
    var frames: [FrameReport.Row] = []
  }

  /// What only the reader uses.
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

  /// Packets that wait for the reader at most: some seconds.
  private static let packetLimit = 256
  /// Samples that wait at most: a second of them, unless they are very many.
  private static let sampleLimit = 1 << 22

  /// A monitor of a recording of this kind.
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

  /// Takes sound, whole frames of it.
  func take(_ sound: borrowing Span<Float>) {
    guard isWatched.load(ordering: .relaxed) else { return }
    unsafe sound.withUnsafeBufferPointer { sound in
      _ = samples.write(count: sound.count) { unsafe sound[$0] }
    }
  }

  /// Takes a packet.
  func take(_ packet: Packet) {
    guard isWatched.load(ordering: .relaxed) else { return }
    packets.withLock { packets in
      if packets.count < Self.packetLimit { packets.append(packet) }
    }
  }

  // MARK: - The reader's thread

  /// Nobody looks any more.
  func pause() {
    if isWatched.exchange(false, ordering: .relaxed) { reader.withLock { $0.isFresh = true } }
  }

  /// What came since the last look; nothing the first time, and after a pause.
  func reading() -> Reading {
    reader.withLock { reader in
      var reading = Reading()
      drain(into: &reader.samples)
      let packets = self.packets.withLock { packets in
        defer { packets.removeAll() }
        return packets
      }
      if reader.isFresh {
        // What was left there belongs to another time.
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
