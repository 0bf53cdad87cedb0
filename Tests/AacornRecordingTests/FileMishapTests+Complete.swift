import Foundation
import Testing

@testable import AacornRecording

/// What others do to the complete files of a recording that goes on.
extension FileMishapTests {
  enum Misfortune: CaseIterable {
    case removed, renamed, replaced, lengthened
  }

  private func suffer(_ misfortune: Misfortune, _ name: String) throws {
    let path = folder.file(name)
    let other = URL(fileURLWithPath: folder.file("other"))
    switch misfortune {
    case .removed: try FileManager.default.removeItem(atPath: path)
    case .renamed: try FileManager.default.moveItem(atPath: path, toPath: other.path)
    case .replaced:
      // As long as it was, so that only who it is tells.
      try Data(folder.bytes(name)).write(to: other)
      #expect(unsafe rename(other.path, path) == 0)
    case .lengthened: try Data(folder.bytes(name) + [0]).write(to: URL(fileURLWithPath: path))
    }
  }

  @Test(arguments: Misfortune.allCases)
  func aCompleteFileThatIsTakenAwayIsToldAtTheEnd(misfortune: Misfortune) throws {
    let segment = try segment(.int16)
    var output = FileOutput(folder.file("x.wav"), .wav)
    try output.open()
    #expect(try writeWhole(segment, 0, &output) == folder.file("x.wav"))
    #expect(try writeWhole(segment, 1, &output) == folder.file("x-002.wav"))
    try suffer(misfortune, "x.wav")
    #expect(try writeWhole(segment, 2, &output) == folder.file("x-003.wav"))
    #expect(try output.look().isEmpty)
    #expect(output.abandon() == nil)
    let mishaps = try output.look()
    guard mishaps.count == 1, case .lost(let name, let error) = mishaps[0] else {
      Issue.record("\(mishaps)")
      return
    }
    #expect(name == folder.file("x.wav") && error.kind == .lost)
    #expect(error.sentence.contains("after it was complete"), "\(error.sentence)")
  }

  @Test func completeFilesAreFoundInTheirFolderThatWasRenamed() throws {
    let segment = try segment(.int16)
    try FileManager.default.createDirectory(
      atPath: folder.file("old"), withIntermediateDirectories: true)
    var output = FileOutput(folder.file("old/x.wav"), .wav)
    try output.open()
    #expect(try writeWhole(segment, 0, &output) == folder.file("old/x.wav"))
    try FileManager.default.moveItem(atPath: folder.file("old"), toPath: folder.file("new"))
    #expect(try writeWhole(segment, 1, &output) == folder.file("new/x-002.wav"))
    #expect(output.abandon() == nil)
    #expect(try output.look().isEmpty)
  }
}
