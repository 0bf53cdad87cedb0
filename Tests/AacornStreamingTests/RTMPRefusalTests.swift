import Testing

@testable import AacornStreaming
@testable import AacornWeb

/// Servers that reject a stream or end it.
@Suite struct RTMPRefusalTests {
  private let bench = RTMPBench()

  @Test(arguments: [
    ("NetStream.Publish.BadName", NetworkError.Kind.taken, "already being published"),
    ("NetStream.Publish.Denied", .forbidden, "does not allow"),
    ("NetStream.Publish.Unauthorized", .unauthorized, "does not accept"),
    ("NetStream.Failed", .serverFault, "does not accept the stream"),
  ])
  func whyAStreamIsNotTakenIsSaid(code: String, kind: NetworkError.Kind, words: String) {
    let error = bench.refusal { $0.publish = .refuses(code, "Stream s3cret-key of pa55word: no") }
    #expect(error?.kind == kind)
    #expect(error?.sentence.contains(words) == true)
    #expect(error?.sentence.contains("(\(code))") == true)
    #expect(error?.sentence.contains("rtmp://radio.example/live/…") == true)
    expectNoSecret(error)
  }

  @Test(arguments: [
    ("NetConnection.Connect.InvalidApp", "no", NetworkError.Kind.notFound),
    ("NetConnection.Connect.Rejected", "go away", .forbidden),
    ("NetConnection.Connect.Rejected", "code=403 need auth; authmod=adobe", .unauthorized),
    ("NetConnection.Connect.AppShutdown", "late", .serverFault),
    ("", "", .serverFault),
  ])
  func whyAConnectionIsRefusedIsSaid(code: String, words: String, kind: NetworkError.Kind) {
    let error = bench.refusal { $0.connect = .refuses(code, words) }
    #expect(error?.kind == kind)
    #expect(error?.sentence.contains(words) == true)
    expectNoSecret(error)
  }

  @Test func whoClosesWithoutAWordIsExplained() {
    let publish = bench.refusal { $0.publish = .closes }
    #expect(publish?.kind == .closed)
    #expect(publish?.sentence.contains("stream key is wrong or publishing is not allowed") == true)
    let connect = bench.refusal { $0.connect = .closes }
    #expect(connect?.kind == .closed)
    #expect(connect?.sentence.contains("application “live”") == true)
    expectNoSecret(publish)
    expectNoSecret(connect)
  }

  @Test(arguments: [(0, true), (30, true), (60, false)])
  func whoClosesSoonAfterSayingYesIsExplainedToo(frameCount: Int, isExplained: Bool) throws {
    let server = RTMPTestServer()
    var (service, transport) = try bench.publish(to: server)
    for number in 0..<frameCount { try service.send(bench.frame(number), over: &transport) }
    server.close()
    let error = #expect(throws: NetworkError.self) {
      for _ in 0..<10 { try service.attend(to: &transport) }
    }
    #expect(error?.kind == .closed)
    #expect(error?.sentence.contains("stream key is wrong") == isExplained)
    expectNoSecret(error)
  }

  @Test func whoDoesNotAnswerIsGivenUp() {
    func refusal(_ change: (inout RTMPTestServer.Script) -> Void) -> NetworkError? {
      bench.refusal(patience: .milliseconds(150), change)
    }
    #expect(refusal { $0.publish = .chatters }?.kind == .timeout)
    #expect(refusal { $0.connect = .chatters }?.kind == .timeout)
    #expect(refusal { $0.connect = .isSilent }?.kind == .timeout)
    #expect(refusal { $0.publish = .isSilent }?.kind == .timeout)
    #expect(refusal { $0.babble = [] }?.kind == .timeout)
  }

  @Test func anAnswerThatNobodyCanReadIsAnError() {
    let error = bench.refusal { $0.publish = .says([2, 0, 1, 0x61, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]) }
    #expect(error?.kind == .malformed)
    #expect(error?.sentence.contains("unknown type 7") == true)
    #expect(bench.refusal { $0.connect = .says([]) }?.kind == .malformed)
  }

  @Test func whoEndsAStreamThatIsLiveIsNotTheEndOfAdvice() throws {
    let server = RTMPTestServer()
    var (service, transport) = try bench.publish(to: server)
    for number in 0..<60 { try service.send(bench.frame(number), over: &transport) }
    server.say(RTMPCommand("close", transaction: 0, [.null]).message())
    let error = #expect(throws: NetworkError.self) { try service.attend(to: &transport) }
    #expect(error?.kind == .closed)
    #expect(error?.sentence.contains("Check whether the server is still running") == true)
    expectNoSecret(error)
  }

  @Test func whatIsNoRTMPServerIsNoticed() {
    let web = bench.refusal { $0.babble = Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8) }
    #expect(web?.kind == .malformed)
    #expect(web?.sentence.contains("its first byte is 72, not 3") == true)
    #expect(bench.refusal { $0.version = 6 }?.kind == .malformed)
    #expect(bench.refusal { $0.streamNumber = .string("one") }?.kind == .malformed)
    #expect(bench.refusal { $0.streamNumber = .number(-1) }?.kind == .malformed)
    #expect(bench.refusal { $0.streamNumber = .number(.nan) }?.kind == .malformed)
  }

  private func expectNoSecret(_ error: NetworkError?) {
    let sentence = error?.sentence ?? ""
    #expect(!sentence.isEmpty)
    for secret in ["s3cret", "anna", "pa55word"] { #expect(!sentence.contains(secret)) }
  }
}
