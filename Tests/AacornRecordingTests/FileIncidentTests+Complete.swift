import AacornSystem
import Foundation
import Testing

@testable import AacornRecording

/// Interference of other programs with complete files while the recording continues.
extension FileIncidentTests {
  enum Interference: CaseIterable {
    case removed, renamed, looped, replaced, lengthened, unseen
  }

  private func apply(_ interference: Interference, to name: String) throws {
    let path = folder.file(name)
    let other = URL(fileURLWithPath: folder.file("other"))
    switch interference {
    case .removed: try FileManager.default.removeItem(atPath: path)
    case .renamed: try FileManager.default.moveItem(atPath: path, toPath: other.path)
    case .looped:
      try FileManager.default.removeItem(atPath: path)
      #expect(unsafe symlink(name, path) == 0)
    case .unseen:
      // The name is too long to look up.
      try FileManager.default.removeItem(atPath: path)
      #expect(unsafe symlink(String(repeating: "a", count: 300), path) == 0)
    case .replaced:
      // The size stays equal, so only a comparison of the first kilobyte detects the change.
      var bytes = try folder.bytes(name)
      bytes[1023] ^= 1
      try Data(bytes).write(to: other)
      #expect(unsafe rename(other.path, path) == 0)
    case .lengthened: try Data(folder.bytes(name) + [0]).write(to: URL(fileURLWithPath: path))
    }
  }

  @Test(arguments: Interference.allCases)
  func changedCompleteFileIsReportedAtTheEnd(interference: Interference) throws {
    let segment = try segment(.int16)
    var output = FileOutput(folder.file("x.wav"), .wav)
    try output.open()
    #expect(try writeWhole(segment, 0, &output) == folder.file("x.wav"))
    #expect(try writeWhole(segment, 1, &output) == folder.file("x-002.wav"))
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

  /// A folder without access still contains its files.
  @Test func aCompleteFileInAClosedFolderIsThere() throws {
    let segment = try segment(.int16)
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
    let segment = try segment(.int16)
    var output = FileOutput(folder.file("x.wav"), .wav)
    try output.open()
    _ = try writeWhole(segment, 0, &output)
    _ = try writeWhole(segment, 1, &output)
    let old = try System.status(of: folder.file("x.wav")).identity
    try Data(folder.bytes("x.wav")).write(to: URL(fileURLWithPath: folder.file("other")))
    #expect(unsafe rename(folder.file("other"), folder.file("x.wav")) == 0)
    #expect(try System.status(of: folder.file("x.wav")).identity != old)
    #expect(output.abandon() == nil)
    #expect(try output.poll() == [])
  }

  /// A program that waits for the end of a file may move or remove it immediately.
  @Test(arguments: [1, 2], Interference.allCases)
  func lastCompleteFileMayBeMovedWithoutIncident(count: Int, interference: Interference) throws {
    let segment = try segment(.int16)
    var output = FileOutput(folder.file("x.wav"), .wav)
    try output.open()
    for index in 0..<count { _ = try writeWhole(segment, index, &output) }
    try apply(interference, to: count == 1 ? "x.wav" : "x-002.wav")
    #expect(output.abandon() == nil)
    #expect(try output.poll() == [])
  }

  /// The open file is handled before the complete files, because its audio can still be saved.
  @Test func openFileIsClosedBeforeCompleteFilesAreChecked() throws {
    let segment = try segment(.int16)
    var output = FileOutput(folder.file("x.wav"), .wav)
    try output.open()
    _ = try writeWhole(segment, 0, &output)
    var start = segment.start
    start.index = 1
    try output.begin(start)
    for packet in segment.packets { try output.write(packet) }
    try apply(.lengthened, to: "x.wav")
    try FileManager.default.removeItem(atPath: folder.file("x-002.wav"))
    #expect(output.abandon() == nil)
    let names = try output.poll().map { incident in
      if case .lost(let name, _) = incident { name } else { "\(incident)" }
    }
    #expect(names == [folder.file("x-002.wav"), folder.file("x.wav")])
  }

  @Test(arguments: [FileFormat.m4a, .aac, .wav, .caf])
  func completeFilesAreFoundInTheirFolderThatWasRenamed(format: FileFormat) throws {
    let segment = try segment(format.isPCM ? .int16 : Self.aac)
    let kind = format.rawValue
    try FileManager.default.createDirectory(
      atPath: folder.file("old"), withIntermediateDirectories: true)
    var output = FileOutput(folder.file("old/x.\(kind)"), format)
    try output.open()
    #expect(try writeWhole(segment, 0, &output) == folder.file("old/x.\(kind)"))
    try FileManager.default.moveItem(atPath: folder.file("old"), toPath: folder.file("new"))
    #expect(try writeWhole(segment, 1, &output) == folder.file("new/x-002.\(kind)"))
    #expect(output.abandon() == nil)
    #expect(try output.poll() == [])
  }

  /// A file with a second hard link is not replaced by a compact copy, just as on a full disk.
  @Test func aFileWithoutItsCompactCopyIsComplete() throws {
    let segment = try segment(Self.aac)
    for finish in [FileOutput.Finish.compact, .automatic] {
      var options = FileOutput.Options()
      options.finish = finish
      let path = folder.file("\(finish).m4a")
      var output = FileOutput(path, .m4a, options)
      try output.open()
      try output.begin(segment.start)
      for packet in segment.packets { try output.write(packet) }
      #expect(unsafe link(path, folder.file("second-\(finish)")) == 0)
      let end = try #require(segment.end)
      let summary = try #require(try output.end(end))
      let message = RecorderEvent.outputClosed(summary).message(sampleRate: 48_000)?.text
      let isReported = message?.contains("“\(path)” is complete as it was recorded") == true
      #expect(isReported == (finish == .compact))
      let bytes = try folder.bytes("\(finish).m4a")
      #expect(summary.byteCount == bytes.count && summary.sampleCount == end.sampleCount)
      #expect(try folder.bytes("second-\(finish)") == bytes)
      #expect(try output.poll().isEmpty)
    }
    #expect(folder.names.count == 4)
  }
}
