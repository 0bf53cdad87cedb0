#if os(Linux)
import AacornSignal
import AacornSystem
import CAacornALSA

/// The settings of an open device.
@safe
struct ALSASetup {
  /// The format of the device's samples.
  private(set) var format = CaptureSampleFormat.int16
  /// Whether each sample is the lower 24 bits of a 32-bit word.
  private(set) var isPadded = false
  /// The number of significant bits in a sample.
  private(set) var significantBitCount = 0
  private(set) var channelCount = 0
  /// The channel layout, if the device reports one.
  private(set) var layout: ChannelLayout?
  private(set) var sampleRate = 0
  /// The number of frames to read or write at a time.
  private(set) var blockFrameCount = 0
  /// The maximum time between two positions of the device, in nanoseconds.
  private(set) var period: Int64 = 0
  /// The capacity of the device's buffer, in frames.
  private(set) var bufferFrameCount = 0
  /// Whether the device continues after an overrun, so that the loss can be measured.
  private(set) var countsOverruns = false

  /// The number of bits of the integers to write; unused if the samples are not integers.
  var integerBitCount: Int {
    switch format {
    case .int16: 16
    case .int24: 24
    case .int32, .float32: isPadded ? 24 : 32
    }
  }

  private let library: ALSALibrary
  private let pcm: OpaquePointer

  /// Sets up a device with settings as close to the requested ones as possible.
  init(
    of pcm: OpaquePointer, for requested: ALSAParameters, id: String, _ library: ALSALibrary
  ) throws(DeviceError) {
    self.library = library
    unsafe self.pcm = unsafe pcm
    var hardware: OpaquePointer?
    var software: OpaquePointer?
    _ = unsafe library.functions.pointee.pcm_hw_params_malloc(&hardware)
    _ = unsafe library.functions.pointee.pcm_sw_params_malloc(&software)
    defer {
      unsafe library.functions.pointee.pcm_hw_params_free(hardware)
      unsafe library.functions.pointee.pcm_sw_params_free(software)
    }
    guard let hardware = unsafe hardware, let software = unsafe software else {
      throw .system(operation: "set up", id: id, reason: "out of memory")
    }
    // Try the device's own rates first, since a plug-in's conversion is of unknown quality. The
    // period is only a preference, so the last attempt omits it.
    do {
      try unsafe set(hardware, to: requested, of: id, isResampling: false, hasPeriod: true)
    } catch {
      do {
        try unsafe set(hardware, to: requested, of: id, isResampling: true, hasPeriod: true)
      } catch {
        try unsafe set(hardware, to: requested, of: id, isResampling: true, hasPeriod: false)
      }
    }
    try unsafe set(software, for: requested.direction, of: id)
    layout = unsafe ALSAChannels.layout(of: pcm, channelCount, library)
  }

  private func check(_ code: Int32, _ id: String) throws(DeviceError) {
    if code < 0 { throw library.error(code, in: "set up", of: id) }
  }

  // MARK: Hardware parameters

  private mutating func set(
    _ parameters: OpaquePointer, to requested: ALSAParameters, of id: String, isResampling: Bool,
    hasPeriod: Bool
  ) throws(DeviceError) {
    let alsa = unsafe library.functions.pointee
    aacorn_alsa_forget_complaint()
    try check(unsafe alsa.pcm_hw_params_any(pcm, parameters), id)
    _ = unsafe alsa.pcm_hw_params_set_rate_resample(pcm, parameters, isResampling ? 1 : 0)
    try check(
      unsafe alsa.pcm_hw_params_set_access(
        pcm, parameters, UInt32(AACORN_ALSA_ACCESS_RW_INTERLEAVED)), id)
    try unsafe setFormat(parameters, for: requested.direction, of: id)
    try unsafe setChannels(parameters, to: requested, of: id)
    var rate = UInt32(clamping: requested.sampleRate ?? 48000)
    try check(unsafe alsa.pcm_hw_params_set_rate_near(pcm, parameters, &rate, nil), id)
    sampleRate = Int(rate)
    if requested.isExact, let wanted = requested.sampleRate, wanted != sampleRate {
      throw .unsupportedFormat(id: id, reason: "it runs at \(sampleRate) Hz, not at \(wanted)")
    }

    // If only the period were set, a plug-in would choose the buffer size, and some plug-ins
    // allocate ten seconds.
    var period = UInt(requested.block.sampleCount(at: sampleRate))
    var buffer = UInt(requested.buffer.sampleCount(at: sampleRate))
    blockFrameCount = max(1, Int(period))
    if hasPeriod {
      _ = unsafe alsa.pcm_hw_params_set_period_size_near(pcm, parameters, &period, nil)
    }
    _ = unsafe alsa.pcm_hw_params_set_buffer_size_near(pcm, parameters, &buffer)
    try check(unsafe alsa.pcm_hw_params(pcm, parameters), id)
    _ = unsafe alsa.pcm_hw_params_get_buffer_size(parameters, &buffer)
    bufferFrameCount = max(2, Int(clamping: buffer))
    blockFrameCount = min(blockFrameCount, bufferFrameCount / 2)
    _ = unsafe alsa.pcm_hw_params_get_period_size(parameters, &period, nil)
    self.period = ALSATimeline.nanoseconds(
      min(Int(clamping: period), bufferFrameCount), sampleRate)
    significantBitCount = Int(unsafe alsa.pcm_hw_params_get_sbits(parameters))
  }

  private mutating func setFormat(
    _ parameters: OpaquePointer, for direction: DeviceDirection, of id: String
  ) throws(DeviceError) {
    var choices: [(Int, CaptureSampleFormat, isPadded: Bool)] = [
      (AACORN_ALSA_FORMAT_S32, .int32, false), (AACORN_ALSA_FORMAT_S24_3LE, .int24, false),
      (AACORN_ALSA_FORMAT_S24, .int32, true), (AACORN_ALSA_FORMAT_S16, .int16, false),
    ]
    // Captured samples should stay in the card's format; samples to play are floating point
    // already.
    let float = (AACORN_ALSA_FORMAT_FLOAT, CaptureSampleFormat.float32, isPadded: false)
    choices.insert(float, at: direction == .playback ? 0 : choices.count)
    let alsa = unsafe library.functions.pointee
    for (number, format, isPadded) in choices {
      guard unsafe alsa.pcm_hw_params_test_format(pcm, parameters, Int32(number)) == 0 else {
        continue
      }
      try check(unsafe alsa.pcm_hw_params_set_format(pcm, parameters, Int32(number)), id)
      self.format = format
      self.isPadded = isPadded
      return
    }
    throw .unsupportedFormat(
      id: id,
      reason: "it supports none of the usual sample formats; if it is a sound card, try "
        + "“plug\(id)”")
  }

  private mutating func setChannels(
    _ parameters: OpaquePointer, to requested: ALSAParameters, of id: String
  ) throws(DeviceError) {
    let alsa = unsafe library.functions.pointee
    var minimum: UInt32 = 0
    var maximum: UInt32 = 0
    try check(unsafe alsa.pcm_hw_params_get_channels_min(parameters, &minimum), id)
    try check(unsafe alsa.pcm_hw_params_get_channels_max(parameters, &maximum), id)
    // Limit the channel count to 64: plug-ins offer thousands of channels, which no hardware has.
    let range = max(1, Int(minimum))...max(1, Int(minimum), min(Int(maximum), 64))
    let isHardware = unsafe alsa.pcm_type(pcm) == UInt32(AACORN_ALSA_TYPE_HW)
    let choices = Self.channelChoices(requested.channelCount, in: range, isHardware: isHardware)
    for count in choices where !requested.isExact || count == requested.channelCount {
      let isPossible = unsafe alsa.pcm_hw_params_test_channels(pcm, parameters, UInt32(count)) == 0
      guard isPossible else { continue }
      try check(unsafe alsa.pcm_hw_params_set_channels(pcm, parameters, UInt32(count)), id)
      channelCount = count
      return
    }
    if requested.isExact, let wanted = requested.channelCount {
      let counts = range.count == 1 ? "" : "\(range.lowerBound) to "
      throw .unsupportedFormat(
        id: id, reason: "it has \(counts)\(range.upperBound) channels, not \(wanted)")
    }
    throw .unsupportedFormat(
      id: id, reason: "it supports no channel count that Aacorn can use")
  }

  /// Returns the channel counts to try, best first.
  ///
  /// The requested count is first. Higher counts follow, because the needed channels can be
  /// selected from them, then lower counts. By default a card provides all its channels; a plug-in,
  /// which would accept any number, provides two.
  static func channelChoices(
    _ wanted: Int?, in range: ClosedRange<Int>, isHardware: Bool
  ) -> [Int] {
    let best = wanted ?? (isHardware ? range.upperBound : 2)
    return range.filter { $0 >= best } + range.filter { $0 < best }.reversed()
  }

  // MARK: Software parameters

  private mutating func set(
    _ parameters: OpaquePointer, for direction: DeviceDirection, of id: String
  ) throws(DeviceError) {
    let alsa = unsafe library.functions.pointee
    try check(unsafe alsa.pcm_sw_params_current(pcm, parameters), id)
    _ = unsafe alsa.pcm_sw_params_set_avail_min(pcm, parameters, UInt(blockFrameCount))
    _ = unsafe alsa.pcm_sw_params_set_tstamp_mode(
      pcm, parameters, UInt32(AACORN_ALSA_TSTAMP_ENABLE))
    _ = unsafe alsa.pcm_sw_params_set_tstamp_type(
      pcm, parameters, UInt32(AACORN_ALSA_TSTAMP_TYPE_MONOTONIC))
    if direction == .playback {
      // The device starts when the buffer is full; it stops when empty by default.
      _ = unsafe alsa.pcm_sw_params_set_start_threshold(
        pcm, parameters, UInt(bufferFrameCount))
      return try check(unsafe alsa.pcm_sw_params(pcm, parameters), id)
    }
    // If a device never stops, its position shows the number of frames lost in an overrun. Plug-ins
    // that copy from another device would copy overwritten samples, so with them an overrun must
    // stop the device.
    var boundary: UInt = 0
    let type = unsafe alsa.pcm_type(pcm)
    let continuesAfterOverrun = [AACORN_ALSA_TYPE_HW, AACORN_ALSA_TYPE_IOPLUG].contains(Int(type))
    if continuesAfterOverrun, unsafe alsa.pcm_sw_params_get_boundary(parameters, &boundary) >= 0 {
      countsOverruns = unsafe alsa.pcm_sw_params_set_stop_threshold(pcm, parameters, boundary) >= 0
    }
    try check(unsafe alsa.pcm_sw_params(pcm, parameters), id)
  }
}

/// The requested settings of a device.
struct ALSAParameters: Sendable {
  var direction: DeviceDirection
  /// Frames per second; nil means the device's own rate.
  var sampleRate: Int?
  /// Samples per frame; nil means the device's own channel count.
  var channelCount: Int?
  /// Whether the requested rate and channel count are required.
  var isExact: Bool
  /// The duration of the frames that are moved at a time.
  var block: Duration
  /// The duration of the device's buffer.
  var buffer: Duration

  /// Creates the settings for a capture.
  ///
  /// A short block keeps the latency low; a long buffer tolerates a late program.
  init(_ request: CaptureRequest) {
    direction = .capture
    sampleRate = request.sampleRate
    channelCount = request.channelCount
    isExact = false
    block = min(max(request.blockDuration, .milliseconds(2)), .milliseconds(100))
    buffer = max(block * 8, .milliseconds(250))
  }

  /// Creates the settings for a playback, where the full buffer determines the latency.
  init(_ request: PlaybackRequest, _ format: PlaybackFormat) {
    direction = .playback
    sampleRate = format.sampleRate
    channelCount = format.channelCount
    isExact = true
    buffer = min(max(request.latency, .milliseconds(4)), .seconds(2))
    block = min(buffer / 4, .milliseconds(100))
  }
}
#endif
