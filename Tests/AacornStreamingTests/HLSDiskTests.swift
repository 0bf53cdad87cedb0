import AacornSystem
import Simulation
import StreamRigs
import TestSignals
import Testing

@testable import AacornRecording
@testable import AacornStreaming

/// HLS folders of programs that are killed, and on failing disks, on a simulated disk.
@Suite(.simulated(seeds: 1), .needsSimulation) struct HLSDiskTests {
  private let folder: HLSFolderStoreTests.Folder
  private let wallTime = HLSBench().wallTime

  init() throws { folder = try HLSFolderStoreTests.Folder() }

  /// Expects valid playlists whose files exist and have their final contents.
  ///
  /// `known` has the contents of all files that earlier playlists listed.
  private func check(
    _ files: [String: [UInt8]], _ known: inout [String: [UInt8]], _ words: @autoclosure () -> String
  ) {
    if let master = files["stream.m3u8"] {
      let text = String(decoding: master, as: UTF8.self)
      #expect(HLSRules.faults(inMaster: text) == [], "\(words())")
      for variant in HLSPlaylistText(text).variants {
        #expect(files[variant.uri] != nil, "\(words())")
      }
    }
    guard let media = files["stream-0.m3u8"] else { return }
    let text = String(decoding: media, as: UTF8.self)
    #expect(HLSRules.faults(inMedia: text) == [], "\(words())")
    for name in HLSPlaylistText(text).files {
      guard let bytes = files[name], !bytes.isEmpty else {
        Issue.record("\(name) is listed and not there: \(words())")
        continue
      }
      if let earlier = known[name] { #expect(bytes == earlier, "\(name): \(words())") }
      known[name] = bytes
    }
  }

  @Test(arguments: isDebugBuild ? [HLSConfiguration.Kind.live] : [.live, .event, .vod])
  func eachKillLeavesPlaylistsOfExistingFiles(kind: HLSConfiguration.Kind) throws {
    let disk = Disk(folder.path)
    try HLSFolderStoreTests.record(seconds: 45, wallTime: wallTime, into: folder.path, kind: kind)
    var known: [String: [UInt8]] = [:]
    var count = 0
    try disk.eachCrash { crash in
      // A power failure may cost half a minute.
      if crash.isPowerFailure { return }
      count += 1
      check(crash.files, &known, "\(crash)")
      if kind != .live { return }
      // The next run replaces all that the killed one left.
      try crash.restore()
      let old = HLSPlaylistText(folder.text("stream-0.m3u8"))
      try HLSFolderStoreTests.record(
        seconds: 5, wallTime: wallTime + 90_000_000_000, into: folder.path)
      let new = HLSPlaylistText(folder.text("stream-0.m3u8"))
      #expect(
        Set(folder.names) == Set(new.files + ["stream.m3u8", "stream-0.m3u8"]), "\(crash)")
      #expect(
        (new.mediaSequence ?? 0) >= (old.mediaSequence ?? 0) + old.segments.count, "\(crash)")
    }
    #expect(count > 50 && known.count > 8)
  }

  @Test func failingDiskLeavesPlaylistsOfExistingFiles() throws {
    let callCount = try Disk.eachFailure(isLasting: true) { calls in
      let folder = try HLSFolderStoreTests.Folder()
      let disk = Disk(folder.path)
      disk.failure = (calls, calls.count == 1 ? .device : .diskFull)
      do {
        try HLSFolderStoreTests.record(seconds: 20, wallTime: wallTime, into: folder.path)
      } catch let error as OutputError {
        #expect(error.message.contains(folder.path) && error.message.hasSuffix("."))
      }
      var known: [String: [UInt8]] = [:]
      check(disk.files, &known, "calls \(calls)")
      if disk.failureTime == nil { #expect(known.count > 2) }
      return disk
    }
    #expect(callCount >= 30)
  }
}
