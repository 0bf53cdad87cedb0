import Testing

@testable import AacornNetwork
@testable import AacornStreaming

/// Servers that reject a stream or end it.
@Suite struct RTMPRejectionTests {
  private let bench = RTMPBench()

  @Test(arguments: [
    ("NetStream.Publish.BadName", NetworkError.Kind.taken, "already being published"),
    ("NetStream.Publish.Denied", .forbidden, "does not allow"),
    ("NetStream.Publish.Unauthorized", .unauthorized, "does not accept"),
    ("NetStream.Failed", .serverFault, "does not accept the stream"),
  ])
  func publishRejectionStatesReason(code: String, kind: NetworkError.Kind, words: String) {
    let error = bench.rejection { $0.publish = .refuses(code, "Stream s3cret-key of pa55word: no") }
    #expect(error?.kind == kind)
    #expect(error?.message.contains(words) == true)
    #expect(error?.message.contains("(\(code))") == true)
    #expect(error?.message.contains("rtmp://radio.example/live/…") == true)
    expectNoSecret(error?.message)
  }

  @Test(arguments: [
    ("NetConnection.Connect.InvalidApp", "no", NetworkError.Kind.notFound),
    ("NetConnection.Connect.Rejected", "go away", .forbidden),
    ("NetConnection.Connect.Rejected", "code=403 need auth; authmod=adobe", .unauthorized),
    ("NetConnection.Connect.AppShutdown", "late", .serverFault),
    ("", "", .serverFault),
  ])
  func connectRejectionStatesReason(code: String, words: String, kind: NetworkError.Kind) {
    let error = bench.rejection { $0.connect = .refuses(code, words) }
    #expect(error?.kind == kind)
    #expect(error?.message.contains(words) == true)
    expectNoSecret(error?.message)
  }

  @Test func silentCloseIsExplained() {
    let publish = bench.rejection { $0.publish = .closes }
    #expect(publish?.kind == .closed)
    #expect(publish?.message.contains("stream key is wrong or publishing is not allowed") == true)
    let connect = bench.rejection { $0.connect = .closes }
    #expect(connect?.kind == .closed)
    #expect(connect?.message.contains("application “live”") == true)
    expectNoSecret(publish?.message)
    expectNoSecret(connect?.message)
  }

  @Test(arguments: [(0, true), (30, true), (60, false)])
  func closeSoonAfterAcceptanceIsExplained(frameCount: Int, isExplained: Bool) throws {
    let server = RTMPTestServer()
    var (service, transport) = try bench.publish(to: server)
    for number in 0..<frameCount { try service.send(bench.frame(number), over: &transport) }
    server.close()
    let message = expectNetworkError(.closed) {
      for _ in 0..<10 { try service.handleMessages(over: &transport) }
    }
    #expect(message.contains("stream key is wrong") == isExplained)
    expectNoSecret(message)
  }

  @Test func missingResponseTimesOut() {
    func rejection(_ change: (inout RTMPTestServer.Script) -> Void) -> NetworkError? {
      bench.rejection(answerTimeout: .milliseconds(150), change)
    }
    #expect(rejection { $0.publish = .floods }?.kind == .timeout)
    #expect(rejection { $0.connect = .floods }?.kind == .timeout)
    #expect(rejection { $0.connect = .isSilent }?.kind == .timeout)
    #expect(rejection { $0.publish = .isSilent }?.kind == .timeout)
    #expect(rejection { $0.babble = [] }?.kind == .timeout)
  }

  @Test func unreadableResponseIsMalformed() {
    let error = bench.rejection {
      $0.publish = .says([2, 0, 1, 0x61, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7])
    }
    #expect(error?.kind == .malformed)
    #expect(error?.message.contains("unknown type 7") == true)
    #expect(bench.rejection { $0.connect = .says([]) }?.kind == .malformed)
  }

  @Test func closeCommandOfLiveStreamSuggestsRecovery() throws {
    let server = RTMPTestServer()
    var (service, transport) = try bench.publish(to: server)
    for number in 0..<60 { try service.send(bench.frame(number), over: &transport) }
    server.say(RTMPCommand("close", transaction: 0, [.null]).message())
    expectNoSecret(
      expectNetworkError(.closed, "Check whether the server is still running") {
        try service.handleMessages(over: &transport)
      })
  }

  @Test func nonRTMPServerIsMalformed() {
    let web = bench.rejection { $0.babble = Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8) }
    #expect(web?.kind == .malformed)
    #expect(web?.message.contains("its first byte is 72, not 3") == true)
    #expect(bench.rejection { $0.version = 6 }?.kind == .malformed)
    #expect(bench.rejection { $0.streamNumber = .string("one") }?.kind == .malformed)
    #expect(bench.rejection { $0.streamNumber = .number(-1) }?.kind == .malformed)
    #expect(bench.rejection { $0.streamNumber = .number(.nan) }?.kind == .malformed)
  }

  private func expectNoSecret(_ message: String?) {
    let message = message ?? ""
    #expect(!message.isEmpty)
    for secret in ["s3cret", "anna", "pa55word"] { #expect(!message.contains(secret)) }
  }
}
