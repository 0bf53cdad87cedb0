#if canImport(AudioToolbox) && !os(watchOS)
import AacornSystem
import AudioToolbox

/// A capturing audio unit: its setup, and then its stream.
final class CoreAudioUnit: CoreAudioStream {
  /// The unit's microphone side.
  static let inputBus: AudioUnitElement = 1
  /// Its loudspeaker side.
  static let outputBus: AudioUnitElement = 0

  let feed: CoreAudioFeed
  let remarks: [String]
  private let instance: CoreAudioInstance
  /// Objects that must live exactly as long as the unit is open.
  private var companions: [any AnyObject & Sendable]

  /// Sets up a unit without starting it.
  ///
  /// `device` is the device's number where devices have one, and `companions` are kept until the
  /// unit is closed.
  init(
    _ order: CoreAudioOrder, device: UInt32? = nil, companions: [any AnyObject & Sendable] = [],
    _ makeFeed: (CoreAudioFormat) -> CoreAudioFeed
  ) throws(CaptureError) {
    let request = order.request
    let id = order.route.device.id
    let isVoiceProcessed = request.isVoiceProcessed
    var remarks: [String] = []
    let instance = try Self.makeInstance(isVoiceProcessed, id)

    // Without the output side, voice processing would not know what the loudspeaker plays and could
    // not remove it. Otherwise nothing is ever played.
    try instance.set(
      kAudioOutputUnitProperty_EnableIO, of: Self.inputBus, kAudioUnitScope_Input,
      to: UInt32(1), "capture from")
    try instance.set(
      kAudioOutputUnitProperty_EnableIO, of: Self.outputBus, kAudioUnitScope_Output,
      to: UInt32(isVoiceProcessed ? 1 : 0), "leave the output of")
    #if os(macOS)
    if let device {
      // The device can be chosen only after the sides; voice processing has one for each.
      try instance.set(
        kAudioOutputUnitProperty_CurrentDevice,
        of: isVoiceProcessed ? Self.inputBus : Self.outputBus, kAudioUnitScope_Global,
        to: device, "choose")
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
    do throws(CaptureError) {
      try instance.set(
        kAudioUnitProperty_ShouldAllocateBuffer, of: Self.inputBus, kAudioUnitScope_Output,
        to: UInt32(0), "save a buffer of")
    } catch {
      remarks.append(error.sentence)
    }
    let frameCount = wanted.largestFrameCount(
      milliseconds: request.blockDuration.milliseconds, needed: order.neededFrameCount)
    try instance.set(
      kAudioUnitProperty_MaximumFramesPerSlice, of: 0, kAudioUnitScope_Global,
      to: UInt32(frameCount), "set the block length of")
    let renderer = try instance.attachRenderer(
      latency: order.route.latency, mailbox: order.mailbox, playsSilence: isVoiceProcessed)
    try instance.initialize()

    // The unit's actual settings count, whatever was requested.
    let description = try instance.get(
      kAudioUnitProperty_StreamFormat, of: Self.inputBus, kAudioUnitScope_Output,
      as: AudioStreamBasicDescription(), "read the format of")
    guard let format = CoreAudioFormat(description) else {
      throw .unsupportedFormat(id: id, reason: "the unit does not deliver single precision")
    }
    let capacity = try instance.get(
      kAudioUnitProperty_MaximumFramesPerSlice, of: 0, kAudioUnitScope_Global,
      as: UInt32(0), "read the block length of")
    if let rate = request.sampleRate, rate != format.sampleRate {
      remarks.append("The device runs at \(format.sampleRate) Hz, not at \(rate) Hz.")
    }
    feed = makeFeed(format)
    renderer.prepare(format, capacity: min(Int(capacity), 1 << 20), feed: feed)
    self.instance = instance
    self.companions = companions
    self.remarks = remarks
  }

  func start() throws(CaptureError) {
    try instance.start()
  }

  func close() {
    companions.removeAll()
    instance.dispose()
  }

  private static func makeInstance(
    _ isVoiceProcessed: Bool, _ id: String
  ) throws(CaptureError) -> CoreAudioInstance {
    if isVoiceProcessed {
      do throws(CaptureError) {
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

  /// The format to request, derived from the hardware's.
  private static func wantedFormat(
    _ instance: CoreAudioInstance, _ order: CoreAudioOrder
  ) throws(CaptureError) -> CoreAudioFormat {
    let hardware = try instance.get(
      kAudioUnitProperty_StreamFormat, of: inputBus, kAudioUnitScope_Input,
      as: AudioStreamBasicDescription(), "read the hardware's format of")
    let format = CoreAudioFormat(
      hardwareRate: hardware.mSampleRate, hardwareChannelCount: Int(hardware.mChannelsPerFrame),
      wantedChannelCount: order.request.channelCount,
      isVoiceProcessed: order.request.isVoiceProcessed)
    guard let format else {
      throw .unsupportedFormat(id: order.route.device.id, reason: "it has no format at the moment")
    }
    return format
  }
}
#endif
