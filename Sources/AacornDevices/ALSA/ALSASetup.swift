#if os(Linux)
import AacornSignal
import AacornSystem
import CAacornALSA

/// The settings of an open device.
@safe
struct ALSASetup {
  /// The format of its samples.
  private(set) var format = CaptureSampleFormat.int16
  /// Whether the 24 bits are the lower part of 32.
  private(set) var isPadded = false
  /// Significant bits of a sample.
  private(set) var significantBitCount = 0
  private(set) var channelCount = 0
  /// What each channel is, if the device says so.
  private(set) var layout: ChannelLayout?
  private(set) var sampleRate = 0
  /// Frames to read at a time.
  private(set) var blockFrameCount = 0
  /// Frames that fit into the device's buffer.
  private(set) var bufferFrameCount = 0
  /// Whether the device continues after an overrun, so that the loss can be measured.
  private(set) var countsOverruns = false

  private let library: ALSALibrary
  private let pcm: OpaquePointer

  /// Sets up a device as close to a request as possible.
  init(
    of pcm: OpaquePointer, for request: CaptureRequest, id: String, _ library: ALSALibrary
  ) throws(CaptureError) {
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
    // The device's own rates come first, since a plug-in's conversion is of unknown quality; the
    // period is only a preference.
    do {
      try unsafe set(hardware, request, id, isResampling: false, hasPeriod: true)
    } catch {
      do {
        try unsafe set(hardware, request, id, isResampling: true, hasPeriod: true)
      } catch {
        try unsafe set(hardware, request, id, isResampling: true, hasPeriod: false)
      }
    }
    try unsafe set(software, id)
    layout = unsafe ALSAChannels.layout(of: pcm, channelCount, library)
  }

  private func check(_ code: Int32, _ id: String) throws(CaptureError) {
    if code < 0 { throw library.error(code, in: "set up", of: id) }
  }

  // MARK: Hardware parameters

  private mutating func set(
    _ parameters: OpaquePointer, _ request: CaptureRequest, _ id: String, isResampling: Bool,
    hasPeriod: Bool
  ) throws(CaptureError) {
    let alsa = unsafe library.functions.pointee
    aacorn_alsa_forget_complaint()
    try check(unsafe alsa.pcm_hw_params_any(pcm, parameters), id)
    _ = unsafe alsa.pcm_hw_params_set_rate_resample(pcm, parameters, isResampling ? 1 : 0)
    try check(
      unsafe alsa.pcm_hw_params_set_access(
        pcm, parameters, UInt32(AACORN_ALSA_ACCESS_RW_INTERLEAVED)), id)
    try unsafe setFormat(parameters, id)
    try unsafe setChannels(parameters, request.channelCount, id)
    var rate = UInt32(clamping: request.sampleRate ?? 48000)
    try check(unsafe alsa.pcm_hw_params_set_rate_near(pcm, parameters, &rate, nil), id)
    sampleRate = Int(rate)

    // A few frames at a time keep the delay low; a long buffer forgives a program that is late.
    // A period alone would leave the buffer to the plug-in, and some take ten seconds of it.
    let block = min(max(request.blockDuration, .milliseconds(2)), .milliseconds(100))
    var period = UInt(block.sampleCount(at: sampleRate))
    var buffer = max(8 * period, UInt(sampleRate / 4))
    blockFrameCount = max(1, Int(period))
    if hasPeriod {
      _ = unsafe alsa.pcm_hw_params_set_period_size_near(pcm, parameters, &period, nil)
    }
    _ = unsafe alsa.pcm_hw_params_set_buffer_size_near(pcm, parameters, &buffer)
    try check(unsafe alsa.pcm_hw_params(pcm, parameters), id)
    _ = unsafe alsa.pcm_hw_params_get_buffer_size(parameters, &buffer)
    bufferFrameCount = max(2, Int(clamping: buffer))
    blockFrameCount = min(blockFrameCount, bufferFrameCount / 2)
    significantBitCount = Int(unsafe alsa.pcm_hw_params_get_sbits(parameters))
  }

  private mutating func setFormat(
    _ parameters: OpaquePointer, _ id: String
  ) throws(CaptureError) {
    let choices: [(Int, CaptureSampleFormat, isPadded: Bool)] = [
      (AACORN_ALSA_FORMAT_S32, .int32, false), (AACORN_ALSA_FORMAT_S24_3LE, .int24, false),
      (AACORN_ALSA_FORMAT_S24, .int32, true), (AACORN_ALSA_FORMAT_S16, .int16, false),
      (AACORN_ALSA_FORMAT_FLOAT, .float32, false),
    ]
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
    _ parameters: OpaquePointer, _ wanted: Int?, _ id: String
  ) throws(CaptureError) {
    let alsa = unsafe library.functions.pointee
    var least: UInt32 = 0
    var most: UInt32 = 0
    try check(unsafe alsa.pcm_hw_params_get_channels_min(parameters, &least), id)
    try check(unsafe alsa.pcm_hw_params_get_channels_max(parameters, &most), id)
    // Plug-ins offer thousands of made-up channels.
    let range = max(1, Int(least))...max(1, Int(least), min(Int(most), 64))
    let isHardware = unsafe alsa.pcm_type(pcm) == UInt32(AACORN_ALSA_TYPE_HW)
    for count in Self.channelChoices(wanted, in: range, isHardware: isHardware) {
      let isPossible = unsafe alsa.pcm_hw_params_test_channels(pcm, parameters, UInt32(count)) == 0
      guard isPossible else { continue }
      try check(unsafe alsa.pcm_hw_params_set_channels(pcm, parameters, UInt32(count)), id)
      channelCount = count
      return
    }
    throw .unsupportedFormat(
      id: id, reason: "it supports no number of channels that Aacorn can use")
  }

  /// The channel counts to try, best first.
  ///
  /// The wanted count comes first, then higher ones to choose from, then lower ones. By default a
  /// card gives all its channels; a plug-in, which would make up any number, gives two.
  static func channelChoices(
    _ wanted: Int?, in range: ClosedRange<Int>, isHardware: Bool
  ) -> [Int] {
    let best = wanted ?? (isHardware ? range.upperBound : 2)
    return range.filter { $0 >= best } + range.filter { $0 < best }.reversed()
  }

  // MARK: Software parameters

  private mutating func set(_ parameters: OpaquePointer, _ id: String) throws(CaptureError) {
    let alsa = unsafe library.functions.pointee
    try check(unsafe alsa.pcm_sw_params_current(pcm, parameters), id)
    _ = unsafe alsa.pcm_sw_params_set_avail_min(pcm, parameters, UInt(blockFrameCount))
    _ = unsafe alsa.pcm_sw_params_set_tstamp_mode(
      pcm, parameters, UInt32(AACORN_ALSA_TSTAMP_ENABLE))
    _ = unsafe alsa.pcm_sw_params_set_tstamp_type(
      pcm, parameters, UInt32(AACORN_ALSA_TSTAMP_TYPE_MONOTONIC))
    // If a device never stops, its position shows how much an overrun has cost. Plug-ins that copy
    // from another device would copy overwritten samples; there an overrun must stop the device.
    var boundary: UInt = 0
    let type = unsafe alsa.pcm_type(pcm)
    let mayGoOn = [AACORN_ALSA_TYPE_HW, AACORN_ALSA_TYPE_IOPLUG].contains(Int(type))
    if mayGoOn, unsafe alsa.pcm_sw_params_get_boundary(parameters, &boundary) >= 0 {
      countsOverruns = unsafe alsa.pcm_sw_params_set_stop_threshold(pcm, parameters, boundary) >= 0
    }
    try check(unsafe alsa.pcm_sw_params(pcm, parameters), id)
  }
}
#endif
