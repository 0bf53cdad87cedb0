import AacornDevices
import AacornSystem
import DeviceRigs
import Foundation
import Simulation
import SoundRigs
import TestSignals
import Testing

@testable import AacornRecording

/// Tracks of two devices and a signal, with random faults and requests, in all orders of threads.
@Suite(.simulated(seeds: 8, with: .starvation)) struct TrackScenarioTests {
  private static let rate = 8000
  private let log = RecordingLog()
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A device that captures the tone of a room, with up to two faults.
  private static func device(
    _ name: String, rate: Int, drift: Double, _ numbers: inout SeededNumbers
  ) -> FaultySource {
    var events: [SyntheticFaults.Event] = []
    for second in [1, 3] where Bool.random(using: &numbers) {
      let milliseconds = Int.random(in: 60...1200, using: &numbers)
      let count = rate * milliseconds / 1000
      let kinds: [SyntheticFaults.Kind] = [
        .loss(frameCount: count, cause: .overrun), .silentLoss(frameCount: count),
        .absence(for: .milliseconds(milliseconds)), .suspension(for: .milliseconds(milliseconds)),
      ]
      let frame = Int.random(in: second * rate..<(second + 1) * rate, using: &numbers)
      events.append(.at(frame, kinds.randomElement(using: &numbers) ?? kinds[0]))
    }
    return FaultySource(
      Device(backend: .synthetic, id: name, name: name),
      playing: RoomTone(sampleRate: rate, drift: drift, start: 0),
      faults: SyntheticFaults(events, driftPartsPerMillion: drift))
  }

  @Test func everyTrackIsInItsFileAtItsTime() throws {
    var numbers = Simulation.numbers
    var configuration = RecordingConfiguration(
      sampleRate: Self.rate, channelCount: 1, coding: .float32)
    configuration.multitrack = Multitrack(folder.path, .wav)
    let drifts: [Double] = (0..<2).map { _ in
      [0, 100, -100].randomElement(using: &numbers) ?? 0
    }
    let delay = Bool.random(using: &numbers) ? 0 : 400
    let (first, count) = (
      8 * Int.random(in: 0...2000, using: &numbers), Int.random(in: 1...30_000, using: &numbers)
    )
    var settings = ["one", "two", "three"].map { TrackConfiguration($0) }
    settings[1].startOffset = .milliseconds(delay)
    settings[2].startOffset = .milliseconds(first / 8)
    let session = log.session(configuration)
    let counter = CounterSignal(sampleRate: Self.rate, channelCount: 1)
    let one = Self.device("one", rate: Self.rate, drift: drifts[0], &numbers)
    let rate = Bool.random(using: &numbers) ? 8000 : 11_025
    let two = Self.device("two", rate: rate, drift: drifts[1], &numbers)
    try session.start(
      [
        TrackSource(settings[0], from: one), TrackSource(settings[1], from: two),
        TrackSource(settings[2], playing: SyntheticExcerpt(of: counter, frameCount: count)),
      ], outputs: [FileOutput(folder.file("mix.wav"), .wav)])
    for _ in 0..<Int.random(in: 2...7, using: &numbers) {
      System.sleep(milliseconds: Int.random(in: 0...1200, using: &numbers))
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: session.setPaused(true)
      case 1: session.startNewSegment()
      default: session.setPaused(false)
      }
    }
    // A device ends within its step of 50 ms.
    let summary = try expectDuration(0...0.12 + 2 * Simulation.maxDelay) {
      session.stop()
      return try finalSummary(of: session)
    }
    let gaps = summary.ledger.gaps
    #expect(summary.failure == nil && summary.losses.isEmpty && log.gaps == gaps)
    #expect(!gaps.contains { $0.cause == .surplus })
    let hasOtherFormat = log.events.contains { event in
      if case .track(_, .formatChanged) = event { true } else { false }
    }
    #expect(!hasOtherFormat)
    try expectFiles(summary)
    let mix = try samples(of: nil, summary)
    let parts = try settings.map { try samples(of: $0.name, summary) }
    #expect(mix.indices.allSatisfy { mix[$0] == parts[0][$0] + parts[1][$0] + parts[2][$0] })
    var starts: [String: Int64] = [:]
    for event in log.events {
      if case .started(_, let time) = event { starts["one"] = time }
      if case .track(let name, .started(_, let time)) = event { starts[name] = time }
    }
    guard let start = starts["one"] else { return }
    // Clocks need time to find a drift, and count lost frames at the nominal rate.
    let tolerance = drifts == [0, 0] ? 0.00005 : 0.0003
    expectTone(
      parts[0], gaps.filter { $0.track == "one" }, drift: drifts[0],
      tolerance: drifts[0] == 0 ? 0 : tolerance)
    // A fault during a pause is not reported, and may leave the device a few milliseconds off.
    let hasPause = gaps.contains { $0.cause == .paused }
    expectTone(
      parts[1], gaps.filter { $0.track == "two" }, drift: drifts[0],
      // A track begins at the nearest frame.
      since: starts["two"].map { (Double(start - $0) * 8e-6).rounded() / 8000 }, delay: delay * 8,
      tolerance: hasPause ? 0.004 : tolerance, margin: 120)
    // The signal is in the mix whole, except for gaps.
    var isPlayed = mix.indices.map { $0 >= first }
    for gap in gaps where gap.track == "three" {
      for frame in gap.position..<gap.position + gap.length { isPlayed[frame] = false }
    }
    let played = mix.indices.filter { isPlayed[$0] }.map { parts[2][$0] }
    let wanted = (0..<min(count, played.count)).map { CounterSignal.value(frame: $0, channel: 0) }
    #expect(Array(played.prefix(count)) == wanted)
    #expect(played.dropFirst(count).allSatisfy { $0 == 0 })
    #expect(mix.indices.allSatisfy { isPlayed[$0] || parts[2][$0] == 0 })
  }

  /// The samples of all files of a track, or of the mix.
  private func samples(of track: String?, _ summary: RecordingSummary) throws -> [Float] {
    var samples: [Float] = []
    for output in summary.outputs where output.track == track {
      #expect(output.position == samples.count)
      samples += try folder.samples(String(output.name.dropFirst(folder.path.count + 1)))
    }
    #expect(samples.count == summary.sampleCount)
    return samples
  }

  /// Checks the names of the files, and the ledgers next to them.
  private func expectFiles(_ summary: RecordingSummary) throws {
    struct Entry: Decodable {
      var position: Int
      var length: Int
      var filled: Bool
    }
    var names: Set<String> = []
    var listed: [String?: Int] = [:]
    for output in summary.outputs {
      let name = String(output.name.dropFirst(folder.path.count + 1))
      names.insert(name)
      guard folder.names.contains(name + GapSidecar.ending) else { continue }
      names.insert(name + GapSidecar.ending)
      let bytes = try folder.bytes(name + GapSidecar.ending)
      for entry in try JSONDecoder().decode([Entry].self, from: Data(bytes)) where entry.filled {
        #expect(
          entry.position >= 0 && entry.position + entry.length <= output.sampleCount,
          "\(entry) in \(output) of \(summary)")
        listed[output.track, default: 0] += entry.length
      }
    }
    #expect(Set(folder.names) == names && log.events.last == .stopped(summary))
    for track in [nil, "one", "two", "three"] {
      let filled = summary.ledger.gaps.filter { $0.isFilled && (track == nil || $0.track == track) }
      #expect(listed[track] ?? 0 == filled.reduce(0) { $0 + $1.length }, "\(track ?? "mix")")
    }
  }

  /// Checks that each frame is the room's tone at its time, or silence in a gap.
  ///
  /// The track starts `since` seconds before the leader, never if that is nil, and is delayed by
  /// `delay` frames. A filter smears `margin` frames at each change.
  private func expectTone(
    _ samples: [Float], _ gaps: [RecordingGap], drift: Double, since: Double? = 0, delay: Int = 0,
    tolerance: Double = 0, margin: Int = 0
  ) {
    var isSilent = [Bool](repeating: since == nil, count: samples.count)
    var isChecked = [Bool](repeating: true, count: samples.count)
    func skip(_ position: Int) {
      let smeared = position - margin..<position + margin
      for frame in smeared.clamped(to: 0..<samples.count) { isChecked[frame] = false }
    }
    for gap in gaps where gap.isFilled {
      for frame in gap.position..<gap.position + gap.length { isSilent[frame] = true }
      skip(gap.position)
      skip(gap.position + gap.length)
    }
    let pauses = log.gaps.filter { $0.cause == .paused }
    for pause in pauses { skip(pause.position + delay) }
    let allowed = Float(RoomTone.steepness * tolerance + 0.001)
    let start = delay - Int((since ?? 0) * Double(Self.rate))
    skip(start)
    let wrong = samples.indices.first { frame in
      let position = frame - delay
      let omitted = pauses.reduce(0) { $0 + ($1.position <= position ? $1.length : 0) }
      let seconds = RoomTone.time(of: position + omitted, Self.rate, drift: drift)
      let tone = isSilent[frame] || frame < start ? 0 : RoomTone.value(at: seconds + (since ?? 0))
      return isChecked[frame] && abs(samples[frame] - Float(tone)) > allowed
    }
    let log = (gaps + pauses).map { "\($0.cause) \($0.position)+\($0.length)" }
    #expect(wrong == nil, "\(since ?? -1) \(delay) \(drift): \(log)")
  }
}
