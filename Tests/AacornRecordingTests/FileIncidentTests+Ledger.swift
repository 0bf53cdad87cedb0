import Foundation
import Testing

@testable import AacornRecording

// Interference of other programs with the list of gaps next to a recording.
extension FileIncidentTests {
  private var gap: RecordingGap {
    RecordingGap(position: 100, length: 10, cause: .overrun, wallTime: 0)
  }

  @Test func gapListIsRescuedWithRemovedFile() throws {
    var (output, segment) = try halfWritten("x.wav")
    try output.record(gap)
    try folder.removeAll()
    _ = try finish(&output, segment)
    #expect(folder.names == ["x-002.wav", "x-002.wav.gaps.json"])
    let list = String(decoding: try folder.bytes("x-002.wav.gaps.json"), as: UTF8.self)
    #expect(list.contains("\"position\":100") || list.contains("\"position\": 100"))
  }

  @Test func theListOfGapsFollowsAFileThatIsMoved() throws {
    for moment in 0..<3 {
      var (output, segment) = try halfWritten("x.wav")
      try output.record(gap)
      try folder.move("x.wav", to: "y.wav")
      if moment == 0 { #expect(try output.poll().count == 1) }
      if moment < 2 {
        #expect(try finish(&output, segment).summary?.name == folder.file("y.wav"))
      } else {
        #expect(output.abandon()?.name == folder.file("y.wav"))
      }
      #expect(folder.names == ["y.wav", "y.wav.gaps.json"])
      try folder.removeAll()
    }
  }

  /// The existing item at the path of a list of gaps.
  enum Obstacle: CaseIterable { case folder, pipe, link, file }

  private func put(_ obstacle: Obstacle, _ name: String) throws {
    switch obstacle {
    case .folder: try folder.makeFolder(name)
    case .pipe: try #require(unsafe mkfifo(folder.file(name), 0o600) == 0)
    case .link: try folder.link(name, to: "other")
    case .file: try folder.write(Array("[]".utf8), to: name)
    }
  }

  @Test(arguments: Obstacle.allCases)
  func aListOfGapsThatCannotBeWrittenEndsNothing(obstacle: Obstacle) throws {
    try folder.write(Array("other".utf8), to: "other")
    // The obstacle is at the path of the first list, or of the list of the file to which a removed
    // file was saved.
    for isSaved in [false, true] {
      var (output, segment) = try halfWritten("x.wav")
      if isSaved {
        try output.record(gap)
        try put(obstacle, "x-002.wav.gaps.json")
        try folder.remove("x.wav")
      } else {
        try put(obstacle, "x.wav.gaps.json")
        try output.record(gap)
      }
      let (incidents, summary) = try finish(&output, segment)
      let messages = incidents.compactMap { incident in
        if case .lost(_, let error) = incident { error.message } else { nil }
      }
      // A file number whose list of gaps already exists is skipped, so the second list is written
      // normally.
      let isTaken = !isSaved
      #expect(messages.contains { $0.hasPrefix("The list of gaps") } == isTaken)
      #expect(summary?.name == folder.file(isSaved ? "x-003.wav" : "x.wav"))
      #expect(summary?.sampleCount == segment.end?.sampleCount)
      #expect(try folder.bytes("other") == Array("other".utf8))
      for name in folder.names where name != "other" { try folder.remove(name) }
    }
  }

  @Test func aListOfGapsThatIsRemovedIsWrittenAgain() throws {
    for isSpoiled in [true, false] {
      var (output, segment) = try halfWritten("x.wav")
      try folder.setPermissions(0o640, of: "x.wav")
      try output.record(gap)
      if isSpoiled {
        #expect(unsafe truncate(folder.file("x.wav.gaps.json"), 0) == 0)
      } else {
        try folder.remove("x.wav.gaps.json")
      }
      #expect(try output.poll() == [])
      try output.record(RecordingGap(position: 200, length: 10, cause: .overrun, wallTime: 0))
      #expect(try finish(&output, segment).incidents == [])
      let list = String(decoding: try folder.bytes("x.wav.gaps.json"), as: UTF8.self)
      #expect(list.contains("100") && list.contains("200"))
      #expect(try folder.permissions(of: "x.wav.gaps.json") == 0o640)
      try folder.removeAll()
    }
  }

  @Test func aRecordingWithoutAudioLeavesNoListOfGaps() throws {
    var (output, segment) = try halfWritten("x.wav")
    try output.record(gap)
    #expect(folder.names == ["x.wav", "x.wav.gaps.json"])
    segment.end?.sampleCount = 0
    #expect(try output.end(#require(segment.end)) == nil)
    #expect(folder.names.isEmpty)
  }

  @Test func aNewFileDoesNotInheritAListOfGaps() throws {
    let segment = try segment(.wav)
    try put(.file, "x.wav.gaps.json")
    var refused = FileOutput(folder.file("x.wav"), .wav)
    let error = #expect(throws: OutputError.self) { try refused.open() }
    #expect(error?.kind == .exists && error?.recoveryAction == .replaceOrRename)
    #expect(error?.problem.contains("x.wav.gaps.json") == true)
    #expect(folder.names == ["x.wav.gaps.json"])
    for _ in 0..<2 {
      var output = FileOutput(folder.file("x.wav"), .wav, options: .replacing)
      try output.open()
      #expect(try writeWhole(segment, 0, &output) == folder.file("x.wav"))
      #expect(folder.names == ["x.wav"])
      try put(.file, "x.wav.gaps.json")
    }
  }
}
