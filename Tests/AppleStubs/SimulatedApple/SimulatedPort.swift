/// An input or output of a simulated phone.
package struct SimulatedPort: Sendable, Equatable {
  package struct Source: Sendable, Equatable {
    package var name: String
    /// The value of an `AVAudioSession.Orientation`.
    package var location: String?
    /// The values of `AVAudioSession.PolarPattern`; empty if there is no choice.
    package var patterns: [String] = []
  }

  /// The value of an `AVAudioSession.Port`.
  package var type: String
  package var name: String
  package var id: String
  package var channelCount: Int
  /// The supported sample rates, the default first.
  package var sampleRates: [Double]
  package var sources: [Source] = []
}

extension SimulatedPort {
  /// The built-in microphones of a phone.
  package static let builtInMicrophone = SimulatedPort(
    type: "MicrophoneBuiltIn", name: "Microphone", id: "Built-In Microphone", channelCount: 1,
    sampleRates: [48_000, 44_100],
    sources: [
      Source(name: "Bottom", location: "Bottom", patterns: ["Omnidirectional"]),
      Source(
        name: "Front", location: "Front", patterns: ["Omnidirectional", "Cardioid", "Stereo"]),
      Source(name: "Back", location: "Back", patterns: ["Omnidirectional", "Cardioid", "Stereo"]),
    ])
  package static let headsetMicrophone = SimulatedPort(
    type: "MicrophoneWired", name: "Headset Microphone", id: "Wired Microphone", channelCount: 1,
    sampleRates: [48_000, 44_100])
  /// An interface with a single sample rate.
  package static let interface = SimulatedPort(
    type: "USBAudio", name: "Interface", id: "AppleUSBAudioEngine:1", channelCount: 4,
    sampleRates: [96_000])
  /// The microphone of a Bluetooth headset, with the profile for calls.
  package static let bluetoothMicrophone = SimulatedPort(
    type: "BluetoothHFP", name: "Ear Buds", id: "00:11:22:33:44:55-tsco", channelCount: 1,
    sampleRates: [16_000])

  /// The earpiece of a phone.
  package static let receiver = SimulatedPort(
    type: "Receiver", name: "Receiver", id: "Built-In Receiver", channelCount: 1,
    sampleRates: [48_000, 44_100])
  /// The loudspeaker of a phone.
  package static let speaker = SimulatedPort(
    type: "Speaker", name: "Speaker", id: "Built-In Speaker", channelCount: 2,
    sampleRates: [48_000, 44_100])
  /// Wired headphones.
  package static let headphones = SimulatedPort(
    type: "Headphones", name: "Headphones", id: "Wired Headphones", channelCount: 2,
    sampleRates: [48_000, 44_100])
  /// Bluetooth headphones, for playback.
  package static let bluetoothHeadphones = SimulatedPort(
    type: "BluetoothA2DPOutput", name: "Ear Buds", id: "00:11:22:33:44:55-tacl", channelCount: 2,
    sampleRates: [44_100, 48_000])
  /// An AirPlay loudspeaker on the network, for playback.
  package static let airPlay = SimulatedPort(
    type: "AirPlay", name: "Living Room", id: "00:11:22:33:44:66-airplay", channelCount: 2,
    sampleRates: [44_100])
}
