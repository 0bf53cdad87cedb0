import AacornNetwork
import AacornRecording
import AacornSystem
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornStreaming

/// The timeouts at the end of an upload, and the error if the server does not receive the end.
@Suite(.simulated(seeds: 5)) struct HLSUploadEndTests {
  @Test func unconfirmedEndFails() throws {
    let upload = try HLSUploadBench(
      UploadServer { $0.name == "stream-0.m3u8" ? .refuse(500, "") : .take }
    ) { configuration, _ in configuration.drainTimeout = .milliseconds(50) }
    var output = try upload.makeOutput()
    try upload.bench.record(48_000 * 5, into: &output)
    #expect(eventually { upload.retryCount > 0 })
    let error = #expect(throws: OutputError.self) { try upload.finish(&output) }
    #expect(error?.message.contains("The end of the stream did not reach") == true)
    #expect(error?.message.contains("internal error") == true)
    guard case .failed = upload.states.last else {
      Issue.record("\(upload.states)")
      return
    }
  }

  @Test func finishWaitsWhileUploadsProgress() throws {
    // Twelve requests of 0.25 s each take longer than the timeout.
    var upload = try HLSUploadBench(
      UploadServer { _ in
        System.sleep(milliseconds: 250)
        return .take
      }
    ) { configuration, _ in configuration.drainTimeout = .seconds(2) }
    upload.bench.configuration.kind = .vod
    var output = try upload.makeOutput()
    try upload.bench.record(48_000 * 38, into: &output)
    #expect(try upload.finish(&output) == [])
    #expect(upload.server.requests.count >= 12)
    #expect(HLSPlaylistText(upload.server.text("stream-0.m3u8")).isEnded)
    #expect(upload.states.last == .stopped)
  }

  /// An app releases an output without its end.
  @Test func aReleasedOutputEndsItsUpload() throws {
    let server = try UploadServer()
    weak var remains: HLSUploadWork?
    do {
      let upload = try HLSUploadBench(server)
      remains = upload.store.work
      var output = try upload.makeOutput()
      try upload.bench.record(48_000 * 5, into: &output)
      #expect(eventually { !server.requests.isEmpty })
    }
    #expect(eventually { remains == nil })
  }

  /// The thread of an output must not abandon the upload while it waits for the server.
  @Test func outputHasMoreTimeThanTheEndOfTheUpload() throws {
    let upload = try HLSUploadBench(UploadServer { _ in .take }) { configuration, _ in
      configuration.drainLimit = .seconds(500)
    }
    #expect(try upload.makeOutput().closeTimeout > .seconds(501))
    var options = LiveOptions()
    options.drainTimeout = .seconds(40)
    #expect(LiveBench(options).output.closeTimeout == .seconds(50))
  }

  /// The server is unreachable first, then accepts the connection but never responds.
  @Test func latestErrorIsReportedAtEnd() throws {
    let server = MockServer()
    server.withScript { script in
      script.connectFaults = [.fails(NetworkError(.unreachable, "Nothing is there."))]
    }
    var configuration = try HLSUploadConfiguration(address: "http://h/live/")
    configuration.drainTimeout = .milliseconds(50)
    configuration.answerTimeout = TestTimeout.duration
    var options = LiveOptions()
    options.initialReconnectDelay = .milliseconds(1)
    let store = HLSUploadStore(configuration, options, transports: server.factory)
    let bench = HLSBench()
    var output = HLSOutput(bench.configuration, stores: [store], name: store.name)
    try output.open()
    try bench.record(48_000 * 5, into: &output)
    #expect(eventually { store.status.sentByteCount > 0 })
    _ = output.abandon()
    let error = #expect(throws: OutputError.self) { try output.poll() }
    #expect(server.connections.count == 2)
    #expect(error?.message.contains("does not confirm the upload") == true)
    #expect(error?.message.contains("Nothing is there") == false)
  }

  /// A server that confirms something now and then could otherwise delay the end without limit.
  @Test func theEndTakesNoLongerThanItMayAltogether() throws {
    var upload = try HLSUploadBench(
      UploadServer { _ in
        System.sleep(milliseconds: 1000)
        return .take
      }
    ) { configuration, _ in configuration.drainLimit = .milliseconds(500) }
    upload.bench.configuration.kind = .event
    var output = try upload.makeOutput()
    // Thirty segments at one per second would take 30 s. The time limit is `drainLimit` plus the
    // time for the waiting bytes at 64 kb/s, about six seconds.
    upload.bench.frameByteCount = 8
    try upload.bench.record(48_000 * 120, into: &output)
    let error = #expect(throws: OutputError.self) { try upload.finish(&output) }
    #expect(error?.message.contains("The end of the stream did not reach") == true)
    #expect(upload.server.requests.count < 25)
  }
}
