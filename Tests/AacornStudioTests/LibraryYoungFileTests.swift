import AacornRecording
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import Testing

@testable import AacornStudio

@Suite("New files in the library", .simulated(seeds: 2)) struct LibraryYoungFileTests {
  @Test(.needsSimulation, arguments: ["m4a", "aac", "wav", "caf"])
  func completeNewFileIsFineImmediately(format: String) throws {
    let sound = LibrarySound.bytes(try #require(FileFormat(rawValue: format)))
    let rig = try LibraryRig()
    let start = System.nanoseconds
    let (name, newName) = ("a." + format, "b." + format)
    try rig.put(sound, name, secondsAgo: 0)
    #expect(["unknown", "fine"].contains(rig.status(name)))
    #expect(eventually { rig.status(name) == "fine" })
    #expect(rig.recording(name)?["seconds"] as? Double != nil)
    #expect(rig.waveform(name).status == 200)
    #expect(rig.ask("GET", ["recordings", name], query: [("download", "")]).status == 200)
    #expect(rig.post(["recordings", name, "rename"], [("to", "b")]).status == 200)
    let id = try #require(rig.post(["recordings", newName, "delete"]).text("id"))
    #expect(rig.post(["deleted", id, "restore"]).status == 200)
    #expect(rig.known(newName)["status"] as? String == "fine")
    #expect(rig.bytes(newName) == sound)
    // The file counted as new during all these actions.
    #expect(System.nanoseconds - start < LibraryCatalog.growthTime)
  }

  /// An incomplete new file may still be growing.
  ///
  /// The library does not report it as damaged, and no action changes it, whether or not it has
  /// been examined.
  @Test func incompleteNewFileCountsAsGrowing() throws {
    let rig = try LibraryRig()
    try rig.put(Array(LibrarySound.m4a.prefix(20_000)), "a.m4a", secondsAgo: 0)
    try rig.put(Array(LibrarySound.wav.prefix(50_000)), "a.wav", secondsAgo: 0)
    for suffix in [".m4a", ".wav"] {
      #expect(rig.ask("GET", ["recordings", "a" + suffix]).status == 200)
      for action in ["rename", "delete", "repair"] {
        // The file is made new again each time, because the requests may be slow.
        try rig.touch("a" + suffix)
        let answer = rig.post(["recordings", "a" + suffix, action], [("to", "b")])
        #expect(answer.status == 409, "\(action): \(answer.error)")
        #expect(answer.error.contains("is being written by another program"))
      }
    }
    // The library reports the damage once the file has not changed for a while.
    for suffix in [".m4a", ".wav"] {
      #expect(!rig.known("a" + suffix).isEmpty)
      #expect(rig.post(["recordings", "a" + suffix, "rename"], [("to", "b")]).status == 200)
    }
    #expect(rig.known("b.m4a")["status"] as? String == "damaged")
    #expect(rig.known("b.wav")["status"] as? String == "damaged")
    #expect((rig.known("b.wav")["problem"] as? String)?.hasPrefix("Its header") == true)
    for name in ["b.m4a", "b.wav"] {
      #expect(rig.post(["recordings", name, "delete"]).status == 200)
    }
  }

  @Test func youthIsJudgedByTheCatalogAlone() throws {
    var catalog = LibraryCatalog()
    let name = try #require(RecordingName("a.wav"))
    let now = 10 * LibraryCatalog.growthTime
    func status(_ facts: RecordingFacts?, age: Int64, sizes: [Int] = [1]) throws -> String {
      catalog = LibraryCatalog()
      for size in sizes {
        let item = LibraryFolder.Item(name: name, format: .wav, size: size, modified: now - age)
        catalog.update([item], now: now, wallTime: now)
        if let facts { catalog.setFacts(facts, of: item, now: now, wallTime: now) }
      }
      let entry = try #require(catalog.entries[name])
      return catalog.status(of: entry, now: now, wallTime: now).rawValue
    }
    let old = LibraryCatalog.growthTime
    var short = RecordingFacts()
    short.problem = "It is shorter than its header states."
    #expect(try status(nil, age: 0) == "unknown")
    #expect(try status(RecordingFacts(), age: 0) == "fine")
    #expect(try status(short, age: 0) == "growing" && status(short, age: old) == "fine")
    #expect(try status(short, age: -1) == "fine")
    let nothing = RecordingFacts.unreadable("No.")
    #expect(try status(nothing, age: 0) == "growing" && status(nothing, age: old) == "unreadable")
    #expect(!catalog.mayGrow(name, now: now, wallTime: now))
    for (facts, mayGrow) in [
      (nil, true), (short, true), (nothing, true), (RecordingFacts(), false),
    ] {
      _ = try status(facts, age: 0)
      #expect(catalog.mayGrow(name, now: now, wallTime: now) == mayGrow)
    }
    // A file that was seen growing may grow further, even if its content is complete.
    #expect(try status(RecordingFacts(), age: 0, sizes: [1, 2]) == "growing")
    #expect(try status(RecordingFacts(), age: old, sizes: [1, 2]) == "growing")
  }

  /// After a long time without requests, any file may have changed.
  ///
  /// Only the modification time shows whether a file is still growing.
  @Test func rarelyReadFileIsJudgedByModificationTime() throws {
    let name = try #require(RecordingName("a.wav"))
    let pause = 100 * LibraryCatalog.growthTime
    func status(age: Int64) throws -> (status: String, mayGrow: Bool, isUnexamined: Bool) {
      var catalog = LibraryCatalog()
      let old = LibraryFolder.Item(name: name, format: .wav, size: 1, modified: 0)
      catalog.update([old], now: pause, wallTime: pause)
      catalog.setFacts(RecordingFacts(), of: old, now: pause, wallTime: pause)
      let now = 2 * pause
      let item = LibraryFolder.Item(name: name, format: .wav, size: 2, modified: now - age)
      catalog.update([item], now: now, wallTime: now)
      return (
        catalog.status(of: try #require(catalog.entries[name]), now: now, wallTime: now).rawValue,
        catalog.mayGrow(name, now: now, wallTime: now),
        catalog.unexamined(9, now: now, wallTime: now) == [item]
      )
    }
    for age in [-pause, 0, LibraryCatalog.growthTime - 1] {
      #expect(try status(age: age) == ("growing", true, false))
    }
    #expect(try status(age: LibraryCatalog.growthTime) == ("unknown", false, true))
  }

  /// A listing waits briefly for the examination of new files, so that the page need not poll.
  @Test(.needsSimulation) func newFilesAreKnownAtOnce() throws {
    let rig = try LibraryRig()
    #expect(rig.recordings.isEmpty)
    for number in 0..<10 {
      try rig.put(LibrarySound.m4a, "\(number).m4a")
      #expect(rig.status("\(number).m4a") == "fine")
    }
  }

  /// A file may change between the listing of the folder and the examination.
  @Test func fileChangedDuringListingIsUpdated() throws {
    var catalog = LibraryCatalog()
    let name = try #require(RecordingName("a.wav"))
    let item = LibraryFolder.Item(name: name, format: .wav, size: 1, modified: 0)
    let now = 10 * LibraryCatalog.growthTime
    catalog.update([item], now: now, wallTime: now)
    var other = item
    other.size = 2
    let revision = catalog.revision
    catalog.update(name, to: other, now: now, wallTime: now)
    #expect(catalog.entries[name]?.item == other && catalog.revision > revision)
    #expect(catalog.mayGrow(name, now: now, wallTime: now))
    catalog.update(name, to: nil, now: now, wallTime: now)
    #expect(catalog.entries.isEmpty && catalog.revision > revision + 1)
  }

  @Test func fileWrittenByOtherProgramIsReported() throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.wav, "a.wav")
    #expect(rig.status("a.wav") != nil)
    try rig.put(LibrarySound.wav + [0, 0, 0, 0], "a.wav", secondsAgo: 0)
    #expect(rig.status("a.wav") == "growing")
    let words = "“a.wav” is being written by another program, or was a moment ago. "
    for (method, action, end) in [
      ("GET", "waveform", "Its waveform will be available"), ("POST", "delete", "Try again"),
      ("POST", "rename", "Try again"), ("POST", "repair", "Repair it when"),
    ] {
      // The file is made new again each time, because the requests may be slow.
      try rig.touch("a.wav")
      let fields = method == "POST" ? [("to", "b")] : nil
      let answer = rig.ask(method, ["api", "recordings", "a.wav", action], fields: fields)
      #expect(answer.status == 409 && answer.error.hasPrefix(words + end), "\(answer.error)")
    }
    // The existing part can be played.
    #expect(rig.ask("GET", ["recordings", "a.wav"]).status == 200)
    rig.library.setRecording("a.wav", true)
    let recorded = rig.ask("GET", ["api", "recordings", "a.wav", "waveform"])
    #expect(recorded.status == 409 && recorded.error.hasPrefix("“a.wav” is being recorded. "))
  }
}
