import AacornContainers
import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem
import Testing

@testable import AacornCommands

/// The report and the exit code of a finished stream.
@Suite struct StreamingReportTests {
  private typealias Output = OutputStatus
  private let problem = OutputStatus.StreamProblem(keyword: "closed", message: "It hung up.")

  private func output(
    _ kind: OutputStatus.Kind, _ id: String, frames: Int, dropped: Int = 0,
    isFailed: Bool = false
  ) -> Output {
    var output = Output(kind, id: id, name: "\(id).name")
    output.state = isFailed ? .failed(problem) : .stopped
    output.problem = isFailed ? problem : nil
    output.frameCount = frames
    output.droppedFrameCount = dropped
    return output
  }

  /// The summary of a second of sound.
  private var second: RecordingSummary {
    var summary = RecordingSummary()
    summary.sampleCount = 44_100
    return summary
  }

  private func report(
    _ outputs: [Output], _ summary: RecordingSummary? = nil, _ tally: LiveTally = LiveTally()
  ) throws -> LiveReport {
    var stream = LiveSnapshot()
    stream.outputs = outputs
    return LiveReport(try LivePlan(["--save", "a.m4a"]), summary ?? second, tally, stream)
  }

  @Test func outputWithoutAcceptedAudioHasFailed() throws {
    let good = output(.save, "save", frames: 43)
    // An output that is still looking up its host name is `connecting`, without an error.
    for state in [
      OutputStatus.State.connecting, .live, .stopped, .reconnecting(problem, attempt: 2),
    ] {
      var silent = output(.icecast, "icecast", frames: 0, dropped: 43)
      silent.state = state
      #expect(try report([silent]).exitStatus == .cannotWrite)
      #expect(try report([silent, silent]).exitStatus == .cannotWrite)
      #expect(try report([good, silent]).exitStatus == .failed)
      #expect(try report([good, silent]).message == "1 of 2 outputs failed: icecast.")
      #expect(try report([silent, silent]).message == "No output accepted any audio.")
      #expect(try report([silent]).message?.contains("icecast.name") == true)
    }
    var empty = output(.hls, "hls", frames: 20)
    empty.segmentCount = 0
    #expect(try report([empty]).exitStatus == .cannotWrite)
    empty.segmentCount = 1
    #expect(try report([empty]).exitStatus == .success)
  }

  @Test func unsavedEndOfAFileIsReported() throws {
    let plan = try LivePlan(["--save", "a.m4a"])
    let rate = plan.configuration.sampleRate
    var file = OutputSummary(name: "a.m4a", sampleCount: rate, byteCount: 9)
    var tally = LiveTally()
    tally.process(.sound(.outputClosed(file)), wallTime: 0)
    file.unsavedSampleCount = rate / 2
    var summary = RecordingSummary()
    summary.sampleCount = rate + rate / 2
    summary.outputs = [file]
    let captured = CapturedConsole()
    let console = captured.console
    LiveReport(plan, summary, tally).print(in: console)
    console.output.flush()
    #expect(captured.output == "a.m4a: 0:01.0, 9 B, no gaps, 500 ms after it not saved\n")
  }

  @Test func droppedFramesAreInFinalMessage() throws {
    let whole = output(.save, "save", frames: 1000)
    let holed = output(.rtmp, "rtmp", frames: 500, dropped: 500)
    #expect(try report([whole]).message == nil)
    let report = try report([whole, holed])
    #expect(report.exitStatus == .success)
    #expect(report.message == "Not everything was sent: rtmp missed 500 of 1000 frames.")
    #expect(
      report.json.encoded.contains(
        #""error":null,"message":"Not everything was sent: rtmp missed 500 of 1000 frames.""#))
    let captured = CapturedConsole()
    report.print(in: captured.console)
    captured.console.output.flush()
    captured.expectErrors("rtmp missed 500 of 1000 frames.")
    captured.expectOutput(", 500 of 1000 frames dropped")
  }

  /// Scripts see only the exit code.
  @Test func outputThatMissedMoreThanHalfHasFailed() throws {
    let whole = output(.save, "save", frames: 1000)
    let holed = output(.icecast, "icecast", frames: 499, dropped: 501)
    var upload = output(.hls, "hls", frames: 1000)
    (upload.segmentCount, upload.droppedSegmentCount) = (3, 4)
    for outputs in [[holed], [upload], [whole, holed]] {
      let report = try report(outputs)
      #expect(report.exitStatus == .failed)
      #expect(report.message?.hasPrefix("Not everything was sent: ") == true)
      #expect(
        report.json.encoded.contains(
          #""status":"error","code":1,"error":"incomplete","message":"Not everything"#))
    }
    // The failure of another output is reported first.
    let bad = output(.rtmp, "rtmp", frames: 0, isFailed: true)
    #expect(try report([holed, bad]).exitStatus == .failed)
    #expect(try report([holed, bad]).message == "1 of 2 outputs failed: rtmp.")
  }

  @Test func droppedSegmentsAreInFinalMessage() throws {
    var upload = output(.hls, "hls", frames: 1000)
    upload.segmentCount = 7
    upload.droppedSegmentCount = 0
    #expect(try report([upload]).message == nil)
    upload.droppedSegmentCount = 2
    let report = try report([upload])
    let message = "Not everything was sent: hls missed 2 of 9 segments."
    #expect(
      report.json.encoded.contains(
        #""status":"ok","code":0,"error":null,"message":"\#(message)""#))
    let captured = CapturedConsole()
    report.print(in: captured.console)
    captured.console.output.flush()
    captured.expectErrors(message)
    captured.expectOutput(", 7 segments, 2 of 9 segments dropped")
  }

  /// An outage that has ended must not make a service manager restart the stream.
  @Test func droppedAudioFailsOnlyIfItIsMoreThanHalf() throws {
    var upload = output(.hls, "hls", frames: 1000)
    upload.segmentCount = 7
    upload.droppedSegmentCount = 2
    let cases = [
      (upload, ExitStatus.success),
      (output(.icecast, "icecast", frames: 510, dropped: 490), .success),
      (output(.icecast, "icecast", frames: 10, dropped: 990), .failed),
    ]
    for (holed, expected) in cases {
      let status = try report([holed]).exitStatus
      #expect(status == expected)
    }
  }

  @Test func problemKeywordIsInJSON() throws {
    let report = try report([output(.rtmp, "rtmp", frames: 0, dropped: 9, isFailed: true)])
    #expect(report.exitStatus == .cannotWrite)
    #expect(
      report.json.encoded.contains(
        #""status":"error","code":4,"error":"closed","message":"It hung up.""#))
  }

  @Test func failedTrackYieldsEndedEarlyStatus() throws {
    var tally = LiveTally()
    tally.process(.sound(.trackFailed("bed", .capture(.deviceBusy(id: "x")))), wallTime: 0)
    let report = try report([output(.save, "save", frames: 43)], nil, tally)
    #expect(report.exitStatus == .endedEarly)
    #expect(report.message == nil)
    #expect(report.json.encoded.contains(#""error":"cannot-capture","message":"The track "#))
  }

  /// The error code and the message describe the same error.
  @Test func lostFileIsReportedInJSON() throws {
    var summary = second
    summary.losses = [OutputError(.lost, "“a.m4a” was removed.")]
    let save = output(.save, "save", frames: 43)
    let both = [save, output(.rtmp, "rtmp", frames: 10, dropped: 990)]
    let expected = #""status":"error","code":5,"error":"lost","message":"“a.m4a” was removed.""#
    for outputs in [[save], both] {
      #expect(try report(outputs, summary).json.encoded.contains(expected))
    }
    // The failure that ended the stream takes precedence.
    summary.failure = .allOutputsFailed(OutputError(.connection, "It hung up."))
    let failed = try report(both, summary).json.encoded
    #expect(!failed.contains("was removed"), "\(failed)")
  }

  @Test func exitCodesReflectOutputStates() throws {
    let good = output(.save, "save", frames: 43)
    let bad = output(.rtmp, "rtmp", frames: 0, isFailed: true)
    let broken = output(.rtmp, "rtmp", frames: 10, isFailed: true)
    // Never connected, and stopped with the other outputs.
    var never = bad
    never.state = .stopped
    let allFailed = RecordingError.allOutputsFailed(OutputError(.connection, "x"))
    let cases: [(outputs: [Output], failure: RecordingError?, code: Int32)] = [
      ([good, good], nil, 0), ([good, bad], nil, 1), ([good, never], nil, 1), ([never], nil, 4),
      ([bad], allFailed, 4), ([bad, broken], allFailed, 5), ([broken], nil, 5),
      ([], .capture(.noDevice(for: .capture, backend: .alsa)), 3),
      ([good], .capture(.deviceBusy(id: "x")), 5),
    ]
    for (outputs, failure, code) in cases {
      var summary = second
      summary.failure = failure
      #expect(try report(outputs, summary).exitStatus.code == code, "\(outputs.map(\.id))")
    }
    #expect(try report([good], RecordingSummary()).exitStatus.code == 3)
  }
}
