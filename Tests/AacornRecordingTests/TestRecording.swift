import AacornCodec
import AacornDevices
import AacornRecording
import AacornSystem
import DeviceRigs
import SoundRigs
import TestSignals
import Testing

extension RecordingConfiguration {
  /// A recording of two channels at 48 kHz.
  static func stereo(
    _ coding: Coding? = nil, _ change: (inout RecordingConfiguration) -> Void = { _ in }
  ) -> RecordingConfiguration {
    var configuration = RecordingConfiguration(
      sampleRate: 48_000, channelCount: 2, coding: coding)
    change(&configuration)
    return configuration
  }
}

extension RecordingConfiguration.Coding {
  static func constant(
    _ bitrate: Int, _ profile: AACEncoder.Profile = .lowComplexity
  ) -> RecordingConfiguration.Coding {
    .aac(rateControl: .constant(bitsPerSecond: bitrate), effort: .fast, profile: profile)
  }
}

extension RecordingSession {
  func start(
    _ tracks: [TrackSource], outputs: [any PacketOutput]
  ) throws(RecordingError) {
    try start(.tracks(tracks), outputs: outputs)
  }
}

extension FileOutput.Options {
  static var replacing: FileOutput.Options {
    var options = FileOutput.Options()
    options.replacesExisting = true
    return options
  }

  static var numbered: FileOutput.Options {
    var options = FileOutput.Options()
    options.isNumbered = true
    return options
  }
}

extension SyntheticSource {
  /// A device that plays a signal, or its first frames, by default a counter.
  static func test(
    _ signal: any SyntheticSignal = CounterSignal(sampleRate: 48_000, channelCount: 2),
    frames: Int? = nil, pacing: Pacing = .unpaced, name: String = "test"
  ) -> SyntheticSource {
    SyntheticSource(
      Device(backend: .synthetic, id: name, name: name),
      playing: frames.map { SyntheticExcerpt(of: signal, frameCount: $0) } ?? signal,
      pacing: pacing)
  }
}

extension FaultySource {
  /// A device that plays a signal, or its first frames, by default a counter.
  static func test(
    _ signal: any SyntheticSignal = CounterSignal(sampleRate: 48_000, channelCount: 2),
    frames: Int? = nil, pacing: SyntheticSource.Pacing = .unpaced,
    faults: [SyntheticFaults.Event]
  ) -> FaultySource {
    FaultySource(
      Device(backend: .synthetic, id: "test", name: "test"),
      playing: frames.map { SyntheticExcerpt(of: signal, frameCount: $0) } ?? signal,
      pacing: pacing, faults: SyntheticFaults(faults))
  }
}

extension Sequence<RecorderEvent> {
  var gaps: [RecordingGap] {
    compactMap { event in
      if case .gap(let gap) = event { gap } else { nil }
    }
  }
}

extension EncodedPacket {
  var int16: [Int16] { int16Samples(bytes) }

  var float32: [Float] {
    stride(from: 0, to: bytes.count - 3, by: 4).map { index in
      let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[index + $1]) << UInt32(8 * $1) }
      return Float(bitPattern: bits)
    }
  }
}

extension PacketFormat {
  var aac: (stream: AudioSpecificConfig, timing: StreamTiming)? {
    if case .aac(let stream, let timing) = self { (stream, timing) } else { nil }
  }
}

/// The events, packets and samples of a recording.
final class RecordingLog: SampleListener {
  private struct State {
    var events: [RecorderEvent] = []
    var packets: [EncodedPacket] = []
    var sound: [Float] = []
    var pieceCount = 0
  }

  private let state = Lock(State())

  var events: [RecorderEvent] { state.withLock(\.events) }
  var gaps: [RecordingGap] { events.gaps }
  var packets: [EncodedPacket] { state.withLock(\.packets) }
  /// The samples of packets of 16-bit integers.
  var int16: [Int16] { packets.flatMap(\.int16) }
  /// The samples that the session's tap received.
  var sound: [Float] { state.withLock(\.sound) }
  /// The number of these samples.
  var soundCount: Int { state.withLock(\.sound.count) }
  /// The number of pieces in which these samples arrived.
  var pieceCount: Int { state.withLock(\.pieceCount) }

  func count(_ event: RecorderEvent) -> Int {
    state.withLock { $0.events.count { $0 == event } }
  }

  func contains(_ event: RecorderEvent) -> Bool { count(event) > 0 }

  /// A session that reports to this log, by default without a tap.
  func session(
    _ configuration: RecordingConfiguration, hasTap: Bool = false
  ) -> RecordingSession {
    RecordingSession(
      configuration, events: { event in self.state.withLock { $0.events.append(event) } },
      packets: { packet in self.state.withLock { $0.packets.append(packet) } },
      sound: hasTap ? self : nil)
  }

  func receive(_ sound: borrowing Span<Float>) {
    var piece: [Float] = []
    for index in 0..<sound.count { piece.append(sound[index]) }
    state.withLock { state in
      state.sound += piece
      state.pieceCount += 1
    }
  }
}

/// A running recording of a device that a test feeds.
final class FedRecording {
  let device: HandFedSource
  let session: RecordingSession
  let log = RecordingLog()

  init(_ configuration: RecordingConfiguration, device: HandFedSource = HandFedSource()) throws {
    self.device = device
    session = log.session(configuration)
    try session.start(device, outputs: [])
  }

  deinit { session.stop() }

  var events: [RecorderEvent] { log.events }
  var gaps: [RecordingGap] { log.gaps }

  /// Waits for an event.
  ///
  /// The session applies a command before it reports the event.
  func wait(for event: RecorderEvent, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      eventually { log.contains(event) }, "Expected \(event).", sourceLocation: sourceLocation)
  }

  /// Waits until the session has applied all earlier commands: it applies them before it reports
  /// a pause.
  func settle() {
    for isPaused in [true, false] {
      let before = log.count(.paused(isPaused))
      session.setPaused(isPaused)
      #expect(eventually { log.count(.paused(isPaused)) > before }, "The session pauses.")
    }
  }

  /// Delivers frames from a device, and waits until the session has consumed them.
  func deliver(
    _ frameCount: Int, from device: HandFedSource? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let device = device ?? self.device
    #expect(device.deliver(frameCount), sourceLocation: sourceLocation)
    let before = log.count(.resumed)
    device.mark()
    #expect(
      eventually { log.count(.resumed) > before }, "The session consumes the frames.",
      sourceLocation: sourceLocation)
  }

  /// Stops the recording.
  ///
  /// It contains all frames that were delivered before.
  func stop() throws -> RecordingSummary {
    session.stop()
    return try finalSummary(of: session)
  }
}
