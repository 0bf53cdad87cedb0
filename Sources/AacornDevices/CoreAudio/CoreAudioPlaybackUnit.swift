#if canImport(AudioToolbox) && !os(watchOS)
import AacornSystem
import AudioToolbox

/// A playing audio unit: its setup and its stream.
final class CoreAudioPlaybackUnit: CoreAudioStream {
  let feed: CoreAudioFeedRenderer
  /// Empty: the unit converts formats that the device cannot play.
  let diagnostics: [String] = []
  private let instance: CoreAudioInstance
  /// The latency of the unit itself, in nanoseconds.
  private let unitLatency: Int64

  /// Sets up a unit without starting it.
  ///
  /// `device` is the device's number where devices have numbers. `companions` are retained until
  /// the unit is closed.
  init(
    _ request: PlaybackRequest, _ order: CoreAudioPlaybackOrder, device: UInt32? = nil,
    companions: [any AnyObject & Sendable] = [],
    _ makeRenderer: (Int, Int64) -> CoreAudioFeedRenderer
  ) throws(DeviceError) {
    let id = order.route.device.id
    let instance = try CoreAudioInstance(
      subtype: CoreAudioInstance.plainSubtype, id: id, companions: companions)
    try instance.set(
      kAudioOutputUnitProperty_EnableIO, of: CoreAudioUnit.inputBus, kAudioUnitScope_Input,
      to: UInt32(0), "disable the input of")
    try instance.set(
      kAudioOutputUnitProperty_EnableIO, of: CoreAudioUnit.outputBus, kAudioUnitScope_Output,
      to: UInt32(1), "play on")
    #if os(macOS)
    if let device {
      // The device can be set only after the input and the output have been switched on or off.
      try instance.set(
        kAudioOutputUnitProperty_CurrentDevice, of: CoreAudioUnit.outputBus,
        kAudioUnitScope_Global, to: device, "choose")
    }
    #endif

    // The unit converts the rate, but drops channels that the device does not have.
    let hardware = try instance.get(
      kAudioUnitProperty_StreamFormat, of: CoreAudioUnit.outputBus, kAudioUnitScope_Output,
      as: AudioStreamBasicDescription(), "read the hardware's format of")
    let wanted = CoreAudioFormat(
      playing: order.format.sampleRate, hardwareChannelCount: Int(hardware.mChannelsPerFrame))
    guard let wanted, hardware.mSampleRate >= 1 else {
      throw .unsupportedFormat(id: id, reason: "it has no format at the moment")
    }
    try instance.set(
      kAudioUnitProperty_StreamFormat, of: CoreAudioUnit.outputBus, kAudioUnitScope_Input,
      to: wanted.streamDescription, "set the format of")
    let frameCount = wanted.largestFrameCount(
      milliseconds: request.latency.milliseconds, needed: 0)
    try instance.set(
      kAudioUnitProperty_MaximumFramesPerSlice, of: 0, kAudioUnitScope_Global,
      to: UInt32(frameCount), "set the block length of")
    let supplier = CoreAudioSupplier()
    try instance.attach(supplier)
    try instance.initialize()

    // Check the unit's actual format, which may differ from the requested one.
    let description = try instance.get(
      kAudioUnitProperty_StreamFormat, of: CoreAudioUnit.outputBus, kAudioUnitScope_Input,
      as: AudioStreamBasicDescription(), "read the format of")
    guard let format = CoreAudioFormat(description), format == wanted else {
      throw .unsupportedFormat(
        id: id, reason: "the audio unit does not accept 32-bit float at \(wanted.sampleRate) Hz")
    }
    unitLatency = Self.latency(of: instance)
    feed = makeRenderer(format.channelCount, unitLatency)
    supplier.prepare(format, renderer: feed)
    self.instance = instance
  }

  func start() throws(DeviceError) {
    try instance.start()
  }

  func update(latency: Int64) {
    feed.update(latency: latency + unitLatency)
  }

  func close() {
    instance.dispose()
  }

  /// Returns the latency that a unit adds, such as by converting the rate; 0 if it reports none.
  private static func latency(of instance: CoreAudioInstance) -> Int64 {
    let seconds = try? instance.get(
      kAudioUnitProperty_Latency, of: 0, kAudioUnitScope_Global, as: 0.0, "read the latency of")
    guard let seconds, (0...10).contains(seconds) else { return 0 }
    return Int64(seconds * 1e9)
  }
}

/// Fills the blocks of a playing unit from a renderer, on the unit's audio thread.
///
/// The unit's owner retains the supplier as long as the unit can call it, from setup to disposal.
final class CoreAudioSupplier {
  private let clock = HostClock()
  private var bytesPerFrame = 1
  private var renderer: CoreAudioFeedRenderer?

  /// Sets the renderer that fills the unit's blocks, before the unit starts.
  func prepare(_ format: CoreAudioFormat, renderer: CoreAudioFeedRenderer) {
    bytesPerFrame = format.bytesPerFrame
    self.renderer = renderer
  }

  /// Fills the requested block.
  private func supply(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frameCount: UInt32,
    _ list: UnsafeMutablePointer<AudioBufferList>?
  ) -> OSStatus {
    // Interleaved samples have one buffer.
    guard let list = unsafe list, unsafe list.pointee.mNumberBuffers == 1 else { return -50 }
    let buffer = unsafe list.pointee.mBuffers
    guard let memory = unsafe buffer.mData, let renderer else { return -50 }
    let room = Int(unsafe buffer.mDataByteSize) / bytesPerFrame
    let stamp = unsafe time.pointee
    var passing: CoreAudioSoundClock.PresentationStamp?
    if stamp.mFlags.contains(.hostTimeValid) && stamp.mHostTime != 0 {
      passing = CoreAudioSoundClock.PresentationStamp(
        ticks: stamp.mHostTime, time: clock.monotonicTime(of: stamp.mHostTime))
    }
    let isAudible = unsafe renderer.fill(
      memory.assumingMemoryBound(to: Float.self), frameCount: min(Int(frameCount), room),
      count: stamp.mFlags.contains(.sampleTimeValid) ? stamp.mSampleTime : nil, stamp: passing)
    if !isAudible { unsafe flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
    return 0
  }

  /// Called by the unit when it requests samples to play.
  static let callback: AURenderCallback = { context, flags, time, _, frameCount, list in
    unsafe Unmanaged<CoreAudioSupplier>.fromOpaque(context)._withUnsafeGuaranteedRef {
      unsafe $0.supply(flags, time, frameCount, list)
    }
  }
}
#endif
