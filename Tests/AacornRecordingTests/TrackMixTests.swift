import AacornDevices
import AacornSignal
import Foundation
import Testing

@testable import AacornRecording

@Suite struct TrackMixTests {
  private func starts(_ rig: MixRig) -> [RecorderEvent] {
    rig.mixdown.leader.events.filter { event in
      switch event {
      case .trackStarted, .trackStopped: true
      default: false
      }
    }
  }

  private static func settings(
    _ change: (inout TrackConfiguration) -> Void = { _ in }
  ) -> [TrackConfiguration] {
    var other = TrackConfiguration("other")
    change(&other)
    return [TrackConfiguration("one"), other]
  }

  @Test(arguments: [-1, -0.5, 0, 0.3, 1])
  func panningKeepsThePower(pan: Double) throws {
    let left = Double(TrackFader.factor(pan: pan, channel: 0, of: 2))
    let right = Double(TrackFader.factor(pan: pan, channel: 1, of: 2))
    #expect(abs(left * left + right * right - 2) < 1e-6)
    let angle = Double.pi / 4 * (pan + 1)
    let root = 2.0.squareRoot()
    #expect(abs(left - root * cos(angle)) < 1e-6)
    #expect(abs(right - root * sin(angle)) < 1e-6)
    var rig = try MixRig(Self.settings { $0.pan = pan })
    let mixed = try rig.mix(0, 0.5, frames: 480)
    #expect(mixed.count == 960)
    #expect(abs(Double(mixed[0]) - 0.5 * left) < 1e-6)
    #expect(abs(Double(mixed[1]) - 0.5 * right) < 1e-6)
    // In the middle, the mix equals the input bit for bit.
    if pan == 0 { #expect(mixed == constant(0.5, 960)) }
  }

  @Test func otherNumbersOfChannelsHaveNoSides() {
    #expect(TrackFader.factor(pan: 1, channel: 0, of: 1) == 1)
    #expect(TrackFader.factor(pan: -1, channel: 5, of: 6) == 1)
  }

  @Test func gainIsInDecibelsAndThereFromTheBeginning() throws {
    var rig = try MixRig(Self.settings { $0.gain = -20 })
    let mixed = try rig.mix(0.25, 0.5, frames: 100)
    #expect(mixed.count == 200 && mixed.allSatisfy { abs($0 - 0.3) < 1e-6 })
  }

  @Test(
    arguments: [
      ("6", 6), ("-3.5", -3.5), ("+6dB", 6), ("-60 ", nil), ("-60DB", -60), ("60", 60),
      ("60.1", nil), ("-61", nil), ("", nil), ("dB", nil), ("1e1", nil), ("nan", nil),
      ("6 dB", nil),
    ] as [(String, Double?)])
  func gainIsParsed(text: String, decibels: Double?) {
    #expect(Gain.parse(text) == decibels)
  }

  /// Checks a linear change over 10 ms from the next frame on.
  private func expectLine(
    _ samples: [Float], from start: Float, to end: Float,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try #require(samples.count == 2 * 600, sourceLocation: sourceLocation)
    let wrong = (0..<600).first { frame in
      let part = min(1, Float(frame + 1) / 480)
      return abs(samples[2 * frame] - (start + (end - start) * part)) > 1e-5
    }
    #expect(wrong == nil, sourceLocation: sourceLocation)
    #expect(samples[1199] == end, sourceLocation: sourceLocation)
  }

  @Test func gainAndMuteApplyToTheWholeMix() throws {
    var rig = try MixRig([TrackConfiguration("one"), TrackConfiguration("other")])
    let steps: [(gain: Float, isMuted: Bool, level: Float)] = [
      (1, false, 0.75), (0.5, false, 0.375), (0.5, true, 0), (2, true, 0), (2, false, 1.5),
    ]
    for (gain, isMuted, level) in steps {
      rig.mixdown.setGain(gain)
      rig.mixdown.mute(isMuted)
      #expect(rig.mixdown.isSilenced == isMuted)
      let last = try #require(rig.mix(0.25, 0.5, frames: 4800).last)
      #expect(abs(last - level) < 1e-6)
    }
  }

  @Test func muteAndSoloAreShortLines() throws {
    var rig = try MixRig(Self.settings())
    #expect(try rig.mix(0.5, 0.25, frames: 480) == constant(0.75, 960))
    rig.mixdown.apply(.muted(true), to: "other")
    try expectLine(rig.mix(0.5, 0.25, frames: 600), from: 0.75, to: 0.5)
    rig.mixdown.apply(.muted(false), to: "other")
    try expectLine(rig.mix(0.5, 0.25, frames: 600), from: 0.5, to: 0.75)
    rig.mixdown.apply(.solo(true), to: "other")
    try expectLine(rig.mix(0.5, 0.25, frames: 600), from: 0.75, to: 0.25)
    // Two solo tracks are both audible.
    rig.mixdown.apply(.solo(true), to: "one")
    try expectLine(rig.mix(0.5, 0.25, frames: 600), from: 0.25, to: 0.75)
    rig.mixdown.mute(true)
    try expectLine(rig.mix(0.5, 0.25, frames: 600), from: 0.75, to: 0)
    rig.mixdown.apply(.gain(6), to: "nobody")
    #expect(try rig.mix(0.5, 0.25, frames: 600).allSatisfy { $0 == 0 })
    #expect(rig.mixdown.isSilenced)
  }

  @Test func aTrackThatIsStoppedFadesOutAndNothingIsTakenOfIt() throws {
    var rig = try MixRig(Self.settings { $0.fadeOut = .milliseconds(20) })
    #expect(try rig.mix(0, 0.5, frames: 480) == constant(0.5, 960))
    rig.mixdown.apply(.stop, to: "other")
    let fade = try rig.mix(0, 0.5, frames: 1000)
    #expect(abs(fade[2 * 479] - 0.25) < 1e-5, "Half of the change after half the time.")
    #expect(fade[(2 * 960)...].allSatisfy { $0 == 0 })
    #expect(!rig.mixdown.followers[0].isPlaying)
    #expect(try rig.mix(0.125, 0.5, frames: 100) == constant(0.125, 200))
  }

  @Test(arguments: [false, true])
  func commandBeforeOffsetStartsOrStopsSignalAtOnce(isStarted: Bool) throws {
    var rig = try MixRig(Self.settings { $0.startOffset = .milliseconds(5) })
    rig.mixdown.apply(isStarted ? .start : .stop, to: "other")
    if !isStarted { #expect(!rig.mixdown.followers[0].isPlaying) }
    let mixed = try rig.mix(0.25, 0.5, frames: 1000)
    #expect(mixed == constant(isStarted ? 0.75 : 0.25, 2000))
  }

  @Test func aSignalBeginsAndStopsAtItsTimesWithItsFades() throws {
    let settings = Self.settings {
      $0.startOffset = .milliseconds(5)
      $0.fadeIn = .milliseconds(5)
      $0.stopOffset = .milliseconds(15)
      $0.fadeOut = .milliseconds(10)
    }
    var rig = try MixRig(settings)
    let mixed = try rig.mix(0, 0.5, frames: 1500)
    try #require(mixed.count == 3000)
    #expect(mixed[..<480].allSatisfy { $0 == 0 }, "240 frames precede the track.")
    #expect(abs(mixed[2 * (240 + 119)] - 0.25) < 1e-5, "Half of the level after half the fade.")
    #expect(
      mixed[2 * 480..<2 * 720].allSatisfy { $0 == 0.5 }, "The track is audible until its stop.")
    #expect(abs(mixed[2 * (720 + 239)] - 0.25) < 1e-5, "Half of the level after half the fade.")
    #expect(mixed[(2 * 1200)...].allSatisfy { $0 == 0 })
    #expect(starts(rig) == [.trackStarted("other"), .trackStopped("other")])
    // The stop offset applies once; the track can be started again afterward.
    rig.mixdown.apply(.start, to: "other")
    #expect(try rig.mix(0, 0.5, frames: 2000).suffix(100).allSatisfy { $0 == 0.5 })
  }

  @Test func theFirstTrackStopsAtItsTimeToo() throws {
    var settings = Self.settings()
    settings[0].stopOffset = .milliseconds(5)
    var rig = try MixRig(settings)
    let mixed = try rig.mix(0.5, 0.25, frames: 1000)
    try #require(mixed.count == 2000)
    #expect(mixed[..<480].allSatisfy { $0 == 0.75 })
    #expect(mixed[(2 * 720)...].allSatisfy { $0 == 0.25 }, "The track fades out within 10 ms.")
    #expect(starts(rig) == [.trackStopped("one")])
  }

  @Test func toggleStopsAudibleTrackAndStartsSilentOne() throws {
    var rig = try MixRig(Self.settings { $0.startOffset = .seconds(5) })
    #expect(try rig.mix(0, 0.5, frames: 100) == constant(0, 200))
    // The track is waiting for its offset, so the command starts it now.
    rig.mixdown.apply(.toggle, to: "other")
    #expect(try rig.mix(0, 0.5, frames: 100) == constant(0.5, 200))
    rig.mixdown.apply(.toggle, to: "other")
    #expect(try rig.mix(0, 0.5, frames: 240).last.map { abs($0 - 0.25) < 1e-5 } == true)
    // The fade-out has not ended, so the track returns from its current level, without a new
    // fade-in.
    rig.mixdown.apply(.toggle, to: "other")
    #expect(try rig.mix(0, 0.5, frames: 240).last == 0.5)
    rig.mixdown.apply(.toggle, to: "other")
    #expect(try rig.mix(0, 0.5, frames: 600).last == 0)
    #expect(!rig.mixdown.followers[0].isPlaying)
    rig.mixdown.apply(.toggle, to: "other")
    #expect(rig.mixdown.followers[0].isPlaying)
    let (start, stop) = (RecorderEvent.trackStarted("other"), RecorderEvent.trackStopped("other"))
    #expect(starts(rig) == [start, stop, start, stop, start])
  }

  @Test func aSignalThatHasEndedHasItsFadeWhenItIsStartedAgain() throws {
    var rig = try MixRig(Self.settings { $0.fadeIn = .milliseconds(10) })
    #expect(try rig.mix(0, 0.5, frames: 1000).last == 0.5)
    rig.mixdown.followers[0].accept(CaptureBlock(.ended, time: 0), [], at: rig.mixdown.position)
    let silence = constant(0, 960)
    #expect(try rig.mix(silence, []) == silence)
    #expect(rig.mixdown.followers[0].isFinished)
    rig.mixdown.apply(.start, to: "other")
    // The rig has no source that could restart. The test checks only the fade.
    #expect(rig.mixdown.faders[1].isFadedIn)
    var frames = constant(0.5, 960)
    rig.mixdown.faders[1].apply(to: &frames)
    #expect(abs(frames[2 * 239] - 0.25) < 1e-5 && frames[959] == 0.5)
  }

  @Test(arguments: [[4000], [1], [480], [7, 1000, 33]])
  func mixDoesNotDependOnBlockSizes(pieces: [Int]) throws {
    let settings = Self.settings {
      $0.gain = -3
      $0.pan = 0.4
      $0.fadeIn = .milliseconds(30)
      $0.stopOffset = .milliseconds(120)
      $0.fadeOut = .milliseconds(15)
      $0.ducking = Ducking(of: .track("one"), threshold: -20, depth: 12, hold: .milliseconds(10))
    }
    func mix(_ pieces: [Int]) throws -> [Float] {
      var rig = try MixRig(settings)
      let frames = 8000
      let follower = noise(2 * frames, amplitude: 0.5)
      let leader = noise(2 * frames, amplitude: 0.5, seed: 5).enumerated().map { index, sample in
        sample * (index / 2000 % 3 == 1 ? 1 : 0.01)
      }
      var (start, piece): (Int, Int) = (0, 0)
      var mixed: [Float] = []
      while start < 2 * frames {
        let end = min(2 * frames, start + 2 * pieces[piece % pieces.count])
        mixed += try rig.mix(Array(leader[start..<end]), Array(follower[start..<end]))
        (start, piece) = (end, piece + 1)
      }
      return mixed
    }
    let whole = try mix([8000])
    #expect(whole.count == 16_000)
    #expect(try mix(pieces) == whole)
  }

  @Test func thePartsAddUpToTheMix() throws {
    let settings = Self.settings {
      $0.gain = -7
      $0.pan = -0.3
      $0.ducking = Ducking()
    }
    var rig = try MixRig(settings, keepsTracks: true)
    for number in 0..<20 {
      try rig.mix(noise(960, seed: number), noise(960, seed: 100 + number))
    }
    #expect(rig.parts.allSatisfy { $0.count == rig.mixed.count })
    #expect(zip(rig.parts[0], rig.parts[1]).map { $0 + $1 } == rig.mixed)
    #expect(rig.mixdown.position == 9600)
  }

  // MARK: Ducking

  @Test func duckedTrackFollowsFormula() {
    // At 1000 Hz: 100 samples of attack, 200 samples of release.
    let ducking = Ducking(
      threshold: -20, depth: 12, attack: .milliseconds(100), release: .milliseconds(200),
      hold: .milliseconds(50))
    var ducker = Ducker(ducking, sampleRate: 1000)
    // Quiet, above the threshold for 30 samples, quiet for 100, at the threshold for 200, then
    // quiet.
    var progress = 0.0
    var sinceLoud = 1000
    for index in 0..<900 {
      let isLoud = (10..<40).contains(index) || (140..<340).contains(index)
      let peak: Float = isLoud ? Gain.factor(decibels: -20) : 0.099
      sinceLoud = isLoud ? 0 : sinceLoud + 1
      progress = sinceLoud <= 50 ? min(1, progress + 0.01) : max(0, progress - 0.005)
      let exact = pow(10, -12 * progress / 20)
      let found = Double(ducker.factor(at: peak))
      if abs(found - exact) > 1e-6 {
        Issue.record("\(found) instead of \(exact) at \(index)")
        return
      }
    }
    #expect(ducker.factor(at: 0) == 1, "The factor returns to exactly 1.")
  }

  @Test func onlyTheNamedTrackLowersAnother() throws {
    var settings = Self.settings { $0.ducking = Ducking(of: .track("third"), depth: 20) }
    settings.append(TrackConfiguration("third"))
    var rig = try MixRig(settings)
    // The third track is silent, and the first does not trigger the ducking.
    rig.mixdown.followers[1].accept(CaptureBlock(.ended, time: 0), [], at: 0)
    let mixed = try rig.mix(0.5, 0.25, frames: 4800)
    #expect(mixed.count == 9600 && mixed.allSatisfy { $0 == 0.75 })
    settings[1].ducking = Ducking(
      of: .others, depth: 20, attack: .milliseconds(10), release: .milliseconds(10))
    var other = try MixRig(Array(settings.prefix(2)))
    let lowered = try other.mix(0.5, 0.25, frames: 4800)
    #expect(lowered.last.map { abs($0 - 0.525) < 1e-5 } == true)
  }
}
