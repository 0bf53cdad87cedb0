import AacornRecording
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import TestSignals
import Testing

@testable import AacornStudio

@Suite("Waveforms in the library", .simulated(seeds: 2)) struct WaveformTests {
  @Test(arguments: ["m4a", "aac", "wav", "caf", "killed"])
  func silenceInTheMiddleIsSeenThere(kind: String) throws {
    let rig = try LibraryRig()
    let name = kind == "killed" ? "killed.m4a" : "a." + kind
    let format = FileFormat(rawValue: kind)
    try rig.put(format.map { LibrarySound.bytes($0) } ?? LibrarySound.killed, name)
    #expect(rig.ask("GET", ["api", "recordings", name, "waveform"]).status == 202)
    let answer = rig.waveform(name)
    #expect(answer.status == 200)
    #expect(answer.header("Content-Type") == "application/octet-stream")
    let levels = answer.bytes
    #expect(levels.count == 400)
    // The recording of the killed program lacks part of the last second.
    let length = try #require(rig.known(name)["seconds"] as? Double)
    #expect(kind == "killed" ? (2.4..<3) ~= length : (2.99...3.1) ~= length)
    func part(_ start: Double, _ end: Double) -> ArraySlice<UInt8> {
      levels[Int(start / length * 400)..<Int(end / length * 400)]
    }
    // A sine at half of full scale for one second, one second of silence, and the sine again.
    for part in [part(0.1, 0.9), part(2.12, length - 0.07)] {
      #expect(part.allSatisfy { (100..<160) ~= $0 }, "\(kind) \(part)")
    }
    #expect(part(1.12, 1.88).allSatisfy { $0 < 4 }, "\(kind) \(part(1.12, 1.88))")
  }

  @Test func filesWithoutSoundHaveNone() throws {
    let rig = try LibraryRig()
    try rig.put([UInt8](repeating: 0x55, count: 5000), "noise.aac")
    try rig.put(Array("RIFF".utf8), "short.wav")
    for name in ["noise.aac", "short.wav"] {
      let answer = rig.waveform(name)
      #expect(answer.status == 422)
      #expect(answer.error.contains(name))
    }
    #expect(rig.ask("GET", ["api", "recordings", "gone.m4a", "waveform"]).status == 404)
  }

  @Test func changedFileGetsNewWaveform() throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.wav, "a.wav")
    #expect(rig.waveform("a.wav").bytes.max() ?? 0 > 100)
    let silence = Sound(channels: [[Float](repeating: 0, count: 20_000)], rate: 8000)
    try rig.put(silence.wav, "a.wav")
    // For a while, the library treats a file that it saw change as growing.
    #expect(eventually { rig.waveform("a.wav").bytes == [UInt8](repeating: 0, count: 400) })
    #expect(
      eventually { rig.post(["recordings", "a.wav", "rename"], [("to", "b")]).status == 200 })
    #expect(rig.ask("GET", ["api", "recordings", "b.wav", "waveform"]).status == 200)
  }

  @Test func afterUndoTheWaveformIsThereAgain() throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.wav, "a.wav")
    let name = try #require(RecordingName("a.wav"))
    let item = try #require(rig.library.disk.item(name))
    let id = try #require(rig.post(["recordings", "a.wav", "delete"]).text("id"))
    // A request from before the deletion reaches the analysis thread too late.
    rig.library.state.withLock { $0.waveforms.request(item) }
    rig.library.analyst.wake()
    #expect(eventually { rig.library.state.withLock { !$0.waveforms.hasRequests } })
    #expect(rig.ask("GET", ["api", "recordings", "a.wav", "waveform"]).status == 404)
    #expect(rig.post(["deleted", id, "restore"]).status == 200)
    #expect(rig.waveform("a.wav").status == 200)
  }

  @Test func failedWaveformIsRetried() throws {
    var store = WaveformStore()
    let item = LibraryFolder.Item(
      name: try #require(RecordingName("a.wav")), format: .wav, size: 1, modified: 1)
    let failure = StudioError(503, "Too many files are open.")
    store.keep(.failure(failure), of: item)
    #expect(store.waveform(of: item) == .failure(failure))
    #expect(store.waveform(of: item) == nil)
    store.keep(.none(failure), of: item)
    for _ in 0..<2 { #expect(store.waveform(of: item) == .none(failure)) }
  }

  @Test func latestWaveformRequestIsServedFirst() throws {
    var store = WaveformStore()
    func item(_ number: Int) throws -> LibraryFolder.Item {
      LibraryFolder.Item(
        name: try #require(RecordingName("\(number).wav")), format: .wav, size: 1, modified: 1)
    }
    for number in 0..<600 { store.request(try item(number)) }
    store.request(try item(300))
    #expect(store.nextRequest() == (try item(300)))
    #expect(store.nextRequest() == (try item(599)))
    var count = 2
    while store.nextRequest() != nil { count += 1 }
    #expect(count == WaveformStore.requestLimit)
    for number in 0..<5000 {
      store.keep(.levels([]), of: try item(number))
      #expect(store.waveform(of: try item(0)) != nil)
    }
    #expect(store.count <= WaveformStore.limit)
    #expect(store.waveform(of: try item(4999)) != nil)
    #expect(store.waveform(of: try item(1)) == nil)
  }

  @Test func shortSoundFillsTheWholePicture() throws {
    let rig = try LibraryRig()
    try rig.put(Sound(channels: [[Float](repeating: 0.5, count: 20)], rate: 8000).wav, "a.wav")
    let levels = rig.waveform("a.wav").bytes
    #expect(!levels.isEmpty && levels.allSatisfy { $0 == 128 })
  }
}
