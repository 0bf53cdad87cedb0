import AacornCodec
import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem
import Testing

@testable import AacornCommands

/// The command line of `aacorn stream`, and the plan of a stream.
@Suite struct StreamCommandTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  @Test func theDefaultsAreThoseOfTheEncoder() throws {
    let plan = try LivePlan(["--save", "a.m4a"])
    #expect(plan.configuration.sampleRate == 48_000)
    #expect(plan.configuration.channelCount == 2)
    #expect(
      plan.configuration.coding
        == .aac(rateControl: .constant(bitsPerSecond: 128_000), effort: .balanced))
    #expect(plan.configuration.furtherCodings.isEmpty)
    #expect(plan.liveOptions == LiveOptions())
    #expect(plan.warnings.isEmpty)
  }

  @Test func outputsWithoutTitlesAreReported() throws {
    func warnings(_ arguments: String...) throws -> [String] { try LivePlan(arguments).warnings }
    let rest = "not carry titles: only Icecast and RTMP do."
    for options in [
      ["--metadata", "Anna - Morning"], ["--title", "T"], ["--metadata-file", "n"],
    ] {
      for output in [["--hls", folder.path], ["--hls-serve", "1"], ["--hls", "https://h/live/"]] {
        #expect(try LivePlan(options + output).warnings == ["HLS does \(rest)"])
      }
    }
    // A saved M4A file has a constant title in its tags.
    #expect(try warnings("--title", "T", "--save", "a.m4a").isEmpty)
    for options in [["--title", "T", "--save", "a.aac"], ["--metadata", "T", "--save", "a.m4a"]] {
      #expect(try LivePlan(options).warnings == ["Saved files do \(rest)"])
    }
    #expect(
      try warnings("--metadata-file", "n", "--save", "a.m4a", "--hls", folder.path)
        == ["HLS and saved files do \(rest)"])
    let rtmp = try warnings("--title", "T", "--rtmp", "rtmp://h/live/one")
    #expect(!rtmp.contains { $0.contains("titles") })
    #expect(try warnings("--hls", folder.path, "--save", "a.m4a").isEmpty)
  }

  @Test func outputsComeInOrderAndAsOftenAsWanted() throws {
    let plan = try LivePlan(
      [
        "--save", "a.m4a", "--hls", folder.path, "--rtmp", "rtmp://h/live/one", "--icecast",
        "icecast://x:8000/a", "--icecast", "icecasts://y/b", "--save", "b.aac",
      ], environment: ["AACORN_ICECAST_PASSWORD": "p"])
    let kinds = plan.outputs.map { output in
      switch output {
      case .server(.icecast(let configuration)): configuration.address
      case .server(.rtmp(let configuration)): configuration.address
      case .hls: "hls"
      case .save(let file): file.path
      }
    }
    #expect(
      kinds == [
        "icecast://x:8000/a", "icecasts://y:8443/b", "rtmp://h/live/…", "hls", "a.m4a", "b.aac",
      ])
  }

  @Test func optionsReachThePlan() throws {
    let plan = try LivePlan([
      "music.wav", "--loop", "-d", "1m", "--icecast", "icecast://s:p@h:8000/a", "--rtmp",
      "rtmps://h/app/key", "--retry", "3", "--reconnect-queue", "30s", "--name", "N", "--genre",
      "G", "--public", "--rate", "48k", "--channels", "1", "--bitrates", "64k,128k", "--hls",
      folder.path, "--hls-format", "aac", "--hls-type", "event", "--hls-segment", "2s",
      "--hls-window", "9", "--metadata", "A - B - C", "--listen-status", "9100",
    ])
    #expect(plan.sound.device == "file:music.wav")
    #expect(plan.sound.isLooped)
    #expect(plan.configuration.duration == .milliseconds(60_000))
    #expect(plan.configuration.sampleRate == 48_000)
    #expect(
      plan.configuration.coding
        == .aac(rateControl: .constant(bitsPerSecond: 64_000), effort: .balanced))
    #expect(
      plan.configuration.furtherCodings
        == [.aac(rateControl: .constant(bitsPerSecond: 128_000), effort: .balanced)])
    #expect(plan.liveOptions.attemptLimit == 3)
    #expect(plan.liveOptions.queueDuration == .seconds(30))
    #expect(plan.metadata == LiveMetadata(title: "B - C", artist: "A"))
    #expect(plan.statusAddress?.address == "127.0.0.1")
    #expect(plan.statusAddress?.port == 9100)
    for output in plan.outputs {
      switch output {
      case .server(.icecast(let configuration)):
        #expect(configuration.name == "N" && configuration.genre == "G" && configuration.isPublic)
      case .server(.rtmp(let configuration)): #expect(configuration.endpoint.isSecure)
      case .hls(let hls):
        #expect(hls.configuration.media == .packedAudio)
        #expect(hls.configuration.kind == .event)
        #expect(hls.configuration.segmentDuration == .seconds(2))
        #expect(hls.configuration.windowSegmentCount == 9)
        #expect(hls.configuration.renditionNames == ["64k", "128k"])
      case .save: Issue.record("The stream has no --save.")
      }
    }
  }

  private static func uploads(_ plan: LivePlan) -> [HLSUploadConfiguration] {
    plan.outputs.flatMap { output -> [HLSUploadConfiguration] in
      if case .hls(let hls) = output { hls.uploads } else { [] }
    }
  }

  @Test func anAddressOfTheWebForHLSIsAnUpload() throws {
    let plan = try LivePlan(
      [
        "--hls", "https://origin.example/live/", "--hls", folder.path, "--hls",
        "http://anna:p%40ss@h:8080/a/?key=abcdef", "--hls-delete", "--retry", "3",
      ], environment: ["AACORN_HLS_USER": "me", "AACORN_HLS_PASSWORD": "secret"])
    let uploads = Self.uploads(plan)
    #expect(uploads.map(\.address) == ["https://origin.example/live/", "http://h:8080/a/"])
    #expect(uploads.map(\.user) == ["me", "anna"])
    #expect(uploads.map(\.password) == ["secret", "p@ss"])
    #expect(uploads[1].query == "key=abcdef")
    #expect(uploads.allSatisfy { $0.removesOldFiles })
    #expect(plan.liveOptions.attemptLimit == 3)
    #expect(plan.redactor.clean("secret p@ss p%40ss key=abcdef") == "••• ••• ••• •••")
    #expect(plan.warnings.count == 1)
    #expect(plan.warnings[0].contains("a password, which other users"))
    #expect(plan.warnings[0].contains("if the server accepts a password instead"))
    #expect(!plan.warnings[0].contains("p%40ss"))
  }

  @Test func anAddressThatOthersCouldReadGetsTheRightAdvice() throws {
    let password = try LivePlan(["--hls", "https://anna:hush@h/"]).warnings
    #expect(password.count == 1 && password[0].contains("AACORN_HLS_PASSWORD"))
    let key = try LivePlan(["--hls", "https://h/?key=abcdef"]).warnings
    #expect(key.count == 1 && key[0].contains("contains a query"))
    #expect(key[0].contains("if the server accepts a password instead"))
  }

  @Test func uploadsWithDifferentQueriesAreSeparate() throws {
    let plan = try LivePlan([
      "--hls", "https://h/up?id=1&file=", "--hls", "https://h/up?id=2&file=",
    ])
    #expect(Self.uploads(plan).map(\.query) == ["id=1&file=", "id=2&file="])
  }

  @Test(
    arguments: [
      [], "a.wav", "--save a.wav", "--save a.mp3", ["--save", ""], "--save a.m4a --save a.m4a",
      "a.wav b.wav --save c.m4a", "a.wav --device tone --save c.m4a", "--loop --save c.m4a",
      "- --save c.m4a", "--save c.m4a -d 0", "--save c.m4a --hls-part 1s",
      "--hls x --hls-part 500ms", "--hls x --hls-segment 1ms", "--hls x --hls-window 0",
      "--hls x --hls-type dvr", "--hls x --bitrates 64k,64k", "--hls x --bitrates 64k,loud",
      "--hls x --bitrates 64k -b 96k", "--save c.m4a --bitrates 64k", "--save c.m4a --name N",
      "--save c.m4a --retry 3", "--save c.m4a --proxy x", "--save c.m4a --listen-status nowhere",
      "--save c.m4a --listen-status 1:2:3", "--hls-serve 70000", "--icecast icecast://h:8000/a",
      "--icecast ftp://s:p@h/a", "--icecast icecast://s:p@h:8000/", "--rtmp rtmp://h/app",
      "--rtmp http://h/a/b", "--rtmp rtmp://h/a/b --unpaced --device tone -d 1",
      "--rtmp rtmp://h/a/b --certificate /nowhere", "--save c.m4a --metadata x --title y",
      "--save c.m4a -b 1",
    ] as [Words])
  func invalidStreamArgumentsAreRejectedBeforeOpening(arguments: Words) {
    captured.aacorn(["stream"] + arguments.words, status: .usage)
    #expect(captured.errors.hasPrefix("aacorn: "))
    #expect(captured.output.isEmpty)
  }

  @Test func otherMachinesAreAdmittedWithWarning() throws {
    #expect(try LivePlan(["--save", "a.m4a", "--listen-status", "127.0.0.1:1"]).warnings.isEmpty)
    #expect(try LivePlan(["--save", "a.m4a", "--listen-status", "[::1]:1"]).warnings.isEmpty)
    #expect(try LivePlan(["--save", "a.m4a", "--listen-status", "*:1"]).warnings.count == 1)
    #expect(try LivePlan(["--hls-serve", "0.0.0.0:1"]).warnings.count == 1)
  }

  @Test func listeningAddressesAreUnderstood() {
    #expect(ListenAddress("8080")?.address == "127.0.0.1")
    #expect(ListenAddress(":8080")?.port == 8080)
    #expect(ListenAddress("*:0")?.address == "0.0.0.0")
    #expect(ListenAddress("[::1]:80")?.address == "::1")
    #expect(ListenAddress("[::1]:80")?.authority(port: 81) == "[::1]:81")
    for text in ["", ":", "a:", "::1:80", "[::1]", "1.2.3.4:65536", "x/y:1", "a@b:1", "٣"] {
      #expect(ListenAddress(text) == nil, "\(text)")
    }
  }

  @Test func metadataIsArtistAndTitle() {
    #expect(
      MetadataFile.metadata(in: " Artist  -  Title \r")
        == LiveMetadata(title: "Title", artist: "Artist"))
    #expect(
      MetadataFile.metadata(in: "Berg – Nachrichten - am Abend")
        == LiveMetadata(title: "Nachrichten - am Abend", artist: "Berg"))
    #expect(MetadataFile.metadata(in: "Well-known") == LiveMetadata(title: "Well-known"))
    #expect(MetadataFile.metadata(in: "\u{FEFF}News") == LiveMetadata(title: "News"))
    #expect(MetadataFile.metadata(in: "  ") == LiveMetadata())
  }

  @Test func theFileOfMetadataIsItsFirstLine() throws {
    let file = MetadataFile(folder.path("now.txt"))
    #expect(file.read() == nil)
    try folder.write("A - B\r\nignored", to: "now.txt")
    #expect(file.read() == LiveMetadata(title: "B", artist: "A"))
    try folder.write([], to: "now.txt")
    #expect(file.read() == LiveMetadata())
    #expect(MetadataFile(folder.path).read() == nil)
    // Opening this pipe would block forever, because no program writes to it.
    folder.makePipe("pipe")
    #expect(MetadataFile(folder.path("pipe")).read() == nil)
  }

  @Test func aServerOfHLSDoesNotOutgrowItsMemory() throws {
    #expect(throws: UsageError.self) {
      try LivePlan(["--hls-serve", "0", "--hls-window", "3000", "-b", "128k"])
    }
    captured.aacorn("stream", "--hls-serve", "0", "--hls-window", "3000", status: .usage)
    captured.expectErrors("--hls-window")
    _ = try LivePlan(["--hls", folder.path, "--hls-window", "3000"])
    _ = try LivePlan(["--hls-serve", "0", "--hls-window", "1000", "-b", "128k"])
    let event = ["--hls-serve", "0", "--hls-type", "event", "-b", "128k"]
    #expect(try LivePlan(event).warnings.first?.contains("is enough for 4.5 hours") == true)
    #expect(try LivePlan(event + ["-d", "2h"]).warnings.isEmpty)
    #expect(throws: UsageError.self) { try LivePlan(["--hls-serve", "0", "--hls-type", "vod"]) }
    _ = try LivePlan(["--hls-serve", "0", "--hls-type", "vod", "--hls", folder.path])
  }

  @Test func aRepeatedSignalHasNoSeam() throws {
    let path = try folder.write(wavFile(frames: 1000), to: "a.wav")
    var once = try FileSignal(path: path)
    var expected: [Float] = []
    #expect(once.read(into: &expected, frameCount: 5000) == 1000)
    var repeated = RepeatedSignal(try FileSignal(path: path))
    var samples: [Float] = []
    for count in [300, 900, 0, 2500, 1300] {
      #expect(repeated.read(into: &samples, frameCount: count) == count)
    }
    #expect(samples == expected + expected + expected + expected + expected)
    let empty = try folder.write(wavFile(frames: 0), to: "empty.wav")
    var nothing = RepeatedSignal(try FileSignal(path: empty))
    #expect(nothing.read(into: &samples, frameCount: 10) == 0)
  }
}
