import Foundation
import Platform
import Testing

@testable import Studio

@Suite("Waveforms in the library") struct WaveformTests {
  private func waveform(_ name: String, _ rig: LibraryRig) -> LibraryRig.Answer {
    var answer = rig.ask("GET", ["api", "recordings", name, "waveform"])
    _ = comesTrue {
      answer = rig.ask("GET", ["api", "recordings", name, "waveform"])
      return answer.status != 202
    }
    return answer
  }

  @Test(arguments: ["m4a", "aac", "wav", "caf", "killed"])
  func silenceInTheMiddleIsSeenThere(kind: String) throws {
    let rig = try LibraryRig()
    let name = kind == "killed" ? "killed.m4a" : "a." + kind
    let bytes =
      switch kind {
      case "m4a": LibrarySound.m4a
      case "aac": LibrarySound.aac
      case "wav": LibrarySound.wav
      case "caf": LibrarySound.caf
      default: LibrarySound.killed
      }
    try rig.put(bytes, name)
    #expect(rig.ask("GET", ["api", "recordings", name, "waveform"]).status == 202)
    let answer = waveform(name, rig)
    #expect(answer.status == 200)
    #expect(answer.header("Content-Type") == "application/octet-stream")
    let levels = answer.bytes
    #expect(levels.count == 400)
    // A sine of half the full scale, nothing, and the sine again.
    for part in [10..<120, 280..<390] {
      #expect(levels[part].allSatisfy { (100..<160) ~= $0 }, "\(kind) \(levels[part])")
    }
    #expect(levels[150..<250].allSatisfy { $0 < 4 }, "\(kind) \(levels[150..<250])")
  }

  @Test func filesWithoutSoundHaveNone() throws {
    let rig = try LibraryRig()
    try rig.put([UInt8](repeating: 0x55, count: 5000), "noise.aac")
    try rig.put(Array("RIFF".utf8), "short.wav")
    for name in ["noise.aac", "short.wav"] {
      let answer = waveform(name, rig)
      #expect(answer.status == 422)
      #expect(answer.error.contains(name))
    }
    #expect(rig.ask("GET", ["api", "recordings", "gone.m4a", "waveform"]).status == 404)
  }

  @Test func aChangedFileHasAnotherWaveform() throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.wav, "a.wav")
    #expect(waveform("a.wav", rig).bytes.max() ?? 0 > 100)
    try rig.put(wav([UInt8](repeating: 0, count: 40_000)), "a.wav")
    #expect(waveform("a.wav", rig).bytes == [UInt8](repeating: 0, count: 400))
    #expect(rig.post(["recordings", "a.wav", "rename"], [("to", "b")]).status == 200)
    #expect(rig.ask("GET", ["api", "recordings", "b.wav", "waveform"]).status == 200)
  }

  @Test func theLatestWishComesFirstAndMemoryIsBounded() throws {
    var store = WaveformStore()
    func item(_ number: Int) throws -> LibraryFolder.Item {
      LibraryFolder.Item(
        name: try #require(RecordingName("\(number).wav")), format: .wav, size: 1, modified: 1)
    }
    for number in 0..<600 { store.wish(try item(number)) }
    store.wish(try item(300))
    #expect(store.nextWish() == (try item(300)))
    #expect(store.nextWish() == (try item(599)))
    var count = 2
    while store.nextWish() != nil { count += 1 }
    #expect(count == WaveformStore.wishLimit)
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
    let samples = [Int16](repeating: 16_384, count: 20).flatMap {
      [UInt8($0 & 255), UInt8($0 >> 8)]
    }
    try rig.put(wav(samples), "a.wav")
    #expect(waveform("a.wav", rig).bytes.allSatisfy { $0 == 128 })
  }

  /// A file of 16-bit samples in one channel.
  private func wav(_ samples: [UInt8]) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return Array("RIFF".utf8) + number(36 + samples.count, 4) + Array("WAVEfmt ".utf8)
      + number(16, 4) + number(1, 2) + number(1, 2) + number(8000, 4) + number(16_000, 4)
      + number(2, 2) + number(16, 2) + Array("data".utf8) + number(samples.count, 4) + samples
  }
}
