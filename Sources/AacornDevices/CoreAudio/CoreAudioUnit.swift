#if canImport(AudioToolbox) && !os(watchOS)
import AacornSystem
import AudioToolbox

/// A capturing audio unit: its setup and its stream.
final class CoreAudioUnit: CoreAudioStream {
  /// The bus of the unit's microphone side.
  static let inputBus: AudioUnitElement = 1
  /// The bus of the unit's loudspeaker side.
  static let outputBus: AudioUnitElement = 0

  let feed: CoreAudioFeed
  let diagnostics: [String]
  private let instance: CoreAudioInstance
  /// Objects that must live exactly as long as the unit is open.
  private var companions: [any AnyObject & Sendable]

  /// Sets up a unit without starting it.
  ///
  /// `device` is the device's number where devices have numbers, and `output` is the number of the
  /// playback device. `companions` are retained until the unit is closed.
  init(
    _ order: CoreAudioOrder, _ voiceProcessing: CoreAudioVoiceProcessing, device: UInt32? = nil,
    output: UInt32? = nil, companions: [any AnyObject & Sendable] = [],
    _ makeFeed: (CoreAudioFormat) -> CoreAudioFeed
  ) throws(DeviceError) {
    let request = order.request
    let id = order.route.device.id
    let isVoiceProcessed = request.isVoiceProcessed
    var diagnostics: [String] = []
    let instance = try Self.makeInstance(isVoiceProcessed, id)

    try Self.enableSides(of: instance, isVoiceProcessed)
    #if os(macOS)
    // The device can be set only after the input and the output side have been switched on or off.
    // Voice processing has one device per side, and joins both into its own device.
    if let device {
      try instance.set(
        kAudioOutputUnitProperty_CurrentDevice,
        of: isVoiceProcessed ? Self.inputBus : Self.outputBus, kAudioUnitScope_Global,
        to: device, "choose")
    }
    if let output, isVoiceProcessed {
      do throws(DeviceError) {
        try instance.set(
          kAudioOutputUnitProperty_CurrentDevice, of: Self.outputBus, kAudioUnitScope_Global,
          to: output, "choose the output for")
      } catch {
        // Without this setting, the unit plays on the default device.
        diagnostics.append(error.message)
      }
    }
    #endif

    let wanted = try Self.wantedFormat(instance, order)
    try instance.set(
      kAudioUnitProperty_StreamFormat, of: Self.inputBus, kAudioUnitScope_Output,
      to: wanted.streamDescription, "set the format of")
    if isVoiceProcessed {
      try instance.set(
        kAudioUnitProperty_StreamFormat, of: Self.outputBus, kAudioUnitScope_Input,
        to: wanted.streamDescription, "set the output format of")
    }
    do throws(DeviceError) {
      try instance.set(
        kAudioUnitProperty_ShouldAllocateBuffer, of: Self.inputBus, kAudioUnitScope_Output,
        to: UInt32(0), "avoid a buffer of")
    } catch {
      diagnostics.append(error.message)
    }
    let frameCount = wanted.largestFrameCount(
      milliseconds: request.blockDuration.milliseconds, needed: order.neededFrameCount)
    try instance.set(
      kAudioUnitProperty_MaximumFramesPerSlice, of: 0, kAudioUnitScope_Global,
      to: UInt32(frameCount), "set the block length of")
    let renderer = try instance.attachRenderer(
      latency: order.route.latency, mailbox: order.mailbox, playsSilence: isVoiceProcessed)
    try instance.initialize()
    if isVoiceProcessed { diagnostics += instance.apply(voiceProcessing) }

    // Use the unit's actual format, which may differ from the requested one.
    let description = try instance.get(
      kAudioUnitProperty_StreamFormat, of: Self.inputBus, kAudioUnitScope_Output,
      as: AudioStreamBasicDescription(), "read the format of")
    guard let format = CoreAudioFormat(description) else {
      throw .unsupportedFormat(id: id, reason: "the audio unit does not deliver 32-bit float")
    }
    let capacity = try instance.get(
      kAudioUnitProperty_MaximumFramesPerSlice, of: 0, kAudioUnitScope_Global,
      as: UInt32(0), "read the block length of")
    if let rate = request.sampleRate, rate != format.sampleRate {
      diagnostics.append("The device runs at \(format.sampleRate) Hz, not at \(rate) Hz.")
    }
    feed = makeFeed(format)
    renderer.prepare(format, capacity: min(Int(capacity), 1 << 20), feed: feed)
    self.instance = instance
    self.companions = companions
    self.diagnostics = diagnostics
  }

  func start() throws(DeviceError) {
    try instance.start()
  }

  func close() {
    companions.removeAll()
    instance.dispose()
  }

  /// Switches the unit's sides on or off.
  ///
  /// Voice processing needs the output side, which provides the loudspeaker signal to remove.
  /// Without voice processing a capturing unit never plays.
  private static func enableSides(
    of instance: CoreAudioInstance, _ isVoiceProcessed: Bool
  ) throws(DeviceError) {
    do throws(DeviceError) {
      try instance.set(
        kAudioOutputUnitProperty_EnableIO, of: inputBus, kAudioUnitScope_Input,
        to: UInt32(1), "capture from")
      try instance.set(
        kAudioOutputUnitProperty_EnableIO, of: outputBus, kAudioUnitScope_Output,
        to: UInt32(isVoiceProcessed ? 1 : 0), "set up the output of")
    } catch {
      // On a Mac, both sides of voice processing are always on, and cannot be set. If samples do
      // not arrive for another reason, the control detects their absence.
      if !isVoiceProcessed { throw error }
    }
  }

  private static func makeInstance(
    _ isVoiceProcessed: Bool, _ id: String
  ) throws(DeviceError) -> CoreAudioInstance {
    if isVoiceProcessed {
      do throws(DeviceError) {
        return try CoreAudioInstance(subtype: kAudioUnitSubType_VoiceProcessingIO, id: id)
      } catch {
        throw .noVoiceProcessing(reason: "the system has no voice processing unit")
      }
    }
    #if os(macOS)
    return try CoreAudioInstance(subtype: kAudioUnitSubType_HALOutput, id: id)
    #else
    return try CoreAudioInstance(subtype: kAudioUnitSubType_RemoteIO, id: id)
    #endif
  }

  /// Returns the format to request, derived from the hardware's.
  private static func wantedFormat(
    _ instance: CoreAudioInstance, _ order: CoreAudioOrder
  ) throws(DeviceError) -> CoreAudioFormat {
    let hardware = try instance.get(
      kAudioUnitProperty_StreamFormat, of: inputBus, kAudioUnitScope_Input,
      as: AudioStreamBasicDescription(), "read the hardware's format of")
    var (rate, channelCount) = (hardware.mSampleRate, Int(hardware.mChannelsPerFrame))
    if order.request.isVoiceProcessed && (rate < 1 || channelCount < 1) {
      // Voice processing may report its hardware only once it is initialized. The route has the
      // rate of the audio session or, on a Mac, of the device.
      (rate, channelCount) = (Double(order.route.device.sampleRate), 1)
    }
    let format = CoreAudioFormat(
      hardwareRate: rate, hardwareChannelCount: channelCount,
      wantedChannelCount: order.request.channelCount,
      isVoiceProcessed: order.request.isVoiceProcessed)
    guard let format else {
      throw .unsupportedFormat(id: order.route.device.id, reason: "it has no format at the moment")
    }
    return format
  }
}
#endif
