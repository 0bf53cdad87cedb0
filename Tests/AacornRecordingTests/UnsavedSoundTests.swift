import AacornCodec
import AacornDevices
import AacornRecording
import AacornSoundFiles
import AacornSystem
import DeviceRigs
import Testing

/// The samples of a recording that are missing from its files.
@Suite struct UnsavedSoundTests {
  /// A file output whose disk is full after a number of packets.
  private struct FullDisk: PacketOutput {
    static let error = OutputError(.diskFull, "The disk is full.")

    var file: FileOutput
    /// The number of packets that still fit.
    var room: Int
    /// The index of the first segment whose file cannot be created.
    var firstRefused = Int.max

    var name: String { file.name }
    var byteCount: Int { file.byteCount }
    var savedPosition: Int? { file.savedPosition }
    mutating func open() throws(OutputError) { try file.open() }
    mutating func begin(_ segment: SegmentStart) throws(OutputError) {
      if segment.index >= firstRefused { throw Self.error }
      try file.begin(segment)
    }
    mutating func write(_ packet: EncodedPacket) throws(OutputError) {
      if room == 0 { throw Self.error }
      room -= 1
      try file.write(packet)
    }
    mutating func record(_ gap: RecordingGap) throws(OutputError) { try file.record(gap) }
    mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? {
      try file.end(end)
    }
    mutating func abandon() -> OutputSummary? { file.abandon() }
  }

  /// A coding, and a file format for it.
  enum Kind: CaseIterable {
    case samples, appleSamples, frames, fragments, doubledFrames

    var isPCM: Bool { self == .samples || self == .appleSamples }

    var coding: RecordingConfiguration.Coding {
      switch self {
      case .samples, .appleSamples: .int16
      case .frames, .fragments: .constant(96_000)
      case .doubledFrames: .constant(48_000, .highEfficiency)
      }
    }

    var format: FileFormat {
      switch self {
      case .samples: .wav
      case .appleSamples: .caf
      case .frames, .doubledFrames: .aac
      case .fragments: .m4a
      }
    }

    /// The number of packets that fit: fewer than the recording has, and more than a fragment of
    /// half a second.
    var room: Int { self == .doubledFrames ? 20 : 60 }
  }

  private let folder: Folder

  init() throws { folder = try Folder() }

  private func file(_ name: String, _ kind: Kind) -> FileOutput {
    FileOutput(folder.file("\(name).\(kind.format.rawValue)"), kind.format)
  }

  private func record(
    _ kind: Kind, to outputs: [any PacketOutput], sourceRate: Int = 48_000,
    faults: [SyntheticFaults.Event] = [],
    _ change: (inout RecordingConfiguration) -> Void = { _ in }
  ) throws -> RecordingSummary {
    let source = FaultySource.test(
      CounterSignal(sampleRate: sourceRate, channelCount: 2), frames: 2 * sourceRate,
      faults: faults)
    let session = RecordingSession(.stereo(kind.coding, change))
    try session.start(source, outputs: outputs)
    return try finalSummary(of: session)
  }

  @Test(arguments: Kind.allCases)
  func unsavedSamplesOfOneFileAreCounted(kind: Kind) throws {
    let room = kind.room
    let summary = try record(
      kind, to: [FullDisk(file: file("full", kind), room: room), file("whole", kind)])
    #expect(summary.failure == nil)
    #expect(summary.sampleCount == 96_000)
    let full = try #require(summary.outputs.first { $0.name.contains("full") })
    let whole = try #require(summary.outputs.first { $0.name.contains("whole") })
    #expect(whole.sampleCount == 96_000 && whole.unsavedSampleCount == 0)
    #expect(full.sampleCount + full.unsavedSampleCount == 96_000)
    #expect(summary.unsavedSampleCount == full.unsavedSampleCount)
    // The file has fewer samples than the packets that fit: the encoder's delay is missing, and in
    // M4A the packets that were not yet in a fragment.
    let most = room * (kind == .doubledFrames ? 2048 : 1024)
    #expect((1...most).contains(full.sampleCount))
    if kind.isPCM {
      #expect(full.sampleCount == most)
      let stated = try folder.statedByteCount("full.\(kind.format.rawValue)")
      #expect(stated == UInt64(most * 4))
    }
    let message = try #require(summary.unsavedMessage)
    #expect(message.hasPrefix("“full.") && message.contains("” is incomplete: its last "))
    #expect(message.hasSuffix(" of audio could not be saved."))
  }

  @Test func theEndOfARecordingThatFailsIsCounted() throws {
    let summary = try record(.frames, to: [FullDisk(file: file("a", .frames), room: 9)])
    #expect(summary.failure == .allOutputsFailed(FullDisk.error))
    let saved = try #require(summary.outputs.first).sampleCount
    #expect(saved > 0 && summary.unsavedSampleCount == summary.sampleCount - saved)
  }

  @Test func filesBeforeTheOneThatCannotBeginAreSaved() throws {
    let output = FullDisk(file: file("a", .samples), room: .max, firstRefused: 2)
    let summary = try record(.samples, to: [output, file("whole", .samples)]) {
      $0.split = .every(.milliseconds(500))
    }
    let files = summary.outputs.filter { !$0.name.contains("whole") }
    #expect(files.map(\.sampleCount) == [24_000, 24_000])
    #expect(files.map(\.unsavedSampleCount) == [0, 48_000])
    #expect(summary.unsavedSampleCount == 48_000)
  }

  @Test func ofAFileThatNeverBeganEverythingIsCounted() throws {
    let output = FullDisk(file: file("a", .samples), room: 0)
    let summary = try record(.samples, to: [output, file("b", .samples)])
    #expect(summary.outputs.count == 1)
    #expect(summary.unsavedSampleCount == 96_000)
    // The failure of the output already reports the missing samples.
    #expect(summary.unsavedMessage == nil)
  }

  @Test(arguments: Kind.allCases) func completeRecordingHasNoUnsavedSamples(kind: Kind) throws {
    for sourceRate in [48_000, 44_100] {
      let summary = try record(
        kind, to: [file("a\(sourceRate)", kind)], sourceRate: sourceRate,
        faults: [.at(20_000, .loss(frameCount: 3000, cause: .overrun))]
      ) { $0.split = .every(.milliseconds(700)) }
      #expect(summary.failure == nil && summary.filledSampleCount > 0)
      #expect(summary.outputs.count == 3)
      #expect(summary.unsavedSampleCount == 0)
      #expect(summary.outputs.allSatisfy { $0.unsavedSampleCount == 0 })
      #expect(summary.outputs.reduce(0) { $0 + $1.sampleCount } == summary.sampleCount)
    }
  }

  @Test func outputWithoutFilesHasNoUnsavedSamples() throws {
    let summary = try record(.samples, to: [MemoryOutput(MemoryOutput.Store())])
    #expect(summary.unsavedSampleCount == 0)
  }
}
