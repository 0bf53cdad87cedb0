import Foundation
import SoundRigs
import Testing

@testable import AacornRecording

// Interference of other programs with the folder of a recording.
extension FileIncidentTests {
  @Test func uncheckableFileCountsAsPresent() throws {
    let segment = try segment(.wav)
    try inAClosedFolder { output in
      try output.begin(segment)
    } then: { output, path in
      let incidents = try output.poll()
      #expect(incidents == [])
      #expect(try output.end(#require(segment.end))?.name == path)
    }
  }

  /// Runs both closures as an ordinary user, and revokes access to the folder between them.
  func inAClosedFolder(
    _ write: (inout FileOutput) throws -> Void,
    then check: (inout FileOutput, String) throws -> Void
  ) throws {
    try asOrdinaryUser {
      let folder = try Folder()
      let own = folder.file("own")
      try folder.makeFolder("own")
      var output = FileOutput(own + "/x.wav", .wav)
      try output.open()
      try write(&output)
      #expect(unsafe chmod(own, 0) == 0)
      defer { _ = unsafe chmod(own, 0o700) }
      try check(&output, own + "/x.wav")
    }
  }

  /// An output of several files in a folder, with the first file complete.
  private func begun(
    _ segment: MemoryOutput.Segment, in subfolder: String, replacing: Bool = false
  ) throws -> FileOutput {
    try folder.makeFolder(subfolder)
    var options = FileOutput.Options.numbered
    options.replacesExisting = replacing
    var output = FileOutput(folder.file("\(subfolder)/x.wav"), .wav, options: options)
    try output.open()
    _ = try writeWhole(segment, 0, &output)
    return output
  }

  func writeWhole(
    _ segment: MemoryOutput.Segment, _ index: Int, _ output: inout FileOutput
  ) throws -> String? {
    try output.begin(segment, number: index)
    return try output.end(#require(segment.end))?.name
  }

  @Test func laterFilesFollowTheirFolder() throws {
    let segment = try segment(.wav)
    var output = try begun(segment, in: "old")
    try folder.move("old", to: "new")
    #expect(try writeWhole(segment, 1, &output) == folder.file("new/x-002.wav"))
    // A new folder with the old name belongs to another program.
    try folder.makeFolder("old")
    #expect(try writeWhole(segment, 2, &output) == folder.file("new/x-003.wav"))
    try folder.remove("new")
    #expect(try writeWhole(segment, 3, &output) == folder.file("x-004.wav"))
    #expect(try folder.permissions(of: "x-004.wav") == 0o600)
  }

  @Test func ownFilesAreKeptAfterFolderIsRenamed() throws {
    let segment = try segment(.wav)
    var output = try begun(segment, in: "old", replacing: true)
    #expect(try writeWhole(segment, 1, &output) == folder.file("old/x-002.wav"))
    try folder.move("old", to: "new")
    #expect(try writeWhole(segment, 1, &output) == folder.file("new/x-003.wav"))
  }

  @Test func aFolderThatTakesNoFilesIsLeftForTheOneAbove() throws {
    let segment = try segment(.wav)
    try asOrdinaryUser {
      let folder = try Folder()
      try folder.makeFolder("own")
      var output = FileOutput(folder.file("own/x.wav"), .wav, options: .numbered)
      try output.open()
      #expect(unsafe chmod(folder.file("own"), 0o500) == 0)
      defer { _ = unsafe chmod(folder.file("own"), 0o700) }
      #expect(try writeWhole(segment, 0, &output) == folder.file("own/x-001.wav"))
      #expect(try writeWhole(segment, 1, &output) == folder.file("x-002.wav"))
      guard case .lost(_, let error)? = try output.poll().first else {
        Issue.record("The loss was not reported.")
        return
      }
      #expect(error.message.contains("permission denied"))
      #expect(error.message.hasSuffix("The recording continues in “\(folder.file("x-002.wav"))”."))
      #expect(try folder.permissions(of: "x-002.wav") == 0o600)
    }
  }
}
