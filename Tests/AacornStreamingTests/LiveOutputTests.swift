import AacornCodec
import AacornNetwork
import AacornSystem
import Simulation
import SoundRigs
import Testing

@testable import AacornRecording
@testable import AacornStreaming

@Suite(.simulated(seeds: 4, with: .all)) struct LiveOutputTests {
  @Test func everyFrameArrivesFromTheFirstOn() throws {
    let bench = LiveBench()
    try bench.begin()
    try bench.write(100)
    #expect(bench.wait { $0.status.sentFrameCount == 100 })
    #expect(bench.sentNumbers == Array(0..<100))
    #expect(bench.frames.first?.map(\.position) == (0..<100).map { 1024 * $0 })
    let byteCount = (0..<100).reduce(0) { $0 + LiveBench.bytes($1).count }
    #expect(bench.output.byteCount == byteCount)
    let summary = bench.output.abandon()
    #expect(
      summary
        == OutputSummary(
          name: "test://127.0.0.1/live", sampleCount: 102_400, byteCount: byteCount))
    #expect(bench.states.withLock { $0 } == [.connecting, .live, .stopped])
    #expect(bench.status.droppedFrameCount == 0)
    #expect(bench.server.connections.map(\.isClosed) == [true])
    #expect(bench.output.abandon() == nil)
  }

  @Test func listIsReleasedWithItsConnections() throws {
    let server = LiveServer.icecast(
      try IcecastConfiguration(address: "icecast://radio.example/live.aac", password: "x"))
    weak var remains: OutputList?
    do {
      let list = OutputList(Redactor([])) { _, _, _ in }
      remains = list
      var output = list.connect(to: server, metadata: LiveMetadata())
      _ = output.abandon()
      #expect(list.all.map(\.state) == [.stopped])
    }
    #expect(remains == nil)
  }

  @Test func framesThatArriveJustBeforeTheEndAreSent() throws {
    for count in 1...30 {
      let bench = LiveBench()
      try bench.begin()
      #expect(bench.waitUntilLive())
      try bench.write(count)
      _ = bench.output.abandon()
      #expect(bench.sentNumbers == Array(0..<count))
      #expect(bench.status.droppedFrameCount == 0 && bench.status.state == .stopped)
    }
  }

  @Test func serviceReceivesFormatAndMetadata() throws {
    let bench = LiveBench(metadata: LiveMetadata(title: "Prelude"))
    try bench.begin()
    #expect(bench.waitUntilLive())
    #expect(
      bench.service.script.withLock(\.streams) == [
        LiveStream(
          configuration: LiveBench.configuration, timing: LiveBench.timing(96_000),
          metadata: LiveMetadata(title: "Prelude"))
      ])
  }

  @Test func changedMetadataIsSent() throws {
    let bench = LiveBench(metadata: LiveMetadata(title: "Prelude"))
    try bench.begin()
    #expect(bench.waitUntilLive())
    bench.output.connection.update(LiveMetadata(title: "Prelude"))
    bench.output.connection.update(LiveMetadata(title: "Fugue"))
    #expect(bench.wait { $0.service.script.withLock { !$0.updates.isEmpty } })
    #expect(bench.service.script.withLock(\.updates) == [LiveMetadata(title: "Fugue")])
  }

  @Test func metadataChangedWhileConnectingIsSent() throws {
    let bench = LiveBench()
    bench.service.script.withLock { $0.waitsForServer = true }
    try bench.begin()
    #expect(bench.wait { $0.service.script.withLock { $0.streams.count == 1 } })
    bench.output.connection.update(LiveMetadata(title: "Prelude"))
    bench.output.connection.update(LiveMetadata(title: "Fugue"))
    bench.server.say([1])
    #expect(bench.wait { $0.service.script.withLock { !$0.updates.isEmpty } })
    #expect(bench.service.script.withLock(\.updates) == [LiveMetadata(title: "Fugue")])
  }

  @Test func samplesAreRefused() {
    let bench = LiveBench()
    var start = LiveBench.start()
    start.format = .int16(sampleRate: 48_000, channelCount: 2)
    let error = #expect(throws: OutputError.self) { try bench.output.begin(start) }
    #expect(error?.kind == .unsupported)
    #expect(bench.output.abandon() == nil)
    #expect(bench.status.state == .stopped)
  }

  @Test func otherRenditionsAreIgnored() throws {
    let bench = LiveBench()
    try bench.begin()
    var other = EncodedPacket(bytes: [9, 9, 9], position: -2112, sampleCount: 1024)
    other.rendition = 1
    try bench.output.write(other)
    try bench.write(3)
    _ = bench.output.abandon()
    #expect(bench.sentNumbers == [0, 1, 2])
  }

  @Test func newSegmentFollowsInTheSameStream() throws {
    let bench = LiveBench()
    try bench.begin()
    try bench.write(3)
    #expect(try bench.output.end(LiveBench.end) == nil)
    try bench.output.begin(LiveBench.start(index: 1, position: 960))
    try bench.output.write(
      EncodedPacket(bytes: [1, 0], position: 960 - 2112, sampleCount: 1024, segment: 1))
    _ = bench.output.abandon()
    #expect(bench.server.connections.count == 1)
    #expect(bench.frames.first?.map(\.position) == [0, 1024, 2048, 3072])
  }

  @Test func anotherFormInTheSameStreamIsRefused() throws {
    let bench = LiveBench()
    try bench.begin()
    let other = AudioSpecificConfig(
      objectType: .lowComplexity, sampleRate: 44_100, channelConfiguration: 2)
    let error = #expect(throws: OutputError.self) {
      try bench.output.begin(LiveBench.start(index: 1, configuration: other))
    }
    #expect(error?.kind == .unsupported)
  }

  @Test(arguments: [false, true]) func queuedFramesAreSentAtEnd(isOpening: Bool) throws {
    let bench = LiveBench { $0.drainTimeout = TestTimeout.duration }
    let (script, server) = (bench.service.script, bench.server)
    script.withLock { ($0.waitsForServer, $0.isHeld) = (isOpening, true) }
    try bench.begin()
    #expect(
      bench.wait { isOpening ? !script.withLock(\.streams.isEmpty) : $0.status.state == .live })
    try bench.write(50)
    let connection = bench.output.connection
    let isStarted = System.startThread("test") {
      while !connection.isEnding { System.sleep(milliseconds: 1) }
      if isOpening { server.say([1]) }
      script.withLock { $0.isHeld = false }
    }
    #expect(isStarted)
    let summary = bench.output.abandon()
    #expect(bench.sentNumbers == Array(0..<50))
    #expect(summary?.sampleCount == 51_200 && bench.status.droppedFrameCount == 0)
    #expect(script.withLock(\.closeCount) == 1)
    #expect(bench.status.state == .stopped)
  }

  /// `LiveTimeTests` measures more stops, without faults.
  @Test(
    arguments: [
      (.hangs, .connecting, .failed(.unreached("test://127.0.0.1/live"))),
      (.fails(.gone), .reconnecting(.gone, attempt: 1), .failed(.gone)),
      (nil, .live, .stopped),
    ] as [(MockServer.Fault?, LiveState, LiveState)])
  func stopIsPrompt(fault: MockServer.Fault?, state: LiveState, last: LiveState) throws {
    let bench = LiveBench { options in
      options.initialReconnectDelay = .seconds(600)
      options.maxReconnectDelay = .seconds(600)
      options.drainTimeout = .milliseconds(200)
    }
    bench.server.withScript { $0.connectFaults = [fault] }
    try bench.begin()
    if fault != nil { try bench.write(3) }
    #expect(bench.wait { !$0.server.connections.isEmpty && $0.status.state == state })
    expectDuration(0...0.21 + Simulation.maxDelay) { #expect(bench.output.abandon() != nil) }
    #expect(bench.status.state == last && bench.states.withLock(\.last) == last)
    #expect(!bench.server.connections.map(\.isClosed).contains(false))
  }
}
