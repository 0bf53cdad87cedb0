import AacornSoundFiles
import AacornSystem
import Foundation
import SoundRigs
import StreamRigs
import TestSignals
import Testing

@testable import AacornStudio

/// A page of a studio that uploads, renames and repairs recordings until its end, and records the confirmed results.
///
/// A request whose answer does not arrive may have succeeded.
final class ScenarioPage: Sendable {
  private struct State {
    var numbers: SeededNumbers
    /// The contents of the confirmed uploads, with the times of the answers.
    var uploads: [(bytes: [UInt8], time: Int64)] = []
    /// The names of confirmed uploads, as far as the page knows them.
    var names: Set<String> = []
    var repairedNames: Set<String> = []
    var isFinished = false
  }

  static let unfinishedName = "killed.wav"
  /// The file of a recorder that was killed, which has no length in its header.
  static let unfinished: [UInt8] = {
    let writer = WAVWriter(encoding: .int16, sampleRate: 48_000, channelCount: 1)
    var bytes = writer.header()
    let samples = [Float](repeating: 0.25, count: 20_000)
    writer.append(samples.span, to: &bytes)
    return bytes
  }()

  private let studio: StudioServer
  private let state: Lock<State>

  init(of studio: StudioServer, _ numbers: SeededNumbers) {
    self.studio = studio
    state = Lock(State(numbers: numbers))
  }

  func end() { state.withLock { $0.isFinished = true } }

  /// Sends random requests until the end, the first of which uploads a recording.
  func run() {
    for number in 0... {
      let (isFinished, action, pause) = state.withLock { state in
        (
          state.isFinished, Int.random(in: 0..<4, using: &state.numbers),
          Int.random(in: 0...1500, using: &state.numbers)
        )
      }
      if isFinished && number > 0 { return }
      switch number == 0 ? 0 : action {
      case 0, 1: upload("page-\(number).aac")
      case 2: rename(to: "renamed-\(number)")
      default: repair()
      }
      System.sleep(milliseconds: pause)
    }
  }

  /// Sends a request, and returns the answer if the studio confirms success.
  private func ask(
    _ path: String, method: String? = nil, body: [UInt8] = [], form: String? = nil
  ) -> StudioClient.Answer? {
    let answer = try? studioAnswer(studio, path, method: method, body: body, form: form)
    return answer?.status == 200 ? answer : nil
  }

  private func upload(_ name: String) {
    let (bytes, middle) = state.withLock { state in
      let bytes = state.numbers.bytes(Int.random(in: 2...6000, using: &state.numbers))
      return (bytes, Int.random(in: 1..<bytes.count, using: &state.numbers))
    }
    guard let id = ask("/api/uploads", form: "name=\(name)")?.json["id"] as? String else { return }
    for (start, end) in [(0, middle), (middle, bytes.count)] {
      let piece = Array(bytes[start..<end])
      if ask("/api/uploads/\(id)?at=\(start)", method: "PUT", body: piece) == nil { return }
    }
    guard let answer = ask("/api/uploads/\(id)/finish", form: "") else { return }
    let time = System.nanoseconds
    state.withLock { state in
      state.uploads.append((bytes, time))
      state.names.insert(answer.name)
    }
  }

  private func rename(to stem: String) {
    let name = state.withLock { state in
      // The order of a set differs between runs.
      let name = state.names.sorted().randomElement(using: &state.numbers)
      if let name { state.names.remove(name) }
      return name
    }
    guard let name, let answer = ask("/api/recordings/\(name)/rename", form: "to=\(stem)")
    else { return }
    state.withLock { _ = $0.names.insert(answer.name) }
  }

  private func repair() {
    guard let answer = ask("/api/recordings/\(Self.unfinishedName)/repair", form: "")
    else { return }
    state.withLock { _ = $0.repairedNames.insert(answer.name) }
  }

  /// Whether the files of a disk contain the unfinished recording, and each upload confirmed before a time.
  func isKept(in contents: Set<[UInt8]>, at time: Int64) -> Bool {
    let uploads = state.withLock(\.uploads)
    return contents.contains(Self.unfinished)
      && uploads.allSatisfy { $0.time >= time || contents.contains($0.bytes) }
  }

  /// Expects that a folder has the unfinished recording, its repaired copies, and all confirmed uploads, under the
  /// names that the studio has confirmed.
  ///
  /// On a healthy disk, `stored` is what a power failure would leave.
  func expect(in folder: String, _ stored: [String: [UInt8]]?) {
    var files: [String: [UInt8]] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      files[name] = FileManager.default.contents(atPath: folder + "/" + name).map { Array($0) }
    }
    for files in [files, stored ?? files] {
      #expect(isKept(in: Set(files.values), at: .max), "A recording is lost.")
      #expect(files[Self.unfinishedName] == Self.unfinished)
      let (names, repairedNames) = state.withLock { ($0.names, $0.repairedNames) }
      for name in names { #expect(files[name] != nil, "\(name)") }
      for name in repairedNames {
        #expect(files[name]?.suffix(40_000) == Self.unfinished.suffix(40_000), "\(name)")
      }
    }
    if stored != nil { #expect(!state.withLock(\.uploads).isEmpty) }
  }
}
