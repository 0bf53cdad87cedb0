import AacornContainers
import AacornRecording
import AacornStreaming
import Testing

@testable import AacornCommands

/// Reports of audio that an output dropped.
@Suite struct StreamDropTests {
  private let problem = OutputStatus.StreamProblem(keyword: "closed", message: "It hung up.")

  private var icecast: OutputStatus {
    var output = OutputStatus(.icecast, id: "icecast", name: "icecast://h:8000/a")
    output.state = .live
    output.droppedFrameCount = 3
    return output
  }

  @Test func droppedFramesAreReportedAtIntervalsAndAtEnd() {
    var tally = LiveTally()
    var outputs = [icecast]
    func drops(_ seconds: Double, isEnd: Bool = false) -> [Int] {
      tally.drops(in: outputs, at: seconds, isEnd: isEnd).map { event in
        if case .dropped(_, let count) = event { count } else { -1 }
      }
    }
    #expect(drops(0) == [3])
    outputs[0].droppedFrameCount = 10
    #expect(drops(1) == [])
    outputs[0].droppedFrameCount = 12
    #expect(drops(6) == [9])
    outputs[0].droppedFrameCount = 13
    #expect(drops(7, isEnd: true) == [1])
    #expect(drops(20, isEnd: true) == [])
  }

  @Test func droppedSegmentsAreReportedPerMinuteAndAfterReconnection() {
    var tally = LiveTally()
    var outputs = [OutputStatus(.hls, id: "hls", name: "https://h/live/")]
    func drops(_ seconds: Double, _ count: Int, isEnd: Bool = false) -> [Int] {
      outputs[0].droppedSegmentCount = count
      return tally.drops(in: outputs, at: seconds, isEnd: isEnd).map { event in
        if case .dropped(_, let count) = event { count } else { -1 }
      }
    }
    outputs[0].state = .live
    #expect(drops(0, 0) == [])
    #expect(drops(1, 2) == [2])
    #expect(drops(60, 3) == [])
    #expect(drops(61, 4) == [2])
    outputs[0].state = .reconnecting(problem, attempt: 1)
    #expect(drops(200, 9) == [])
    outputs[0].state = .live
    #expect(drops(201, 9) == [5])
    outputs[0].state = .reconnecting(problem, attempt: 1)
    #expect(drops(202, 10, isEnd: true) == [1])
    #expect(drops(203, 10, isEnd: true) == [])
  }

  @Test func dropMessageUsesUnitOfOutput() throws {
    let plan = try LivePlan(["--hls", "https://h/live/", "--hls-segment", "2s"])
    var upload = OutputStatus(.hls, id: "hls", name: "https://h/live/")
    upload.droppedSegmentCount = 3
    let outputs = [icecast, upload]
    func report(_ index: Int, _ count: Int) -> (text: String, json: String) {
      let event = LiveEvent.dropped(index, count: count)
      return (
        event.message(wallTime: 0, plan, outputs: outputs, previous: nil)?.text ?? "",
        event.json(wallTime: 0, plan, outputs: outputs)?.encoded ?? ""
      )
    }
    let frames = report(0, 2)
    #expect(frames.text.hasPrefix("icecast (icecast://h:8000/a): 2 frames (4"))
    #expect(frames.text.hasSuffix(" ms) could not be sent and were dropped."))
    #expect(frames.json.hasSuffix(#","frames":2,"segments":null}"#), "\(frames.json)")
    let segments = report(1, 3)
    #expect(
      segments.text
        == "hls (https://h/live/): 3 segments (6.0 s) could not be sent and were dropped.")
    #expect(segments.json.hasSuffix(#","frames":null,"segments":3}"#), "\(segments.json)")
  }
}
