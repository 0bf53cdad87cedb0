import AacornSystem
import Foundation
import Simulation
import Testing

@testable import AacornRecording

/// Interference of other programs with complete files while the recording continues.
extension FileIncidentTests {
  enum Interference: CaseIterable {
    case removed, renamed, looped, replaced, lengthened, unseen
  }

  private func apply(_ interference: Interference, to name: String) throws {
    switch interference {
    case .removed: try folder.remove(name)
    case .renamed: try folder.move(name, to: "other")
    case .looped:
      try folder.remove(name)
      try folder.link(name, to: name)
    case .unseen:
      // The name is too long to look up.
      try folder.remove(name)
      try folder.link(name, to: String(repeating: "a", count: 300))
    case .replaced:
      // The size stays equal, so only a comparison of the first kilobyte detects the change.
      var bytes = try folder.bytes(name)
      bytes[1023] ^= 1
      try folder.write(bytes, to: "other")
      try folder.move("other", to: name)
    case .lengthened: try folder.write(folder.bytes(name) + [0], to: name)
    }
  }

  private func output(
    fileCount: Int, of segment: MemoryOutput.Segment
  ) throws -> FileOutput {
    var output = FileOutput(folder.file("x.wav"), .wav)
    try output.open()
    for index in 0..<fileCount {
      let name = folder.file(index == 0 ? "x.wav" : "x-00\(index + 1).wav")
      #expect(try writeWhole(segment, index, &output) == name)
    }
    return output
  }

  @Test(arguments: Interference.allCases)
  func changedCompleteFileIsReportedAtTheEnd(interference: Interference) throws {
    let segment = try segment(.wav)
    var output = try output(fileCount: 2, of: segment)
    try apply(interference, to: "x.wav")
    #expect(try writeWhole(segment, 2, &output) == folder.file("x-003.wav"))
    #expect(try output.poll().isEmpty)
    #expect(output.abandon() == nil)
    let incidents = try output.poll()
    if [.removed, .renamed, .looped].contains(interference) {
      #expect(incidents == [.missing([folder.file("x.wav")])])
      return
    }
    guard incidents.count == 1, case .lost(let name, let error) = incidents[0] else {
      Issue.record("\(incidents)")
      return
    }
    #expect(name == folder.file("x.wav") && error.kind == .lost)
    let words =
      interference == .unseen
      ? "no longer be checked: \(SystemError.nameTooLong.text)." : "after it was complete"
    #expect(error.message.contains(words), "\(error.message)")
  }

  /// The file changes after the last check before its completion.
  @Test(.needsSimulation, arguments: [Interference.removed, .renamed, .lengthened])
  func fileThatChangesDuringItsLastFlushIsSavedOrLost(interference: Interference) throws {
    let segment = try segment(.wav)
    let disk = Disk(folder.path)
    var output = FileOutput(folder.file("x.wav"), .wav)
    try output.open()
    try output.begin(segment)
    disk.flushTime = 1000
    let thread = try #require(
      WorkerThread("test") {
        System.sleep(milliseconds: 500)
        #expect(throws: Never.self) { try apply(interference, to: "x.wav") }
      })
    let summary = try output.end(#require(segment.end))
    thread.join()
    let names: [Interference: String] = [.removed: "x-002.wav", .renamed: "other"]
    #expect(summary?.name == names[interference].map(folder.file))
    #expect(try output.poll().count == 1)
    #expect(folder.names == [names[interference] ?? "x.wav"])
  }

  /// A folder without access still contains its files.
  @Test func aCompleteFileInAClosedFolderIsThere() throws {
    let segment = try segment(.wav)
    try inAClosedFolder { output in
      for index in 0..<2 { _ = try writeWhole(segment, index, &output) }
    } then: { output, _ in
      #expect(output.abandon() == nil)
      let incidents = try output.poll()
      #expect(incidents == [])
    }
  }

  /// FAT and some other file systems give a file a new inode number when it has not been used for a
  /// while.
  @Test func aCompleteFileWithAnotherNumberIsTheSame() throws {
    let segment = try segment(.wav)
    var output = try output(fileCount: 2, of: segment)
    let old = try System.status(of: folder.file("x.wav")).identity
    try folder.write(folder.bytes("x.wav"), to: "other")
    try folder.move("other", to: "x.wav")
    #expect(try System.status(of: folder.file("x.wav")).identity != old)
    #expect(output.abandon() == nil)
    #expect(try output.poll() == [])
  }

  /// A program that waits for the end of a file may move or remove it immediately.
  @Test(arguments: [1, 2], Interference.allCases)
  func lastCompleteFileMayBeMovedWithoutIncident(count: Int, interference: Interference) throws {
    let segment = try segment(.wav)
    var output = try output(fileCount: count, of: segment)
    try apply(interference, to: count == 1 ? "x.wav" : "x-002.wav")
    #expect(output.abandon() == nil)
    #expect(try output.poll() == [])
  }

  /// The open file is handled before the complete files, because its audio can still be saved.
  @Test func openFileIsClosedBeforeCompleteFilesAreChecked() throws {
    let segment = try segment(.wav)
    var output = try output(fileCount: 1, of: segment)
    try output.begin(segment, number: 1)
    try apply(.lengthened, to: "x.wav")
    try folder.remove("x-002.wav")
    #expect(output.abandon() == nil)
    let names = try output.poll().map { incident in
      if case .lost(let name, _) = incident { name } else { "\(incident)" }
    }
    #expect(names == [folder.file("x-002.wav"), folder.file("x.wav")])
  }

  @Test(arguments: [FileFormat.m4a, .aac, .wav, .caf])
  func completeFilesAreFoundInTheirFolderThatWasRenamed(format: FileFormat) throws {
    let segment = try segment(format)
    let kind = format.rawValue
    try folder.makeFolder("old")
    var output = FileOutput(folder.file("old/x.\(kind)"), format)
    try output.open()
    #expect(try writeWhole(segment, 0, &output) == folder.file("old/x.\(kind)"))
    try folder.move("old", to: "new")
    #expect(try writeWhole(segment, 1, &output) == folder.file("new/x-002.\(kind)"))
    #expect(output.abandon() == nil)
    #expect(try output.poll() == [])
  }

  /// A file with a second hard link is not replaced by a compact copy, just as on a full disk.
  @Test func aFileWithoutItsCompactCopyIsComplete() throws {
    let segment = try segment(.m4a)
    for finish in [FileOutput.Finish.compact, .automatic] {
      var options = FileOutput.Options()
      options.finish = finish
      let path = folder.file("\(finish).m4a")
      var output = FileOutput(path, .m4a, options: options)
      try output.open()
      try output.begin(segment)
      #expect(unsafe link(path, folder.file("second-\(finish)")) == 0)
      let end = try #require(segment.end)
      let summary = try #require(try output.end(end))
      let message = RecorderEvent.outputClosed(summary).message(sampleRate: 48_000)?.text
      #expect(message?.hasPrefix("“\(path)” is complete, but not compact: ") == true)
      let bytes = try folder.bytes("\(finish).m4a")
      #expect(summary.byteCount == bytes.count && summary.sampleCount == end.sampleCount)
      #expect(try folder.bytes("second-\(finish)") == bytes)
      #expect(try output.poll().isEmpty)
    }
    #expect(folder.names.count == 4)
  }
}
