#if os(Linux)
import CAacornALSA
import Testing

@testable import AacornDevices

/// The settings that the program chooses for a card.
struct ALSASetupTests {
  private static let capture = ALSAParameters(CaptureRequest(blockDuration: .milliseconds(10)))

  private static func playback(rate: Int = 48_000, channels: Int = 2) -> ALSAParameters {
    ALSAParameters(
      PlaybackRequest(latency: .milliseconds(40)),
      PlaybackFormat(sampleRate: rate, channelCount: channels))
  }

  /// Opens a card and closes it again.
  private func setup(
    _ card: ALSACard, _ requested: ALSAParameters = capture
  ) throws -> ALSASetup {
    defer { #expect(!card.read(\.isOpen) && card.read(\.objectCount) == 0) }
    return try ALSAStream(card.name, for: requested, .simulated).setup
  }

  /// Two blocks fit in the buffer; a period that is longer than the buffer is not possible.
  @Test(arguments: [
    (48_000, 1, 48_000, 480, 12_000, 10_000_000),
    (48_000, 24_000, 96_000, 480, 48_000, 500_000_000),
    (48_000, 1, 100, 50, 100, 2_083_333), (48_000, 1, 1, 1, 2, 41_667),
    (50, 1, 48_000, 1, 32, 20_000_000),
  ])
  func blockFitsIntoTheBuffer(
    rate: Int, step: Int, maxBuffer: Int, block: Int, buffer: Int, period: Int
  ) throws {
    let card = ALSACard(rate: rate)
    (card.step, card.maxBuffer) = (step, maxBuffer)
    let setup = try setup(card)
    #expect(setup.sampleRate == rate && setup.period == Int64(period))
    #expect(setup.blockFrameCount == block && setup.bufferFrameCount == buffer)
    #expect(card.read(\.minAvailable) == block)
  }

  @Test(arguments: [DeviceDirection.capture, .playback])
  func bestFormatIsSelected(direction: DeviceDirection) throws {
    var choices = [
      (AACORN_ALSA_FORMAT_S32, CaptureSampleFormat.int32, false, 32),
      (AACORN_ALSA_FORMAT_S24_3LE, .int24, false, 24), (AACORN_ALSA_FORMAT_S24, .int32, true, 24),
      (AACORN_ALSA_FORMAT_S16, .int16, false, 16),
    ]
    let float = (AACORN_ALSA_FORMAT_FLOAT, CaptureSampleFormat.float32, false, 32)
    choices.insert(float, at: direction == .playback ? 0 : 4)
    for (index, (_, format, isPadded, bitCount)) in choices.enumerated() {
      let card = ALSACard()
      card.format = choices[4].0
      card.otherFormats = Set(choices[index...].map(\.0))
      let setup = try setup(card, direction == .playback ? Self.playback() : Self.capture)
      #expect(setup.format == format && setup.isPadded == isPadded)
      #expect(setup.integerBitCount == bitCount)
      #expect(setup.significantBitCount == (format == .int16 ? 16 : 24))
    }
  }

  /// By default a card has all channels, and a plug-in two.
  @Test(
    arguments: [
      (AACORN_ALSA_TYPE_HW, 1...8, nil, 8), (AACORN_ALSA_TYPE_IOPLUG, 1...8, nil, 2),
      (AACORN_ALSA_TYPE_HW, 1...100, nil, 64), (AACORN_ALSA_TYPE_HW, 70...80, nil, 70),
      (AACORN_ALSA_TYPE_HW, 1...8, 4, 4), (AACORN_ALSA_TYPE_IOPLUG, 3...8, 9, 8),
    ] as [(Int, ClosedRange<Int>, Int?, Int)])
  func channelsAreRequestedOrDefault(
    type: Int, claimed: ClosedRange<Int>, requested: Int?, channels: Int
  ) throws {
    let card = ALSACard()
    (card.type, card.claimedChannels, card.claimedRates) = (type, claimed, 8000...96_000)
    for (wanted, rate) in [(nil, 48_000), (44_100, 44_100), (192_000, 96_000)] as [(Int?, Int)] {
      let request = CaptureRequest(sampleRate: wanted, channelCount: requested)
      let setup = try setup(card, ALSAParameters(request))
      #expect(setup.channelCount == channels && setup.sampleRate == rate)
    }
  }

  @Test(arguments: [
    (192_000, 2, 1...8, "it runs at 96000 Hz, not at 192000"),
    (48_000, 9, 1...8, "it has 1 to 8 channels, not 9"),
    (48_000, 3, 2...2, "it has 2 channels, not 3"),
  ])
  func playbackRequiresItsFormat(
    rate: Int, channels: Int, claimed: ClosedRange<Int>, reason: String
  ) throws {
    let card = ALSACard()
    (card.claimedChannels, card.claimedRates) = (claimed, 8000...96_000)
    #expect(throws: DeviceError.unsupportedFormat(id: card.name, reason: reason)) {
      try setup(card, Self.playback(rate: rate, channels: channels))
    }
  }

  /// The card's own rates come first, then a conversion, then any period.
  @Test(
    arguments: [
      ([], 480), (["resampled"], 480), (["native"], 480), (["native", "period"], 1),
      (["period"], 1),
      (["resampled", "period"], nil),
    ] as [(Set<String>, Int?)])
  func simplerSettingsAreTried(rejected: Set<String>, period: Int?) throws {
    let card = ALSACard()
    card.rejectedSettings = rejected
    if let period {
      let setup = try setup(card)
      #expect(setup.period == ALSATimeline.nanoseconds(period, 48_000))
      #expect(setup.blockFrameCount == 480)
    } else {
      #expect(throws: DeviceError.self) { try setup(card) }
    }
  }

  @Test(arguments: [
    (AACORN_ALSA_TYPE_HW, true), (AACORN_ALSA_TYPE_IOPLUG, true), (AACORN_ALSA_TYPE_DSNOOP, false),
  ])
  func deviceStopsOnlyIfItWouldCopyOverwrittenSamples(type: Int, continues: Bool) throws {
    let card = ALSACard()
    card.type = type
    #expect(try setup(card).countsOverruns == continues)
    #expect(card.read(\.stopThreshold) == (continues ? 1 << 40 : 12_000))
    #expect(try !setup(card, Self.playback()).countsOverruns)
    #expect(card.read(\.stopThreshold) == 1920 && card.read(\.startThreshold) == 1920)
    #expect(card.read(\.minAvailable) == 480)
    let stream = try ALSAStream(card.name, for: Self.playback(), .simulated)
    #expect(stream.isHardware == (type != AACORN_ALSA_TYPE_IOPLUG))
    #expect(stream.name == "Simulated card" && stream.isPrepared)
  }
}
#endif
