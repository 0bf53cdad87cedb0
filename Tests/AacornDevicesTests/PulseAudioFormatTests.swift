import AacornSignal
import CAacornPulseAudio
import Testing

@testable import AacornDevices

/// The format requested from a source or sink.
struct PulseAudioFormatTests {
  @Test func playbackFormatMapsChannelPositions() throws {
    let library = try PulseLibrary()
    func format(_ count: Int, _ layout: ChannelLayout? = nil) -> PulseFormat {
      PulseFormat(
        PlaybackFormat(sampleRate: 44_100, channelCount: count, layout: layout), library)
    }
    let surround = format(4, ChannelLayout([.frontLeft, .frontRight, .backLeft, .backRight]))
    #expect(
      surround.positions == [
        AACORN_PULSE_CHANNEL_FRONT_LEFT, AACORN_PULSE_CHANNEL_FRONT_RIGHT,
        AACORN_PULSE_CHANNEL_REAR_LEFT, AACORN_PULSE_CHANNEL_REAR_RIGHT,
      ])
    #expect(surround.rate == 44_100 && surround.frameByteCount == 16)
    // Missing values are replaced by the defaults.
    #expect(
      format(3).positions == [
        AACORN_PULSE_CHANNEL_FRONT_LEFT, AACORN_PULSE_CHANNEL_FRONT_RIGHT,
        AACORN_PULSE_CHANNEL_FRONT_CENTER,
      ])
    #expect(
      format(1, ChannelLayout([.frontCenter])).positions == [AACORN_PULSE_CHANNEL_MONO])
    #expect(format(11).positions.count == 11)
  }

  @Test func channelsAreAskedForInTheOrderOfFiles() {
    let alsa = [
      AACORN_PULSE_CHANNEL_FRONT_LEFT, AACORN_PULSE_CHANNEL_FRONT_RIGHT,
      AACORN_PULSE_CHANNEL_REAR_LEFT,
      AACORN_PULSE_CHANNEL_REAR_RIGHT, AACORN_PULSE_CHANNEL_FRONT_CENTER, AACORN_PULSE_CHANNEL_LFE,
    ]
    #expect(
      PulseFormat.inFileOrder(alsa) == [
        AACORN_PULSE_CHANNEL_FRONT_LEFT, AACORN_PULSE_CHANNEL_FRONT_RIGHT,
        AACORN_PULSE_CHANNEL_FRONT_CENTER,
        AACORN_PULSE_CHANNEL_LFE, AACORN_PULSE_CHANNEL_REAR_LEFT, AACORN_PULSE_CHANNEL_REAR_RIGHT,
      ])
    // Channels without a position are numbered; sorting would mix them up.
    let numbered = [AACORN_PULSE_CHANNEL_FRONT_RIGHT, aacorn_pulse_channel_position(rawValue: 12)]
    #expect(PulseFormat.inFileOrder(numbered) == numbered)
  }
}
