import AacornCodec
import AacornContainers
import AacornRecording
import AacornStreaming
import Testing

@testable import AacornCommands

/// The plan of `aacorn stream --adaptive`, and its messages.
@Suite struct StreamAdaptiveTests {
  private func plan(_ arguments: [String]) throws -> LivePlan {
    try LivePlan(["--icecast", "icecast://s:p@h:8000/a"] + arguments)
  }

  private static func adaptation(
    _ bitrate: Int, _ bounds: ClosedRange<Int>
  ) -> LivePlan.Adaptation {
    LivePlan.Adaptation(bitrate: bitrate, bounds: bounds)
  }

  @Test func theBoundsFollowFromTheRate() throws {
    let cases: [([String], LivePlan.Adaptation?)] = [
      ([], nil), (["--adaptive"], Self.adaptation(128_000, 32_000...128_000)),
      (["--adaptive", "-b", "64k"], Self.adaptation(64_000, 18_750...64_000)),
      (["--adaptive", "--abr", "96k"], Self.adaptation(96_000, 24_000...96_000)),
      (
        ["--adaptive", "--profile", "he", "-b", "48k"],
        Self.adaptation(48_000, 32_000...48_000)
      ),
      (
        ["--adaptive", "--adaptive-range", "48k..192k"],
        Self.adaptation(128_000, 48_000...192_000)
      ),
      (["--adaptive", "--save", "a.m4a"], Self.adaptation(128_000, 32_000...128_000)),
    ]
    for (arguments, wanted) in cases {
      #expect(try plan(arguments).adaptation == wanted, "\(arguments)")
    }
  }

  @Test func bitrateChangeHasMessageAndJSON() throws {
    let plan = try plan(["--adaptive"])
    func event(_ reason: BitrateChange.Reason) -> LiveEvent {
      .bitrate(BitrateChange(from: 128_000, to: 54_000, because: reason))
    }
    let messages = BitrateChange.Reason.allCases.map { reason in
      event(reason).message(wallTime: 0, plan, outputs: [], previous: nil)?.text
    }
    let start = "The bitrate is now 54.0 kb/s instead of 128.0 kb/s, because "
    #expect(
      messages == [
        start + "the send queue is growing.",
        start + "frames were dropped.", start + "the send queue is empty.",
      ])
    #expect(
      event(.queueGrew).json(wallTime: 1_000_000_000, plan, outputs: [])?.encoded
        == #"{"event":"bitrate-changed","time":"1970-01-01T00:00:01.000Z","from":128000,"#
        + #""to":54000,"because":"queue-grew"}"#)
  }

  @Test func statusStoreContainsCurrentBitrate() throws {
    let statusStore = LiveStatusStore(try plan(["--adaptive"])) { _ in }
    #expect(statusStore.snapshot().bitrate == 128_000)
    statusStore.update { $0.bitrate = 54_000 }
    var stream = statusStore.snapshot()
    #expect(stream.bitrate == 54_000)
    #expect(stream.json.encoded.contains(#""bitrate":54000,"#))
    #expect(MetricsText(stream).text.contains("\naacorn_bitrate 54000\n"))
    var output = OutputStatus(.icecast, id: "icecast", name: "icecast://h:8000/a")
    output.state = .live
    output.frameCount = 500
    output.byteCount = 500 * 372
    stream.outputs = [output]
    #expect(LiveLine(stream: stream).text(columns: 200).contains("icecast live 54 kb/s"))
    let plain = LiveStatusStore(try plan([])) { _ in }
    #expect(plain.snapshot().bitrate == nil)
    #expect(plain.snapshot().json.encoded.contains(#""bitrate":null,"#))
    #expect(!MetricsText(plain.snapshot()).text.contains("aacorn_bitrate"))
  }
}
