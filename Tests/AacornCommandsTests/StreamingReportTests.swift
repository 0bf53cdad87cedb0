import AudioCapture
import Recording
import Streaming
import Testing

@testable import AacornCommands

/// What the shell is told of a stream that has ended.
@Suite struct StreamingReportTests {
  private typealias Output = StreamSnapshot.Output
  private let trouble = StreamSnapshot.Trouble(word: "closed", sentence: "It hung up.")

  @Test func exitCodesTellWhatBecameOfTheOutputs() throws {
    guard
      case .run(let command) = try ArgumentParser(StreamCommand.syntax).parse(
        ["--save", "a.m4a"], into: StreamCommand())
    else { throw UsageError("help") }
    let plan = try StreamPlan(command) { _ in nil }
    var summary = RecordingSummary()
    summary.sampleCount = 44_100
    var good = Output(.save, id: "save", name: "a.m4a")
    good.state = .stopped
    good.frameCount = 43
    var bad = Output(.rtmp, id: "rtmp", name: "rtmp://h/a")
    bad.state = .failed(trouble)
    bad.trouble = trouble
    // Never reached, and stopped with the rest.
    var never = bad
    never.state = .stopped
    func code(_ outputs: [Output], _ failure: RecordingError? = nil) -> Int32 {
      var stream = StreamSnapshot()
      stream.outputs = outputs
      summary.failure = failure
      return StreamingReport(plan, summary, stream).exitStatus.code
    }
    var broken = bad
    broken.frameCount = 10
    let allFailed = RecordingError.allOutputsFailed(OutputError(.connection, "x"))
    #expect(code([good, good]) == 0)
    #expect(code([good, bad]) == 1)
    #expect(code([good, never]) == 1)
    #expect(code([never]) == 4)
    #expect(code([bad], allFailed) == 4)
    #expect(code([bad, broken], allFailed) == 5)
    #expect(code([broken]) == 5)
    #expect(code([], .capture(.noDevice(backend: .alsa))) == 3)
    #expect(code([good], .capture(.deviceBusy(id: "x"))) == 5)
    summary.sampleCount = 0
    #expect(code([good]) == 3)
  }
}
