#if os(Linux)
import CAacornPulseAudio

/// The server's report about a sink, copied while it is valid.
@safe
struct PulseSinkInfo {
  let name: String
  let index: UInt32
  let details: String
  let sampleRate: Int
  /// The position of each channel.
  let positions: [aacorn_pulse_channel_position]

  private let title: String

  /// The display name, which the server provides in the user's language.
  var description: String { title.isEmpty ? name : title }

  /// Reads the library's structure, which is invalid after the callback.
  init(_ info: aacorn_pulse_sink_info) {
    name = unsafe PulseLibrary.text(info.name)
    unsafe index = info.index
    title = unsafe PulseLibrary.text(info.description)
    unsafe sampleRate = Int(info.sample_spec.rate)
    unsafe positions = PulseFormat.channels(of: info.channel_map)
    if let port = unsafe info.active_port {
      details = unsafe PulseLibrary.text(port.pointee.description)
    } else {
      details = ""
    }
  }

  /// Returns the sink as a playback device.
  func device(isDefault: Bool) -> Device {
    Device(
      backend: .pulseAudio, id: name, name: description, details: details,
      channelCount: positions.count, sampleRate: sampleRate, isDefault: isDefault)
  }

  /// The format that the sink plays without conversion, with the channels in the order of WAVE
  /// files.
  var format: PlaybackFormat {
    PlaybackFormat(
      sampleRate: sampleRate, channelCount: positions.count,
      layout: PulseFormat.layout(PulseFormat.inFileOrder(positions)))
  }
}
#endif
