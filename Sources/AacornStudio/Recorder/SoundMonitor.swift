import AacornCodec
import AacornInspection
import AacornRecording
import AacornSignal
import AacornSystem

/// The meters of a recording's audio for pages.
///
///     session's thread: receive(…) ─► ring of samples, list of frames
///       ─► reading() on the reader's thread
///
/// While no page is watching, the session's thread only checks a flag. If the reader is late, data
/// that does not fit is dropped, since pages would show it too late.
final class SoundMonitor: SampleListener {
  /// The data received since the last reading.
  struct Reading: Sendable {
    /// The peak amplitude and the mean square of each channel; 1 is full scale.
    var peaks: [Float] = []
    var powers: [Float] = []
    /// The complete columns of `SoundColumns`.
    var columns: [UInt8] = []
    var frames: [FrameReport] = []
    /// The number of bytes in all packets of the recording.
    var payloadByteCount = 0
  }

  /// The state that only the reader uses.
  private struct Reader {
    var meter: LevelMeter
    var columns: SoundColumns
    var samples: [Float] = []
    var isFresh = true
  }

  private let isWatched = Atomic(false)
  private let samples: RingBuffer<Float>
  private let frames = Lock<[FrameReport]>([])
  /// The number of bytes in all packets, also while no page is watching.
  private let payload = Atomic<Int>(0)
  private let sampleRate: Int
  private let channelCount: Int
  private let reader: Lock<Reader>
  private let makeReader: @Sendable () -> Reader

  /// The maximum number of frames waiting for the reader, several seconds.
  private static let frameLimit = 256
  /// The maximum number of samples waiting for the reader.
  ///
  /// It is less than one second of audio only at very high rates.
  private static let sampleLimit = 1 << 22

  /// Creates a monitor for a recording with this configuration.
  init(_ configuration: RecordingConfiguration) {
    let (sampleRate, channelCount) = (configuration.sampleRate, configuration.channelCount)
    makeReader = {
      Reader(
        meter: LevelMeter(channelCount: channelCount, sampleRate: sampleRate),
        columns: SoundColumns(sampleRate: sampleRate, channelCount: channelCount))
    }
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    samples = RingBuffer(
      capacity: min(sampleRate * channelCount, Self.sampleLimit), filledWith: 0)
    reader = Lock(makeReader())
  }

  // MARK: - The session's thread

  /// Appends audio in whole frames.
  func receive(_ sound: borrowing Span<Float>) {
    guard isWatched.load(ordering: .relaxed) else { return }
    unsafe sound.withUnsafeBufferPointer { sound in
      _ = samples.write(count: sound.count) { unsafe sound[$0] }
    }
  }

  /// Counts the bytes of a packet, and appends its statistics.
  func append(_ packet: EncodedPacket) {
    payload.store(payload.load(ordering: .relaxed) + packet.bytes.count, ordering: .relaxed)
    guard isWatched.load(ordering: .relaxed),
      let frame = FrameReport(packet, sampleRate: sampleRate)
    else { return }
    frames.withLock { frames in
      if frames.count < Self.frameLimit { frames.append(frame) }
    }
  }

  // MARK: - The reader's thread

  /// The number of bytes in all packets of the recording.
  var payloadByteCount: Int { payload.load(ordering: .relaxed) }

  /// Records that no page is watching.
  func pause() {
    if isWatched.exchange(false) { reader.withLock { $0.isFresh = true } }
  }

  /// Returns the data received since the last reading; nothing in the first reading and the first
  /// one after a pause.
  func reading() -> Reading {
    reader.withLock { reader in
      var reading = Reading()
      drain(into: &reader.samples)
      let frames = self.frames.withLock { frames in
        defer { frames.removeAll() }
        return frames
      }
      if reader.isFresh {
        // Data from before the pause is outdated.
        reader = makeReader()
        reader.isFresh = false
        isWatched.store(true, ordering: .relaxed)
      } else {
        let samples = reader.samples
        reader.meter.process(samples.span)
        reader.columns.append(samples.span)
        while reader.columns.next(into: &reading.columns) {}
        reading.frames = frames
      }
      let isSilent = reader.samples.isEmpty
      reading.peaks = reader.meter.levels.map { isSilent ? 0 : $0.peak }
      reading.powers = reader.meter.levels.map { isSilent ? 0 : $0.power }
      reading.payloadByteCount = payloadByteCount
      return reading
    }
  }

  private func drain(into samples: inout [Float]) {
    samples.removeAll(keepingCapacity: true)
    let count = self.samples.available / channelCount * channelCount
    _ = self.samples.read(count: count) { samples.append($0) }
  }
}

/// The properties of a frame that a page shows.
struct FrameReport: Equatable, Sendable {
  var byteCount: Int
  /// The window sequence of the first channel: 0 long, 1 start, 2 short, 3 stop (14496-3, table
  /// 4.109).
  var window: Int
  /// The share of the bands of channel pairs that is coded as mid and side, in percent.
  var midSideShare: Int
  /// The number of temporal noise shaping filters.
  var noiseShapingCount: Int
  /// The frequency at the end of the highest nonzero line, in hertz.
  var bandwidth: Int
  /// The fill level of the decoder's buffer in bits; −1 if unknown.
  var reservoirBits: Int
  /// The number of intensity stereo bands, which are scaled copies of the first channel's bands.
  var intensityCount: Int
  /// The number of bands filled with noise.
  var noiseCount: Int

  /// Creates the report of a packet at a sampling rate; nil if the packet has no frame statistics.
  init?(_ packet: EncodedPacket, sampleRate: Int) {
    guard let statistics = packet.statistics, let first = statistics.channels.first else {
      return nil
    }
    byteCount = packet.bytes.count
    let short = statistics.channels.first { $0.windowSequence == .eightShort }
    window = Int((short ?? first).windowSequence.rawValue)
    let bandCount = statistics.pairBandCount
    midSideShare =
      bandCount == 0 ? 0 : (100 * statistics.midSideBandCount + bandCount / 2) / bandCount
    reservoirBits = packet.reservoirBits ?? -1
    (noiseShapingCount, intensityCount, noiseCount) = (0, 0, 0)
    var lineCount = 0
    for channel in statistics.channels {
      noiseShapingCount += channel.noiseShapingFilterCount
      intensityCount += channel.intensityBandCount
      noiseCount += channel.noiseBandCount
      lineCount = max(lineCount, channel.lineCount)
    }
    // The 1024 lines of a core frame cover the range up to half of the core's sampling rate.
    bandwidth = lineCount * sampleRate / max(1, 2 * packet.sampleCount)
  }

  /// The values in the order that pages expect.
  var numbers: [Int] {
    [
      byteCount, window, midSideShare, noiseShapingCount, bandwidth, reservoirBits,
      intensityCount, noiseCount,
    ]
  }
}
