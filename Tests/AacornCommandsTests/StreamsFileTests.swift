import AacornCodec
import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem
import Testing

@testable import AacornCommands

/// The content of stream files, and their errors.
@Suite struct StreamsFileTests {
  private func list(
    _ text: String, isPrivate: Bool = true, _ command: StreamCommand = StreamCommand(),
    environment: [String: String] = [:]
  ) throws(StreamsMistakes) -> StreamList {
    try StreamList(text, from: "a.conf", isPrivate: isPrivate, command) { environment[$0] }
  }

  private func messages(
    _ text: String, isPrivate: Bool = true, _ command: StreamCommand = StreamCommand()
  ) -> [String] {
    do throws(StreamsMistakes) {
      _ = try list(text, isPrivate: isPrivate, command)
      return []
    } catch {
      return error.messages
    }
  }

  // MARK: - Lines

  @Test func aFileIsTakenApart() {
    let file = StreamsFile(
      """
      \u{FEFF}# comment
      bitrate = 96k
      ; another

        [ jazz ]\r
      metadata =  A = B # all of it \r
      device=tone
      [news]
      """)
    #expect(file.mistakes.isEmpty)
    #expect(file.general == [StreamsFile.Assignment(line: 2, option: "bitrate", value: "96k")])
    #expect(file.sections.map(\.name) == ["jazz", "news"])
    #expect(
      file.sections.first?.assignments == [
        StreamsFile.Assignment(line: 6, option: "metadata", value: "A = B # all of it"),
        StreamsFile.Assignment(line: 7, option: "device", value: "tone"),
      ])
  }

  @Test func streamSettingOverridesGeneralSetting() throws {
    let list = try list(
      """
      device = tone
      hls = /tmp/{stream}/live
      bitrate = 96k
      loop = no
      [one]
      [two]
      bitrate = 64k
      hls = /tmp/a
      hls = /tmp/b
      """)
    let plans = list.entries.map(\.plan)
    let folders = plans.map { plan in
      plan.outputs.flatMap { output -> [String] in
        if case .hls(let hls) = output { hls.folders } else { [] }
      }
    }
    #expect(folders == [["/tmp/one/live"], ["/tmp/a", "/tmp/b"]])
    let bitrates = plans.map { plan -> Int? in
      guard case .aac(let control, _, _, _) = plan.configuration.coding else { return nil }
      return control.nominalBitrate
    }
    #expect(bitrates == [96_000, 64_000])
  }

  @Test func streamAlternativeOverridesGeneralOption() throws {
    let list = try list(
      """
      backend = synthetic
      device = tone
      vbr = 3
      metadata = A - B
      save = {stream}.m4a
      [one]
      [two]
      file = two.wav
      bitrate = 64k
      title = C
      """)
    let plans = list.entries.map(\.plan)
    #expect(plans.map(\.sound.device) == ["tone", "file:two.wav"])
    #expect(plans.map(\.sound.backend) == [.synthetic, nil])
    #expect(plans.map(\.metadata.artist) == ["A", nil])
    #expect(plans.map(\.metadata.title) == ["B", "C"])
  }

  @Test func allMistakesAreReportedTogether() {
    let found = messages(
      """
      bitrat = 96k
      effort = much
      [one]
      device = tone
      save = a.m4a
      --loop = yes
      hls-segment = 1ms
      loop
      [two]
      save =
      [jazz/rock]
      json = yes
      [one]
      force = yes
      voice = on
      metadata = "A"
      """)
    let expected = [
      "line 1: There is no option bitrat. Did you mean bitrate?",
      "line 2: The option --effort does not accept “much”.",
      "line 6, [one]: Options in this file have no dashes. Write loop.",
      "line 7, [one]: --hls-segment of 1ms is too short.",
      "line 8, [one]: This is not of the form “option = value”. Did you mean “loop = yes”?",
      "line 10, [two]: The option save has no value.",
      "line 11: “jazz/rock” is not a name for a stream.",
    ]
    for words in expected {
      #expect(found.contains { $0.hasPrefix("“a.conf”, " + words) }, "\(words)\n\(found)")
    }
    #expect(found.contains { $0.contains("line 12, [jazz/rock]: The option json applies to all") })
    #expect(found.contains { $0.contains("The stream “one” is already defined in line 3.") })
    #expect(found.contains { $0.contains("line 16") && $0.contains("quotation marks") })
    // The messages are in the order of the lines.
    let lines = found.compactMap { sentence in
      sentence.firstMatch(of: /line (\d+)/).flatMap { Int($0.1) }
    }
    #expect(lines == lines.sorted())
  }

  @Test func invalidPlanIsReportedWithStreamName() {
    #expect(
      messages("[one]\ndevice = tone\n") == [
        "“a.conf”, line 1, [one]: There is no output. Use --icecast, --rtmp, --hls, --hls-serve or "
          + "--save."
      ])
    #expect(messages("# nothing").first?.hasPrefix("“a.conf”: There is no stream") == true)
    for (line, words) in [
      ("force = yes", "line 4, [one]: The option force is not available"),
      ("restart = often", "Choose one of: on-failure, always, never."),
      ("voice = on", "line 4, [one]: voice does not understand “on”. Write yes or no."),
    ] {
      let found = messages("[one]\ndevice = tone\nsave = a.m4a\n\(line)\n")
      #expect(found.first?.contains(words) == true, "\(found)")
    }
  }

  @Test func streamsWithSameOutputAreRejected() {
    let found = messages(
      """
      icecast = icecast://source:secret@h:8000/{stream}
      device = tone
      [one]
      hls = /tmp/live
      [two]
      hls = /tmp/./live
      [three]
      icecast = icecast://source:secret@h:8000/one
      [four]
      rtmp = rtmp://h/live/key-a
      [five]
      rtmp = rtmp://h/live/key-b
      """)
    #expect(found.count == 2, "\(found)")
    #expect(found.first?.contains("line 5, [two]: The stream would use the folder") == true)
    #expect(found.last?.contains("line 7, [three]") == true)
    #expect(found.last?.contains("as [one] in line 3 does") == true)
    #expect(!found.joined().contains("secret"))
  }

  @Test func aPortHasRoomForSeveralAddresses() throws {
    func text(_ addresses: String...) -> String {
      addresses.enumerated().map { "[s\($0)]\ndevice = tone\nhls-serve = \($1)\n" }.joined()
    }
    #expect(messages(text("127.0.0.1:8080", "127.0.0.2:8080", "[::1]:8080", "8081", "0")) == [])
    for other in ["8080", "*:8080", "[::]:8080"] {
      let found = messages(text("127.0.0.1:8080", other))
      #expect(found.count == 1 && found[0].contains("as [s0] in line 1 does"), "\(found)")
    }
    #expect(messages(text("[::1]:8080", "*:8080")) == [])
    var command = StreamCommand()
    command.statusAddress = ListenAddress("9100")
    _ = try list(text("127.0.0.2:9100"), command)
    let found = messages(text("8080", "*:9100"), command)
    #expect(found.count == 1, "\(found)")
    #expect(
      found.first?.contains(
        "[s1]: The stream would listen at 0.0.0.0:9100, as --listen-status does.") == true,
      "\(found)")
  }

  @Test func noStreamHasANameThatAnotherGetsNext() {
    let one = "[one]\ndevice = tone\nsave = /tmp/a.m4a\n"
    let two = "[two]\ndevice = tone\nsave = /tmp/a-002.m4a\n"
    for (text, line) in [(one + two, 4), (two + one, 1)] {
      let found = messages(text)
      #expect(found.count == 1, "\(found)")
      let expected = "line \(line), [two]: The stream would use “/tmp/a-002.m4a”"
      #expect(found.first?.contains(expected) == true, "\(found)")
      #expect(found.first?.contains("which [one]") == true, "\(found)")
    }
    #expect(messages(one + two.replacing("a-002", with: "a-02")) == [])
    #expect(messages(one + two.replacing("a-002", with: "b-002")) == [])
    #expect(messages(one + two.replacing("m4a", with: "aac")) == [])
  }

  @Test func sharedMistakeIsReportedOnce() {
    let names = (1...6).map { "s\($0)" }
    let text = "device = tone\nicecast = icecast://h/{stream}\ncredentials = /nonexistent/keys\n"
    let found = messages(text + names.map { "[\($0)]\n" }.joined())
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix("“a.conf”, line 4, [s1]: ") == true)
    #expect(
      found.first?.hasSuffix(" This also applies to [s2], [s3], [s4] and 2 more.") == true,
      "\(found)")
  }

  // MARK: - Secrets

  @Test func passwordsInAFileThatOthersReadAreRefused() throws {
    let text = "[one]\ndevice = tone\nicecast = icecast://source:topsecret@h/a\n"
    let found = messages(text, isPrivate: false)
    #expect(found.first?.contains("Other users can read this file") == true)
    #expect(!found.joined().contains("topsecret"))
    // A private file causes no warning.
    #expect(try list(text).entries.first?.plan.warnings == [])
    let other = "[one]\ndevice = tone\nicecast = icecast://h/a\n"
    let environment = ["AACORN_ICECAST_PASSWORD": "topsecret"]
    _ = try StreamList(other, from: "a", isPrivate: false, StreamCommand()) { environment[$0] }
  }

  // MARK: - Changes

  @Test func onlyChangedEntryDiffers() throws {
    let text = "[one]\ndevice = tone\nicecast = icecast://h/a\n"
    func one(_ text: String, _ password: String) throws -> StreamEntry {
      let list = try list(text, environment: ["AACORN_ICECAST_PASSWORD": password])
      return try #require(list.entries.first)
    }
    let entry = try one(text, "first")
    #expect(entry.isSame(as: try one("# moved\n\n" + text, "first")))
    #expect(entry.isSame(as: try one("device = tone\n" + text, "first")))
    #expect(!entry.isSame(as: try one(text, "second")))
    #expect(!entry.isSame(as: try one(text + "bitrate = 64k\n", "first")))
    #expect(!entry.isSame(as: try one(text + "restart = never\n", "first")))
    #expect(!entry.isSame(as: try one("bitrate = 64k\n" + text, "first")))
  }

  @Test(arguments: [
    ("limiter -1", "save = a.m4a\neffects = @"),
    ("first", "icecast = icecasts://h/a\ncertificate = "),
  ])
  func changedFileOfEntryChangesEntry(content: String, lines: String) throws {
    let folder = TemporaryFolder()
    let path = try folder.write(content, to: "file")
    func entry() throws -> StreamEntry {
      let text = "[one]\ndevice = tone\n\(lines)\(path)\n"
      let list = try list(text, environment: ["AACORN_ICECAST_PASSWORD": "x"])
      return try #require(list.entries.first)
    }
    let before = try entry()
    #expect(before.isSame(as: try entry()))
    try folder.write(content + "2", to: "file")
    #expect(!before.isSame(as: try entry()))
  }

  // MARK: - Files and connections

  @Test func descriptorEstimateIsComparedWithLimit() throws {
    let text = """
      icecast = icecast://h/{stream}
      [one]
      device = tone
      [two]
      file = two.wav
      hls = /tmp/two
      save = two.aac
      """
    let entries = try list(text, environment: ["AACORN_ICECAST_PASSWORD": "x"]).entries
    let counts = entries.map { DescriptorEstimate.count(of: $0.plan) }
    // Such streams use at most 9 and 15 descriptors, measured; the estimates are higher.
    #expect(counts.count == 2 && counts[0] >= 12 && counts[1] >= 18, "\(counts)")
    let command = StreamCommand()
    let needed = DescriptorEstimate.count(of: entries, besides: command)
    #expect(needed > counts.reduce(0, +))
    #expect(DescriptorEstimate.warning(needed: needed, allowed: needed) == nil)
    let warning = try #require(DescriptorEstimate.warning(needed: 20_000, allowed: 1024))
    for words in ["20000 open files", "the limit is 1024", "LimitNOFILE=20000"] {
      #expect(warning.contains(words), "\(warning)")
    }
  }

  @Test func theLimitOfDescriptorsIsRaisedAsFarAsItMayBe() {
    let before = System.descriptorLimit
    #expect(System.raiseDescriptorLimit() >= before)
    #expect(System.raiseDescriptorLimit() == System.descriptorLimit)
  }

  // MARK: - Names of files

  @Test func theNextFreeNameIsFoundAlsoAmongTensOfThousands() {
    for taken in [0, 1, 2, 3, 7, 999, 10_000, 40_000] {
      let names = Set(
        (1..<(taken + 1)).map { $0 == 1 ? "a.m4a" : FileOutput.numbered("a.m4a", $0) })
      var lookCount = 0
      let name = LivePlan.free("a.m4a") { name in
        lookCount += 1
        return names.contains(name)
      }
      #expect(name == (taken == 0 ? "a.m4a" : FileOutput.numbered("a.m4a", taken + 1)))
      #expect(lookCount <= 40)
    }
    // If the numbers in use have gaps, any free name is valid.
    let gaps: Set = ["a", "a-002", "a-004", "a-005", "a-008"]
    let free = LivePlan.free("a") { gaps.contains($0) }
    #expect(!gaps.contains(free))
  }

  @Test func numberedNameFitsMaximumLength() {
    let long = String(repeating: "y", count: 255)
    #expect(FileOutput.numbered("/a/\(long)", 2) == "/a/\(long.dropLast(4))-002")
    #expect(
      FileOutput.numbered("\(long.dropLast(4)).m4a", 10_000) == "\(long.dropLast(10))-10000.m4a")
    // A name that is short enough is not truncated.
    #expect(FileOutput.numbered("\(long.dropLast(8)).m4a", 2) == "\(long.dropLast(8))-002.m4a")
    // A suffix as long as the whole name is not treated as a suffix.
    #expect(FileOutput.numbered("x.\(long)", 2) == "x.\(long.dropLast(6))-002")
    // The length of names that are not UTF-8 is counted in bytes.
    let raw = PathText.decode([UInt8](repeating: 0xFF, count: 251))
    #expect(
      PathText.encode(FileOutput.numbered(raw + ".m4a", 2))
        == [UInt8](repeating: 0xFF, count: 247) + Array("-002.m4a".utf8))
    for name in ["x.m4a", "a/x", "a.b/x", ".x", "a/.x", ".x.m4a", "x.", "x.y.m4a"] {
      #expect(FileOutput.unnumbered(FileOutput.numbered(name, 7)) == name)
    }
  }

  @Test func aNumberedNameKnowsItsOrigin() {
    #expect(FileOutput.unnumbered("/a-b/c-002.m4a") == "/a-b/c.m4a")
    #expect(FileOutput.unnumbered("c-12345") == "c")
    for name in ["c.m4a", "c-02.m4a", "c-001.m4a", "-002", "/a-002/c", "c-0012.aac", "c--02.aac"] {
      #expect(FileOutput.unnumbered(name) == nil, "\(name)")
    }
  }

  // MARK: - Restarts

  @Test func restartPolicyDecidesByExitStatus() {
    typealias Decision = RestartPolicy.Decision
    let cases: [(RestartPolicy, AacornCommands.ExitStatus, Decision)] = [
      (.onFailure, .success, .end), (.onFailure, .failed, .end),
      (.onFailure, .cannotRead, .restart), (.onFailure, .cannotWrite, .restart),
      (.onFailure, .endedEarly, .restart), (.onFailure, .usage, .giveUp),
      (.always, .success, .restart), (.always, .endedEarly, .restart), (.always, .usage, .giveUp),
      (.never, .success, .end), (.never, .endedEarly, .giveUp),
    ]
    for (policy, status, decision) in cases {
      #expect(policy.decision(after: status) == decision, "\(policy) \(status)")
    }
  }

  @Test func restartPauseGrowsUntilStableRun() {
    var pause = RestartPause(seed: 1)
    let first = pause.next(afterRunOf: 0)
    #expect((750...1260).contains(first))
    var last = first
    for _ in 0..<10 { last = pause.next(afterRunOf: 1) }
    #expect((45_000...60_000).contains(last))
    #expect((750...1260).contains(pause.next(afterRunOf: 61)))
  }
}
