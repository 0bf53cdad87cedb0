import AacornDevices
import AacornNetwork
import AacornStreaming
import AacornSystem
import DeviceRigs
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import TestSignals
import Testing

@testable import AacornRecording
@testable import AacornStudio

/// One recording with a file, an Icecast stream, a page for HLS and a studio with a page that uploads, renames and
/// repairs, while the microphone, the server, the network, the disk, the clock and the computer's power fail together.
@Suite("The whole program", .simulated(seeds: 8, with: [.all, .slowness]), .needsSimulation)
struct ProgramScenarioTests {
  private let folder: StudioFolderRig
  private let disk: Disk
  private let log = PacketLog()
  private let events = Lock<[RecorderEvent]>([])
  private let radio: Radio
  private var numbers: SeededNumbers
  private var path: String { folder.path + "/talk.aac" }

  init() throws {
    numbers = Simulation.numbers
    folder = try StudioFolderRig()
    try folder.put(ScenarioPage.unfinished, ScenarioPage.unfinishedName)
    disk = Disk(folder.path)
    radio = try Radio(SeededNumbers(seed: numbers.next()))
  }

  /// Whether the program may lag behind the microphone for any time.
  private var isSlow: Bool { disk.writeTime > 0 || disk.flushTime > 100 || Simulation.isSlow }

  private mutating func source() -> FaultySource {
    var faults = SyntheticFaults()
    var frame = 0
    for _ in 0..<Int.random(in: 0...4, using: &numbers) {
      frame += Int.random(in: 24_000...200_000, using: &numbers)
      let kinds: [SyntheticFaults.Kind] = [
        .loss(frameCount: 700, cause: .overrun), .silentLoss(frameCount: 4800),
        .absence(for: .milliseconds(Int.random(in: 50...3000, using: &numbers))),
        .suspension(for: .milliseconds(500)), .unreliableTimes(frameCount: 9600),
      ]
      if let kind = kinds.randomElement(using: &numbers) { faults.events.append(.at(frame, kind)) }
    }
    return FaultySource(
      Device(backend: .synthetic, id: "test", name: "Test"), playing: Noise(), pacing: .realTime,
      faults: faults)
  }

  @Test mutating func eachOutputHasWhatItReports() throws {
    let studio = try StudioServer(in: folder.path)
    let store = HLSMemoryStore()
    let handler = HLSHandler(store, title: "Test")
    let server = try HTTPServer { handler.handle($0, $1) }
    let listener = Listener(port: server.port)
    let page = ScenarioPage(of: studio, SeededNumbers(seed: numbers.next()))
    let threads = [WorkerThread("test") { listener.run() }, WorkerThread("test") { page.run() }]
    var areClientsRunning = true
    func stopClients() {
      if !areClientsRunning { return }
      areClientsRunning = false
      page.end()
      listener.end()
      for thread in threads { thread?.join() }
    }
    defer { stopClients() }

    var options = LiveOptions()
    options.stallTimeout = .seconds(2)
    options.queueDuration = [.seconds(1), .seconds(20)].randomElement(using: &numbers) ?? .zero
    options.initialReconnectDelay = .milliseconds(50)
    options.drainTimeout = .seconds(2)
    let live = try LiveOutput(
      IcecastService(
        IcecastConfiguration(
          address: "icecast://127.0.0.1:\(radio.port)/live.aac", password: "hackme")), options,
      metadata: LiveMetadata(title: "0"))
    var hls = HLSConfiguration()
    hls.media = .packedAudio
    hls.segmentDuration = .seconds(1)
    // The silence of a computer's sleep comes at once.
    hls.windowSegmentCount = 80
    let outputs: [any PacketOutput] = [
      log, FileOutput(path, .aac), live, HLSOutput(hls, stores: [store], name: "hls"),
    ]
    let session = RecordingSession(
      RecordingConfiguration(sampleRate: 48_000, channelCount: 1, bitrate: 64_000)
    ) { [events] event in events.withLock { $0.append(event) } }
    disk.chooseFaults(callCount: 600, room: 150_000, using: &numbers)
    disk.writeTime = [0, 0, 0, 5, 60].randomElement(using: &numbers) ?? 0
    do throws(RecordingError) {
      try session.start(source(), outputs: outputs)
    } catch {
      #expect(disk.failureTime != nil || disk.capacity != nil, "\(error)")
      return
    }
    for count in 1...Int.random(in: 2...10, using: &numbers) {
      System.sleep(milliseconds: Int.random(in: 10...3000, using: &numbers))
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0: session.setPaused(true)
      case 1: live.connection.update(LiveMetadata(title: "\(count)"))
      case 2:
        let answer = try? studioAnswer(studio, "/api/recordings")
        if let answer { #expect(answer.status == 200 && answer.json["recordings"] != nil) }
      default: session.setPaused(false)
      }
    }
    session.setPaused(false)
    System.sleep(milliseconds: 200)
    // The end waits for a file as long as it makes progress.
    let ended = expectDuration(0...(isSlow ? 7200 : 30)) {
      session.stop()
      return session.wait(for: .seconds(7200))
    }
    let summary = try #require(ended)
    let (status, count) = (live.connection.status, events.withLock(\.count))
    System.sleep(milliseconds: 5000)
    #expect(events.withLock(\.count) <= count + 1, "Only the end may be reported after the end.")
    #expect(live.connection.status == status)
    stopClients()
    radio.stop()
    let isHealthy = disk.failureTime == nil && disk.capacity == nil && !isSlow
    page.expect(in: folder.path, isHealthy ? disk.stored : nil)
    try expectFile(summary, studio)
    expectStream(status)
    listener.expect(log.frames, isComplete: summary.failure == nil)
    studio.stop()
    server.stop()
    try expectCrashes(page)
  }

  /// Expects that the file has all frames, or those up to the failure of the disk.
  private func expectFile(_ summary: RecordingSummary, _ studio: StudioServer) throws {
    let failure = events.withLock { events in
      events.compactMap { event in
        switch event {
        case .outputFailed(path, let error), .outputLost(path, let error): "\(error.message)"
        default: nil
        }
      }.first
    }
    let names = events.withLock { events in
      events.compactMap { if case .outputFailed(let name, _) = $0 { name } else { nil } }
    }
    #expect(Set(names).isSubset(of: [path]))
    #expect(summary.failure == nil)
    let frames = ADTSFrames(FileManager.default.contents(atPath: path).map { Array($0) } ?? [])
    let isTrue = log.frames.starts(with: frames.complete)
    #expect(isTrue, "The file has other frames.")
    if let failure {
      #expect(disk.failureTime != nil || disk.capacity != nil || isSlow, "\(failure)")
      guard let time = disk.failureTime, !isSlow else { return }
      // The encoder and a short queue hold what came last.
      let promised = log.count(until: Double(time) * 1e-9 - 0.1 - Simulation.maxDelay)
      #expect(frames.complete.count >= promised, "\(failure)")
      return
    }
    #expect(frames.complete.count == log.frames.count && frames.rest.isEmpty)
    #expect(summary.outputs.contains { $0.name == path } == (summary.sampleCount > 0))
    if disk.failureTime == nil {
      #expect(ADTSFrames(disk.stored["talk.aac"] ?? []).complete.count == log.frames.count)
    }
    disk.failure = nil
    let isListed = eventually {
      let answer = try? studioAnswer(studio, "/api/recordings")
      let list = answer?.json["recordings"] as? [[String: Any]] ?? []
      return list.contains {
        $0["name"] as? String == "talk.aac" && $0["status"] as? String == "fine"
      }
    }
    #expect(isListed || log.frames.isEmpty)
  }

  /// Expects that each connection has frames of the recording in their order, and that all frames are counted.
  ///
  /// The socket of a world overstates the bytes that the server has not read, so frames can be sent again, or counted
  /// as dropped, although they arrived; `LiveScenarioTests` is exact.
  private func expectStream(_ status: LiveStatus) {
    #expect(
      status.sentFrameCount + status.droppedFrameCount + status.queuedFrameCount == log.frames.count
    )
    for stream in radio.streams {
      let frames = ADTSFrames(stream)
      let isTrue = !frames.isDamaged && log.indices(of: frames.complete) != nil
      #expect(isTrue, "A frame was changed, came twice, or came too late.")
    }
    let titles = radio.titles.compactMap { Int($0) }
    #expect(titles == titles.sorted() && titles.count == radio.titles.count)
    // The title precedes the first frame, but a slow server can read it too late.
    let isConnected = radio.streams.contains { !$0.isEmpty }
    #expect(radio.titleRequestCount > 0 || !isConnected || Simulation.isSlow)
  }

  /// Expects that each power failure and each kill leaves the promised part of the file, and the page's recordings.
  private mutating func expectCrashes(_ page: ScenarioPage) throws {
    if disk.failure != nil || disk.failureTime != nil || disk.capacity != nil || isSlow { return }
    var numbers = numbers
    let slowness = 2 * Double(disk.flushTime) / 1000 + 0.1 + Simulation.maxDelay
    try disk.eachCrash { crash in
      guard Int.random(in: 0..<20, using: &numbers) == 0 else { return }
      let frames = ADTSFrames(crash.files["talk.aac"] ?? []).complete
      let loss = crash.isPowerFailure ? 1 : 0.06
      let promised = log.count(until: Double(crash.nanoseconds) * 1e-9 - slowness - loss)
      let isIntact = log.frames.starts(with: frames.prefix(max(0, promised)))
      #expect(
        isIntact && frames.count >= promised, "\(frames.count) of \(promised) frames: \(crash)")
      let isKept = page.isKept(in: Set(crash.files.values), at: crash.nanoseconds)
      #expect(isKept, "\(crash)")
    }
  }
}

/// Noise, so that no two frames are equal.
private struct Noise: SyntheticSignal {
  let sampleRate = 48_000
  let channelCount = 1
  let frameCount: Int? = nil
  private var numbers = SeededNumbers(seed: 7)

  mutating func read(into samples: inout [Float], frameCount count: Int) -> Int {
    for _ in 0..<count {
      samples.append(Float(Int16(truncatingIfNeeded: numbers.next())) / 200_000)
    }
    return count
  }
}

/// An output that keeps all frames and the times at which it got them.
private final class PacketLog: PacketOutput, Sendable {
  private let packets = Lock<[(frame: [UInt8], time: Double)]>([])
  let name = "log"
  var byteCount: Int { 0 }

  var frames: [[UInt8]] { packets.withLock { $0.map(\.frame) } }

  /// The number of frames that came before a time.
  func count(until time: Double) -> Int { packets.withLock { $0.count { $0.time < time } } }

  /// The places of frames that are here in the same order; nil if they are not.
  func indices(of frames: [[UInt8]]) -> [Int]? {
    let all = self.frames
    var next = 0
    var indices: [Int] = []
    for frame in frames {
      guard let index = all[next...].firstIndex(of: frame) else { return nil }
      indices.append(index)
      next = index + 1
    }
    return indices
  }

  func open() {}
  func begin(_ segment: SegmentStart) {}
  func write(_ packet: EncodedPacket) {
    packets.withLock { $0.append((packet.bytes, System.seconds)) }
  }
  func record(_ gap: RecordingGap) {}
  func end(_ end: SegmentEnd) -> OutputSummary? { nil }
  func abandon() -> OutputSummary? { nil }
}

/// A listener of an HLS stream, who never misses a segment.
private final class Listener: Sendable {
  private struct State {
    var playlists: [String] = []
    var segments: [(name: String, bytes: [UInt8])] = []
    var isFinished = false
  }

  private let port: Int
  private let state = Lock(State())

  init(port: Int) { self.port = port }

  func end() { state.withLock { $0.isFinished = true } }

  func run() {
    while true {
      let isFinished = state.withLock(\.isFinished)
      fetch()
      if isFinished { return }
      System.sleep(milliseconds: 400)
    }
  }

  private func get(_ name: String) -> HTTPClient.Answer? {
    for _ in 0..<5 {
      if let client = try? HTTPClient(port: port) {
        client.ask("/" + name)
        if let answer = try? client.receiveAnswer() { return answer }
      }
      System.sleep(milliseconds: 20)
    }
    return nil
  }

  private func fetch() {
    guard let answer = get("stream-0.m3u8"), answer.status == 200 else { return }
    let text = answer.text
    let names = HLSPlaylistText(text).segmentNames
    let known = state.withLock { state in
      if state.playlists.last != text { state.playlists.append(text) }
      return Set(state.segments.map(\.name))
    }
    for name in names where !known.contains(name) {
      guard let answer = get(name), answer.status == 200 else { continue }
      state.withLock { $0.segments.append((name, answer.body)) }
    }
  }

  /// Expects that all playlists are valid, and that the segments are the frames of the recording.
  func expect(_ frames: [[UInt8]], isComplete: Bool) {
    let (playlists, segments) = state.withLock { ($0.playlists, $0.segments) }
    var previous: String?
    for playlist in playlists {
      let faults = HLSRules.faults(inMedia: playlist, after: previous)
      #expect(faults.isEmpty, "\(faults): \(playlist)")
      previous = playlist
    }
    guard let last = playlists.last else { return #expect(frames.isEmpty || !isComplete) }
    if isComplete { #expect(last.hasSuffix("#EXT-X-ENDLIST\n")) }
    let played = segments.flatMap { ADTSFrames($0.bytes).complete }
    guard let first = played.first, let start = frames.firstIndex(of: first) else {
      return #expect(played.isEmpty)
    }
    let isTrue = start == 0 && frames.starts(with: played)
    #expect(isTrue, "A frame is missing, changed, or there twice.")
    if isComplete { #expect(played.count == frames.count) }
  }
}
