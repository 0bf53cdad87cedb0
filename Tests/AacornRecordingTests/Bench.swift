import AacornCodec
import AacornDevices
import AacornRecording
import AacornSignal
import AacornSystem
import DeviceRigs
import SoundRigs
import Testing

/// A recording of a simulated device into memory.
struct Bench {
  var configuration = RecordingConfiguration.stereo(.int16)
  var sampleRate = 48_000
  var channelCount = 2
  var frameCount = 96_000
  var faults = SyntheticFaults()
  var signal: (any SyntheticSignal)?
  var pacing = SyntheticSource.Pacing.unpaced

  /// A device for testing minutes of clock drift cheaply: one channel, silent, 16 kHz.
  static func forMinutes() -> Bench {
    var bench = Bench()
    (bench.sampleRate, bench.channelCount) = (16_000, 1)
    bench.configuration = RecordingConfiguration(
      sampleRate: 16_000, channelCount: 1, coding: .int16)
    bench.signal = SilenceSignal(sampleRate: 16_000, channelCount: 1)
    return bench
  }

  struct Outcome {
    var summary = RecordingSummary()
    var segments: [MemoryOutput.Segment] = []
    var events: [RecorderEvent] = []
    var packets: [EncodedPacket] = []

    var gaps: [RecordingGap] { events.gaps }

    var samples: [Int16] { segments.flatMap(\.samples) }
  }

  /// Records until the signal ends, into memory or another output.
  func run(to other: (any PacketOutput)? = nil) throws -> Outcome {
    let base =
      signal ?? CounterSignal(sampleRate: sampleRate, channelCount: channelCount)
    let source = FaultySource(
      Device(backend: .synthetic, id: "test", name: "Test"),
      playing: SyntheticExcerpt(of: base, frameCount: frameCount), pacing: pacing,
      faults: faults)
    let output = MemoryOutput.Store()
    let log = RecordingLog()
    let session = log.session(configuration)
    try session.start(source, outputs: [other ?? MemoryOutput(output)])
    var outcome = Outcome()
    outcome.summary = try finalSummary(of: session)
    outcome.segments = output.segments.withLock { $0 }
    (outcome.events, outcome.packets) = (log.events, log.packets)
    return outcome
  }
}

/// Waits for a recording to end, and returns its summary.
///
/// The duration depends on the machine and its load. The test fails only if the sample count does
/// not grow during a full timeout.
func finalSummary(of session: RecordingSession) throws -> RecordingSummary {
  var count = -1
  while true {
    if let summary = session.wait(for: TestTimeout.duration) { return summary }
    let before = count
    count = session.takeStatus().sampleCount
    try #require(count > before, "The recording neither grew nor ended.")
  }
}

/// An output without bytes that accepts everything, unless a test implements more.
protocol SilentOutput: PacketOutput {}

extension SilentOutput {
  var byteCount: Int { 0 }
  mutating func open() throws(OutputError) {}
  mutating func begin(_ segment: SegmentStart) throws(OutputError) {}
  mutating func write(_ packet: EncodedPacket) throws(OutputError) {}
  mutating func record(_ gap: RecordingGap) throws(OutputError) {}
  mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? { nil }
  mutating func abandon() -> OutputSummary? { nil }
}

/// An output that keeps all packets in memory.
struct MemoryOutput: PacketOutput {
  struct Segment {
    var start: SegmentStart
    var packets: [EncodedPacket] = []
    var gaps: [RecordingGap] = []
    var end: SegmentEnd?

    var samples: [Int16] { packets.flatMap(\.int16) }
  }

  final class Store: Sendable {
    let segments = Lock<[Segment]>([])
  }

  let store: Store
  let name: String
  var acceptsRenditions = false
  var byteCount = 0
  /// The number of the packet at which it fails; nil for none.
  private let brokenPacket: Int?
  private var packetCount = 0

  init(_ store: Store, failingAt brokenPacket: Int? = nil) {
    self.store = store
    self.brokenPacket = brokenPacket
    name = brokenPacket == nil ? "memory" : "broken"
  }

  mutating func open() throws(OutputError) {}

  mutating func begin(_ segment: SegmentStart) throws(OutputError) {
    store.segments.withLock { $0.append(Segment(start: segment)) }
  }

  mutating func write(_ packet: EncodedPacket) throws(OutputError) {
    if packetCount == brokenPacket { throw OutputError(.cannotWrite, "No more.") }
    packetCount += 1
    byteCount += packet.bytes.count
    store.segments.withLock { $0[$0.count - 1].packets.append(packet) }
  }

  mutating func record(_ gap: RecordingGap) throws(OutputError) {
    store.segments.withLock { segments in
      if !segments.isEmpty { segments[segments.count - 1].gaps.append(gap) }
    }
  }

  mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? {
    store.segments.withLock { $0[$0.count - 1].end = end }
    return OutputSummary(name: name, sampleCount: end.sampleCount, byteCount: byteCount)
  }

  mutating func abandon() -> OutputSummary? { nil }
}

/// Returns the first frame of a recorded counter that matches neither the device nor a silent gap
/// in the ledger, or nil.
///
/// Frames count device time from the start. Therefore nil shows that the timing is right, that no
/// frame is lost and that the ledger is exact.
func firstWrongFrame(
  _ samples: [Int16], channelCount: Int = 2, gaps: [RecordingGap], from firstFrame: Int = 0
) -> Int? {
  var isSilent = [Bool](repeating: false, count: samples.count / channelCount)
  for gap in gaps where gap.isFilled {
    for index in gap.position..<min(isSilent.count, gap.position + gap.length) {
      isSilent[index] = true
    }
  }
  for frame in isSilent.indices {
    for channel in 0..<channelCount {
      let value = CounterSignal.value(frame: firstFrame + frame, channel: channel)
      let wanted = isSilent[frame] ? 0 : Int16(value * 32_768)
      if samples[frame * channelCount + channel] != wanted { return frame }
    }
  }
  return nil
}

extension PacketOutput {
  /// Begins a segment, with another number if it is given, and writes its packets.
  mutating func begin(
    _ segment: MemoryOutput.Segment, number: Int? = nil
  ) throws(OutputError) {
    var start = segment.start
    start.index = number ?? start.index
    try begin(start)
    for packet in segment.packets { try write(packet) }
  }
}
