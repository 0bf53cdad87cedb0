#if os(Linux)
import AacornSystem
import CAacornALSA
import Simulation
import SoundRigs
import TestSignals
import Testing

@testable import AacornDevices

/// Random cards with random faults, in all orders of threads.
@Suite(.simulated(seeds: 60, with: .all)) struct ALSAScenarioTests {
  /// The longest time that the end of a run may take: that of the worker, and two pauses of a starved thread.
  private static var maxStopTime: Double { 0.91 + 2 * Simulation.maxDelay }

  private func card(_ numbers: inout SeededNumbers) -> ALSACard {
    let card = ALSACard()
    card.rate = [2000, 2000, 8000, 48000].randomElement(using: &numbers) ?? 2000
    card.channelCount = Int.random(in: 1...3, using: &numbers)
    card.format =
      [
        AACORN_ALSA_FORMAT_S24_3LE, AACORN_ALSA_FORMAT_S24, AACORN_ALSA_FORMAT_S32,
        AACORN_ALSA_FORMAT_FLOAT,
      ]
      .randomElement(using: &numbers) ?? AACORN_ALSA_FORMAT_S32
    // Another type stops at an overrun.
    card.type = Bool.random(using: &numbers) ? AACORN_ALSA_TYPE_IOPLUG : 11
    card.latency = Bool.random(using: &numbers) ? 0 : card.rate / 20
    card.maxBuffer = [card.rate / 10, card.rate].randomElement(using: &numbers) ?? 0
    card.hasTimestamps = Bool.random(using: &numbers)
    // Without timestamps, times cannot be better than the steps of the position.
    card.step = card.hasTimestamps && Bool.random(using: &numbers) ? card.rate / 100 : 1
    card.wakesEagerly = Int.random(in: 0..<4, using: &numbers) == 0
    card.maxWrite = [.max, .max, card.rate / 200].randomElement(using: &numbers) ?? .max
    var frame = Int.random(in: 0...card.rate / 2, using: &numbers)
    for _ in 0..<Int.random(in: 0...3, using: &numbers) {
      card.faults.append((frame, fault(of: card, &numbers)))
      frame += Int.random(in: 0...card.rate, using: &numbers)
    }
    return card
  }

  private func fault(of card: ALSACard, _ numbers: inout SeededNumbers) -> ALSACard.Fault {
    let time = [1, 30, 300, 1500].randomElement(using: &numbers) ?? 0
    return switch Int.random(in: 0..<6, using: &numbers) {
    case 0: .hang(milliseconds: time)
    case 1: .xrun(lost: Int.random(in: 0...card.rate / 2, using: &numbers))
    case 2: .disconnection(milliseconds: time)
    case 3: .suspension(milliseconds: time, canResume: Bool.random(using: &numbers))
    case 4: .error(5, milliseconds: time)
    // Without timestamps, nothing shows the duration of a stall.
    default: card.hasTimestamps ? .stall : .hang(milliseconds: time)
    }
  }

  @Test func everyCapturedFrameIsDeliveredOrReportedAsLost() throws {
    var numbers = Simulation.numbers
    let card = card(&numbers)
    let isFaulty = !card.hasFailed
    let plan = card.description
    var run = try ALSARun(card, maxSilenceNanoseconds: 700_000_000)
    try run.start()
    // A run of random length ends at any moment, such as during a fault.
    let isShort = Bool.random(using: &numbers)
    if isShort {
      run.collect(milliseconds: Int.random(in: 0...2000, using: &numbers))
    } else {
      run.collect { $0.card.read(\.hasFailed) && $0.end > 0 && $0.card.isHealthy }
      let end = card.frameCount(at: System.nanoseconds) + card.rate / 2
      let start = System.seconds
      run.collect { $0.end >= end }
      #expect(System.seconds - start < 5, "The capture continues after all faults.")
    }
    let captured = card.frameCount(at: System.nanoseconds)
    #expect(run.stop() < Self.maxStopTime)
    let count = run.blocks.count
    // After an overrun at the end, nothing is captured.
    if !isFaulty && card.read(\.xrunCount) == 0 { #expect(run.end >= captured) }
    run.expectEveryFrame("\(plan)")
    try expectGrammar(run.events.map { "\($0)" })
    #expect(!run.events.contains(.deviceChanged))
    for (block, next) in zip(run.blocks, run.blocks.dropFirst()) where next.event == nil {
      #expect(block.event != .deviceLost && block.event != .suspended, "Samples follow a return.")
    }
    run.collect(milliseconds: 5000)
    #expect(run.blocks.count == count, "Nothing is delivered after stop.")
    #expect(!card.read(\.isOpen) && card.read(\.objectCount) == 0)
    try run.run { $0.blocks.count > count + 3 }
  }

  @Test func everyFrameOfTheFeedIsPlayedOnceAndInOrder() throws {
    var numbers = Simulation.numbers
    let card = card(&numbers)
    let plan = card.description
    let target = ALSATarget(
      PlaybackRequest(
        device: .pinned(id: card.name),
        latency: .milliseconds(Int.random(in: 20...1000, using: &numbers))), library: .simulated,
      maxStallNanoseconds: 700_000_000)
    let playback = try NumberedPlayback(
      target, PlaybackFormat(sampleRate: card.rate, channelCount: card.channelCount)
    ) { card.samples(ofFrame: $0) }
    let isShort = Bool.random(using: &numbers)
    if isShort {
      let end = System.nanoseconds + Int64.random(in: 0...2_000_000_000, using: &numbers)
      #expect(playback.tend { System.nanoseconds >= end })
    } else {
      #expect(
        playback.tend { card.read(\.hasFailed) && card.isHealthy && card.read(\.lastWritten) > 0 })
      let start = System.seconds
      #expect(playback.play(card.rate / 2))
      #expect(System.seconds - start < 5, "The playback continues after all faults.")
      playback.expectTruePosition(on: card, "\(plan)")
    }
    let start = System.seconds
    target.stop()
    #expect(System.seconds - start < Self.maxStopTime)
    let taken = playback.feed.consumedFrameCount
    playback.tend()
    try expectGrammar(playback.events.map { "\($0)" })
    #expect(!playback.events.contains(.deviceChanged))
    System.sleep(milliseconds: 5000)
    #expect(playback.feed.consumedFrameCount == taken, "Nothing is played after stop.")
    #expect(!card.read(\.isOpen) && card.read(\.objectCount) == 0)
    #expect(card.wrongCount == 0)
    #expect(card.silentCount <= playback.feed.missingFrameCount)
    var next = 0
    for run in card.played where run.number > 0 {
      #expect(run.number >= next, "Every frame is played once.")
      next = run.number + run.count
    }
  }
}
#endif
