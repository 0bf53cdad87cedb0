import CAacornPulseAudio
import Testing

@testable import AacornDevices

/// What is asked for of a source.
struct PulseAudioFormatTests {
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
    // Channels without a place are numbered; sorting would mix them up.
    let numbered = [AACORN_PULSE_CHANNEL_FRONT_RIGHT, aacorn_pulse_channel_position(rawValue: 12)]
    #expect(PulseFormat.inFileOrder(numbered) == numbered)
  }
}
