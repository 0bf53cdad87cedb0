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

  /// Sets up a unit without starting it.
  ///
  /// `device` is the device's number where devices have numbers, and `output` is the number of the
  /// playback device. `companions` are retained until the unit is closed.
  init(
    _ request: CaptureRequest, _ order: CoreAudioOrder,
    _ voiceProcessing: CoreAudioVoiceProcessing, device: UInt32? = nil, output: UInt32? = nil,
    companions: [any AnyObject & Sendable] = [],
    _ makeFeed: (CoreAudioFormat) -> CoreAudioFeed
  ) throws(DeviceError) {
    let id = order.route.device.id
    let isVoiceProcessed = request.isVoiceProcessed
    var diagnostics: [String] = []
    let instance = try Self.makeInstance(isVoiceProcessed, id, companions)

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

    let wanted = try Self.wantedFormat(instance, request, order.route.device)
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
    self.diagnostics = diagnostics
  }

  func start() throws(DeviceError) {
    try instance.start()
  }

  func close() {
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
    _ isVoiceProcessed: Bool, _ id: String, _ companions: [any AnyObject & Sendable]
  ) throws(DeviceError) -> CoreAudioInstance {
    do throws(DeviceError) {
      return try CoreAudioInstance(
        subtype: isVoiceProcessed
          ? kAudioUnitSubType_VoiceProcessingIO : CoreAudioInstance.plainSubtype,
        id: id, companions: companions)
    } catch {
      if !isVoiceProcessed { throw error }
      throw .noVoiceProcessing(reason: "the system has no voice processing unit")
    }
  }

  /// Returns the format to request, derived from the hardware's.
  private static func wantedFormat(
    _ instance: CoreAudioInstance, _ request: CaptureRequest, _ device: Device
  ) throws(DeviceError) -> CoreAudioFormat {
    let hardware = try instance.get(
      kAudioUnitProperty_StreamFormat, of: inputBus, kAudioUnitScope_Input,
      as: AudioStreamBasicDescription(), "read the hardware's format of")
    var (rate, channelCount) = (hardware.mSampleRate, Int(hardware.mChannelsPerFrame))
    if request.isVoiceProcessed && (rate < 1 || channelCount < 1) {
      // Voice processing may report its hardware only once it is initialized. The route has the
      // rate of the audio session or, on a Mac, of the device.
      (rate, channelCount) = (Double(device.sampleRate), 1)
    }
    let format = CoreAudioFormat(
      hardwareRate: rate, hardwareChannelCount: channelCount,
      wantedChannelCount: request.channelCount, isVoiceProcessed: request.isVoiceProcessed)
    guard let format else {
      throw .unsupportedFormat(id: device.id, reason: "it has no format at the moment")
    }
    return format
  }
}

/// Fetches the samples of a unit on its audio thread and passes them to the feed.
///
/// All memory is allocated before the unit starts. The unit's owner retains the renderer as long as
/// the unit can call it, from setup to disposal.
@safe
final class CoreAudioRenderer {
  private let unit: AudioUnit
  private let clock = HostClock()
  private let latency: Int64
  private let list: UnsafeMutablePointer<AudioBufferList>
  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0
  private var bytesPerFrame = 1
  private var channelCount: UInt32 = 0
  private var feed: CoreAudioFeed?
  private let mailbox: CoreAudioMailbox

  init(_ unit: AudioUnit, latency: Int64, mailbox: CoreAudioMailbox) {
    unsafe self.unit = unsafe unit
    self.latency = latency
    self.mailbox = mailbox
    unsafe list = .allocate(capacity: 1)
    unsafe list.initialize(to: AudioBufferList())
  }

  deinit {
    unsafe memory?.deallocate()
    unsafe list.deallocate()
  }

  /// Allocates memory for blocks of up to `capacity` frames, before the unit starts.
  func prepare(_ format: CoreAudioFormat, capacity: Int, feed: CoreAudioFeed) {
    unsafe memory?.deallocate()
    unsafe memory = .allocate(byteCount: capacity * format.bytesPerFrame, alignment: 16)
    self.capacity = capacity
    bytesPerFrame = format.bytesPerFrame
    channelCount = UInt32(format.channelCount)
    self.feed = feed
  }

  /// Fetches the announced block.
  private func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frameCount: UInt32
  ) -> OSStatus {
    guard let feed, let memory = unsafe memory else { return 0 }
    let wanted = Int(frameCount)
    guard wanted <= capacity else {
      feed.recordOversizedBlock(frameCount: wanted)
      mailbox.wake()
      return 0
    }
    // The unit changes the buffer's size in the list, and may substitute its own memory. So the
    // list is rewritten before each call, and read after it: a copy would still contain the
    // requested values.
    unsafe list.pointee.mNumberBuffers = 1
    unsafe list.pointee.mBuffers = unsafe AudioBuffer(
      mNumberChannels: channelCount, mDataByteSize: UInt32(wanted * bytesPerFrame), mData: memory)
    let status = unsafe AudioUnitRender(unit, flags, time, CoreAudioUnit.inputBus, frameCount, list)
    guard status == 0 else {
      feed.fail(frameCount: wanted, status: CoreAudioStatus(status))
      return status
    }
    let buffer = unsafe list.pointee.mBuffers
    guard let bytes = unsafe buffer.mData else {
      feed.fail(frameCount: wanted, status: CoreAudioStatus(-50))
      return 0
    }
    let stamp = unsafe time.pointee
    unsafe feed.take(
      bytes, frameCount: min(wanted, Int(buffer.mDataByteSize) / bytesPerFrame), of: wanted,
      count: stamp.mFlags.contains(.sampleTimeValid) ? stamp.mSampleTime : nil,
      time: stamp.mFlags.contains(.hostTimeValid) && stamp.mHostTime != 0
        ? clock.monotonicTime(of: stamp.mHostTime) - latency : nil)
    return 0
  }

  /// Called by the unit when it has captured samples.
  static let inputCallback: AURenderCallback = { context, flags, time, _, frameCount, _ in
    unsafe Unmanaged<CoreAudioRenderer>.fromOpaque(context)._withUnsafeGuaranteedRef {
      unsafe $0.render(flags, time, frameCount)
    }
  }

  /// Called by the unit when it requests samples to play: it gets silence, never the microphone.
  static let silenceCallback: AURenderCallback = { _, flags, _, _, _, list in
    unsafe flags.pointee.insert(.unitRenderAction_OutputIsSilence)
    guard let list = unsafe list else { return 0 }
    // The unit is set to play one channel, so there is one buffer.
    if unsafe list.pointee.mNumberBuffers > 0, let memory = unsafe list.pointee.mBuffers.mData {
      unsafe memory.initializeMemory(
        as: UInt8.self, repeating: 0, count: Int(list.pointee.mBuffers.mDataByteSize))
    }
    return 0
  }
}
#endif
