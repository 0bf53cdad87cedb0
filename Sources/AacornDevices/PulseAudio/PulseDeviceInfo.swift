#if os(Linux)
import CAacornPulseAudio

/// The server's report about a source or a sink, copied while it is valid.
@safe
struct PulseDeviceInfo {
  let name: String
  let details: String
  let sampleRate: Int
  let sampleFormat: aacorn_pulse_sample_format
  /// The position of each channel.
  let positions: [aacorn_pulse_channel_position]
  let volume: aacorn_pulse_cvolume
  /// Whether this is a source that captures the audio played on a sink.
  let isMonitor: Bool
  /// Whether the server removes echo from this source.
  let isEchoCancelled: Bool
  /// The name of the source that this source filters; nil if this is not a filter, or if the server
  /// does not report the name.
  let master: String?

  private let title: String

  /// The display name, which the server provides in the user's language.
  var description: String { title.isEmpty ? name : title }

  /// Reads the library's structure for a source, which is invalid after the callback.
  init(_ info: aacorn_pulse_source_info, _ library: PulseLibrary) {
    func property(_ key: String) -> String {
      guard let list = unsafe info.proplist else { return "" }
      return unsafe PulseLibrary.text(library.functions.pointee.proplist_gets(list, key))
    }
    name = unsafe PulseLibrary.text(info.name)
    title = unsafe PulseLibrary.text(info.description)
    unsafe sampleRate = Int(info.sample_spec.rate)
    unsafe sampleFormat = info.sample_spec.format
    unsafe positions = PulseFormat.channels(of: info.channel_map)
    unsafe volume = info.volume
    unsafe isMonitor = info.monitor_of_sink != AACORN_PULSE_INVALID_INDEX
    details =
      isMonitor
      ? unsafe "audio played on \(PulseLibrary.text(info.monitor_of_sink_name))"
      : unsafe PulseLibrary.text(info.active_port?.pointee.description)
    let driver = unsafe PulseLibrary.text(info.driver)
    // PulseAudio's filter is recognized by its driver, PipeWire's filter by its name or by the link
    // group of its nodes.
    isEchoCancelled =
      !isMonitor
      && [driver, name, property("node.link-group")].contains { $0.contains("echo-cancel") }
    let master = property("device.master_device")
    self.master = master.isEmpty ? nil : master
  }

  /// Reads the library's structure for a sink, which is invalid after the callback.
  init(_ info: aacorn_pulse_sink_info) {
    name = unsafe PulseLibrary.text(info.name)
    title = unsafe PulseLibrary.text(info.description)
    unsafe sampleRate = Int(info.sample_spec.rate)
    unsafe sampleFormat = info.sample_spec.format
    unsafe positions = PulseFormat.channels(of: info.channel_map)
    unsafe volume = info.volume
    (isMonitor, isEchoCancelled, master) = (false, false, nil)
    details = unsafe PulseLibrary.text(info.active_port?.pointee.description)
  }

  /// Returns the source or sink as a device.
  func device(isDefault: Bool) -> Device {
    Device(
      backend: .pulseAudio, id: name, name: description, details: details,
      channelCount: positions.count, sampleRate: sampleRate, isDefault: isDefault,
      isMonitor: isMonitor)
  }

  /// The format that a sink plays without conversion, with the channels in the order of WAVE files.
  var playbackFormat: PlaybackFormat {
    PlaybackFormat(
      sampleRate: sampleRate, channelCount: positions.count,
      layout: PulseFormat.layout(PulseFormat.inFileOrder(positions)))
  }
}
#endif
