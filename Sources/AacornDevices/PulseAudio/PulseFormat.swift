#if os(Linux)
import AacornSignal
import AacornSystem
import CAacornPulseAudio

/// The sample format to request.
///
/// For a source it is the source's own format where possible, since every conversion in the server
/// costs quality or time. For a sink it is the format of the samples to play.
struct PulseFormat {
  let rate: Int
  let positions: [aacorn_pulse_channel_position]
  let sample: CaptureSampleFormat
  /// The channel layout; nil if some channels are only numbered.
  let layout: ChannelLayout?

  /// Bytes per frame.
  var frameByteCount: Int { positions.count * sample.byteCount }

  /// Chooses the format for a source; `rate` and `channels` are preferences.
  init(_ source: PulseDeviceInfo, rate: Int?, channels: Int?, _ library: PulseLibrary) {
    self.rate = rate ?? source.sampleRate
    if let channels, channels != source.positions.count {
      positions = Self.defaultPositions(channels, library)
    } else {
      positions = Self.inFileOrder(source.positions)
    }
    // `CaptureSink` does not support other formats; floats lose nothing.
    sample = Self.sampleFormats.first { $0.1 == source.sampleFormat }?.0 ?? .float32
    layout = Self.layout(positions)
  }

  /// Creates the format for the samples of a feed.
  init(_ format: PlaybackFormat, _ library: PulseLibrary) {
    let channels = format.channelCount
    rate = format.sampleRate
    sample = .float32
    layout = format.layout ?? ChannelLayout.standard(channelCount: channels)
    // A single channel is sent as mono, whatever its loudspeaker: otherwise a server might use that
    // loudspeaker only.
    if channels > 1, let layout, layout.speakers.count == channels {
      positions = layout.speakers.map { Self.fileOrder[Int($0.rawValue)] }
    } else {
      positions = Self.defaultPositions(channels, library)
    }
  }

  /// Throws if no server supports these values, whatever its devices; nil is always valid.
  static func check(rate: Int?, channels: Int?, of name: String?) throws(DeviceError) {
    let id = name ?? "default"
    if let rate, !(1...384_000).contains(rate) {
      throw .unsupportedFormat(id: id, reason: "PulseAudio does not support \(rate) Hz")
    }
    if let channels, !(1...32).contains(channels) {
      throw .unsupportedFormat(id: id, reason: "PulseAudio supports 1 to 32 channels")
    }
  }

  /// The library's structure for format, rate and number of channels.
  var specification: aacorn_pulse_sample_spec {
    aacorn_pulse_sample_spec(
      format: Self.sampleFormats.first { $0.0 == sample }?.1 ?? AACORN_PULSE_SAMPLE_INVALID,
      rate: UInt32(clamping: rate),
      channels: UInt8(clamping: positions.count))
  }

  /// The library's structure for the channel positions.
  var channelMap: aacorn_pulse_channel_map {
    var map = aacorn_pulse_channel_map()
    map.channels = UInt8(clamping: positions.count)
    unsafe withUnsafeMutableBytes(of: &map.map) { bytes in
      let slots = unsafe bytes.bindMemory(to: aacorn_pulse_channel_position.self)
      for (index, position) in positions.prefix(slots.count).enumerated() {
        unsafe slots[index] = position
      }
    }
    return map
  }

  /// The sample formats in the machine's byte order, with the library's numbers.
  private static let sampleFormats: [(CaptureSampleFormat, aacorn_pulse_sample_format)] = {
    #if _endian(little)
    [
      (.int16, AACORN_PULSE_SAMPLE_S16LE), (.int24, AACORN_PULSE_SAMPLE_S24LE),
      (.int32, AACORN_PULSE_SAMPLE_S32LE), (.float32, AACORN_PULSE_SAMPLE_FLOAT32LE),
    ]
    #else
    [
      (.int16, AACORN_PULSE_SAMPLE_S16BE), (.int32, AACORN_PULSE_SAMPLE_S32BE),
      (.float32, AACORN_PULSE_SAMPLE_FLOAT32BE),
    ]
    #endif
  }()

  /// Returns the default channels for this count, in the order of WAVE files.
  private static func defaultPositions(
    _ count: Int, _ library: PulseLibrary
  ) -> [aacorn_pulse_channel_position] {
    var map = aacorn_pulse_channel_map()
    let number = UInt32(clamping: min(count, Int(AACORN_PULSE_CHANNELS_MAX)))
    _ = unsafe library.functions.pointee.channel_map_init_extend(
      &map, number, AACORN_PULSE_CHANNEL_MAP_WAVEEX)
    return channels(of: map)
  }

  /// Returns the channels of a map as an array.
  static func channels(of map: aacorn_pulse_channel_map) -> [aacorn_pulse_channel_position] {
    var map = map
    return unsafe withUnsafeBytes(of: &map.map) { bytes in
      unsafe Array(
        bytes.bindMemory(to: aacorn_pulse_channel_position.self)
          .prefix(min(Int(map.channels), Int(AACORN_PULSE_CHANNELS_MAX))))
    }
  }

  /// Returns the same channels in the order of WAVE files, so that the server sorts and mixes
  /// nothing.
  ///
  /// Numbered channels without a position stay unchanged.
  static func inFileOrder(
    _ positions: [aacorn_pulse_channel_position]
  ) -> [aacorn_pulse_channel_position] {
    let ranks = positions.compactMap { position in fileOrder.firstIndex(of: position) }
    guard ranks.count == positions.count else { return positions }
    return ranks.sorted().map { fileOrder[$0] }
  }

  /// Returns the channel layout; a single channel is in the center.
  static func layout(_ positions: [aacorn_pulse_channel_position]) -> ChannelLayout? {
    if positions.count == 1 { return ChannelLayout([.frontCenter]) }
    let speakers = positions.compactMap { position in
      fileOrder.firstIndex(of: position).flatMap { SpeakerPosition(rawValue: UInt8($0)) }
    }
    return speakers.count == positions.count ? ChannelLayout(speakers) : nil
  }

  /// The positions of a WAVE file's channel mask, from the lowest bit up.
  private static let fileOrder = [
    AACORN_PULSE_CHANNEL_FRONT_LEFT, AACORN_PULSE_CHANNEL_FRONT_RIGHT,
    AACORN_PULSE_CHANNEL_FRONT_CENTER,
    AACORN_PULSE_CHANNEL_LFE, AACORN_PULSE_CHANNEL_REAR_LEFT, AACORN_PULSE_CHANNEL_REAR_RIGHT,
    AACORN_PULSE_CHANNEL_FRONT_LEFT_OF_CENTER, AACORN_PULSE_CHANNEL_FRONT_RIGHT_OF_CENTER,
    AACORN_PULSE_CHANNEL_REAR_CENTER, AACORN_PULSE_CHANNEL_SIDE_LEFT,
    AACORN_PULSE_CHANNEL_SIDE_RIGHT,
    AACORN_PULSE_CHANNEL_TOP_CENTER, AACORN_PULSE_CHANNEL_TOP_FRONT_LEFT,
    AACORN_PULSE_CHANNEL_TOP_FRONT_CENTER,
    AACORN_PULSE_CHANNEL_TOP_FRONT_RIGHT, AACORN_PULSE_CHANNEL_TOP_REAR_LEFT,
    AACORN_PULSE_CHANNEL_TOP_REAR_CENTER, AACORN_PULSE_CHANNEL_TOP_REAR_RIGHT,
  ]
}

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
  /// Whether the device is a source that captures the audio played on a sink.
  let isMonitor: Bool
  /// Whether the server removes echo from this source.
  let isEchoCancelled: Bool
  /// The name of the source that this source filters; nil if this is not a filter, or if the server
  /// does not report the name.
  let master: String?

  private let title: String

  /// The display name, which the server provides in the user's language.
  var description: String { title.isEmpty ? name : title }

  /// Reads the library's structure for a source or sink, which is invalid after the callback.
  init(
    _ info: aacorn_pulse_device_info, for direction: DeviceDirection, _ library: PulseLibrary
  ) {
    func property(_ key: String) -> String {
      guard let list = unsafe info.proplist else { return "" }
      return unsafe System.text(library.functions.pointee.proplist_gets(list, key))
    }
    name = unsafe System.text(info.name)
    title = unsafe System.text(info.description)
    unsafe sampleRate = Int(info.sample_spec.rate)
    unsafe sampleFormat = info.sample_spec.format
    unsafe positions = PulseFormat.channels(of: info.channel_map)
    unsafe volume = info.volume
    unsafe isMonitor = direction == .capture && info.monitor != AACORN_PULSE_INVALID_INDEX
    details =
      isMonitor
      ? unsafe "audio played on \(System.text(info.monitor_name))"
      : unsafe System.text(info.active_port?.pointee.description)
    let driver = unsafe System.text(info.driver)
    // PulseAudio's filter is recognized by its driver, PipeWire's filter by its name or by the link
    // group of its nodes.
    isEchoCancelled =
      direction == .capture && !isMonitor
      && [driver, name, property("node.link-group")].contains { $0.contains("echo-cancel") }
    let master = property("device.master_device")
    self.master = master.isEmpty ? nil : master
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
