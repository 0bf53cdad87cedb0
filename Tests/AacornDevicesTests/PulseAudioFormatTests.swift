import CAacornPulseAudio
import Testing

@testable import AacornDevices

/// What is asked for of a source.
struct PulseAudioFormatTests {
  @Test func channelsAreAskedForInTheOrderOfFiles() {
    let alsa = [
      CPULSE_CHANNEL_FRONT_LEFT, CPULSE_CHANNEL_FRONT_RIGHT, CPULSE_CHANNEL_REAR_LEFT,
      CPULSE_CHANNEL_REAR_RIGHT, CPULSE_CHANNEL_FRONT_CENTER, CPULSE_CHANNEL_LFE,
    ]
    #expect(
      PulseFormat.inFileOrder(alsa) == [
        CPULSE_CHANNEL_FRONT_LEFT, CPULSE_CHANNEL_FRONT_RIGHT, CPULSE_CHANNEL_FRONT_CENTER,
        CPULSE_CHANNEL_LFE, CPULSE_CHANNEL_REAR_LEFT, CPULSE_CHANNEL_REAR_RIGHT,
      ])
    // Channels without a place are numbered; sorting would mix them up.
    let numbered = [CPULSE_CHANNEL_FRONT_RIGHT, cpulse_channel_position(rawValue: 12)]
    #expect(PulseFormat.inFileOrder(numbered) == numbered)
  }
}
