import Foundation
import Recording
import Testing

@testable import Studio

@Suite("Files that have just come into the library") struct LibraryYoungFileTests {
  private func waveform(_ name: String, _ rig: LibraryRig) -> LibraryRig.Answer {
    var answer = rig.ask("GET", ["api", "recordings", name, "waveform"])
    _ = comesTrue {
      answer = rig.ask("GET", ["api", "recordings", name, "waveform"])
      return answer.status != 202
    }
    return answer
  }

  @Test(arguments: ["m4a", "aac", "wav", "caf"])
  func whatIsWholeIsSoAtOnce(format: String) throws {
    let rig = try LibraryRig()
    let start = Date()
    let sound = LibrarySound.bytes(try #require(FileFormat(rawValue: format)))
    let name = "a." + format
    try rig.put(sound, name, secondsAgo: 0)
    #expect(["unknown", "fine"].contains(rig.status(name)))
    #expect(comesTrue { rig.status(name) == "fine" })
    #expect(rig.recording(name)?["seconds"] as? Double != nil)
    // All of it can be done while it is young.
    #expect(waveform(name, rig).status == 200)
    #expect(rig.ask("GET", ["recordings", name], query: [("download", "")]).status == 200)
    #expect(rig.post(["recordings", name, "rename"], [("to", "b")]).status == 200)
    let id = try #require(rig.post(["recordings", "b." + format, "delete"]).text("id"))
    #expect(rig.post(["deleted", id, "restore"]).status == 200)
    #expect(rig.known("b." + format)["status"] as? String == "fine")
    #expect(rig.bytes("b." + format) == sound)
    #expect(Date().timeIntervalSince(start) < 30)
  }

  /// Half a file may be on its way: nobody is told that it is damaged, and everything can be done
  /// with it all the same.
  @Test func whatIsNotWholeMayBeOnItsWay() throws {
    let rig = try LibraryRig()
    try rig.put(Array(LibrarySound.m4a.prefix(20_000)), "a.m4a", secondsAgo: 0)
    try rig.put(Array(LibrarySound.wav.prefix(50_000)), "a.wav", secondsAgo: 0)
    for suffix in [".m4a", ".wav"] {
      #expect(rig.ask("GET", ["recordings", "a" + suffix]).status == 200)
      #expect(rig.post(["recordings", "a" + suffix, "rename"], [("to", "b")]).status == 200)
    }
    // It is what it is when it has not changed for a while.
    #expect(rig.known("b.m4a")["status"] as? String == "damaged")
    #expect(rig.known("b.wav")["status"] as? String == "fine")
    #expect((rig.known("b.wav")["problem"] as? String)?.hasPrefix("It is shorter") == true)
    for name in ["b.m4a", "b.wav"] {
      #expect(rig.post(["recordings", name, "delete"]).status == 200)
    }
  }

  @Test func youthIsJudgedByTheCatalogAlone() throws {
    var catalog = LibraryCatalog()
    let name = try #require(RecordingName("a.wav"))
    let now = 10 * LibraryCatalog.growthTime
    func status(_ facts: SoundFacts?, age: Int64, sizes: [Int] = [1]) throws -> String {
      catalog = LibraryCatalog()
      for size in sizes {
        let item = LibraryFolder.Item(name: name, format: .wav, size: size, modified: now - age)
        catalog.take([item], now: now, wallTime: now)
        if let facts { catalog.setFacts(facts, of: item, now: now, wallTime: now) }
      }
      let entry = try #require(catalog.entries[name])
      return catalog.status(of: entry, now: now, wallTime: now).rawValue
    }
    let old = LibraryCatalog.growthTime
    var short = SoundFacts()
    short.problem = "It is shorter than it says."
    #expect(try status(nil, age: 0) == "unknown")
    #expect(try status(SoundFacts(), age: 0) == "fine")
    #expect(try status(short, age: 0) == "growing" && status(short, age: old) == "fine")
    #expect(try status(short, age: -1) == "fine")
    let nothing = SoundFacts.unreadable("No.")
    #expect(try status(nothing, age: 0) == "growing" && status(nothing, age: old) == "unreadable")
    // Who was seen to write may go on, whatever is there by now.
    #expect(try status(SoundFacts(), age: 0, sizes: [1, 2]) == "growing")
    #expect(try status(SoundFacts(), age: old, sizes: [1, 2]) == "growing")
  }

  @Test func whatIsWrittenByOthersIsSaidToBe() throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.wav, "a.wav")
    #expect(rig.status("a.wav") != nil)
    try rig.put(LibrarySound.wav + [0, 0, 0, 0], "a.wav", secondsAgo: 0)
    #expect(rig.status("a.wav") == "growing")
    let words = "“a.wav” is being written by another program, or was a moment ago. "
    for (answer, end) in [
      (rig.ask("GET", ["api", "recordings", "a.wav", "waveform"]), "Its waveform is known"),
      (rig.post(["recordings", "a.wav", "delete"]), "Try again"),
      (rig.post(["recordings", "a.wav", "rename"], [("to", "b")]), "Try again"),
      (rig.post(["recordings", "a.wav", "repair"]), "Repair it when"),
    ] {
      #expect(answer.status == 409 && answer.error.hasPrefix(words + end), "\(answer.error)")
    }
    // It can be heard as far as it goes.
    #expect(rig.ask("GET", ["recordings", "a.wav"]).status == 200)
    rig.library.setRecording("a.wav", true)
    let recorded = rig.ask("GET", ["api", "recordings", "a.wav", "waveform"])
    #expect(recorded.status == 409 && recorded.error.hasPrefix("“a.wav” is being recorded. "))
  }
}
