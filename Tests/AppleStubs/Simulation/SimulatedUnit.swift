import AudioToolbox
import SimulatedApple

/// An output unit: RemoteIO, voice processing, or the HAL unit of a Mac.
///
/// It returns the errors of AUComponent.h for calls in the wrong order, on the wrong side or at the
/// wrong time.
final class SimulatedUnit: SimulatedIO {
  struct State: Sendable {
    var hardware: any SimulatedHardware
    /// The enabled sides.
    var enabled: Set<UnitSide>
    /// The formats on the program's sides, once they are set.
    var formats: [UnitSide: AudioStreamBasicDescription] = [:]
    var largestFrameCount: UInt32 = 4096
    var callbacks: [UnitSide: Callback] = [:]
    var isInitialized = false
    var isOrphan = false
    /// The settings of voice processing, by property.
    var voiceSettings: [UInt32: UInt32] = [:]
    /// Whether the unit has created a helper device, as voice processing does on a Mac.
    var hasHelper = false
    var thread: RenderThread?
    /// The frame position of both sides, at the program's rate.
    var position = 0.0
    /// The elapsed time for which no block was moved yet, in seconds.
    var dueSeconds = 0.0
    /// The block that may be rendered now; nil outside of a callback.
    var block: Block?
    /// The number of times that the block was rendered.
    var renderCount = 0
  }

  /// The program's callback.
  @safe
  struct Callback: @unchecked Sendable {
    // The address belongs to the program, which keeps the memory valid until the unit is disposed
    // of.
    var procedure: AURenderCallback
    var context: UnsafeMutableRawPointer
  }

  /// The block that is being moved.
  struct Block: Sendable {
    var frameCount: Int
    var position: Int
  }

  let isVoiceProcessing: Bool
  let content: Guarded<State>

  init(hardware: any SimulatedHardware, isVoiceProcessing: Bool) {
    self.isVoiceProcessing = isVoiceProcessing
    content = Guarded(
      State(hardware: hardware, enabled: isVoiceProcessing ? [.input, .output] : [.output]))
  }

  // MARK: Interface to the system

  var isRunning: Bool { content.change { $0.thread != nil } }
  var voiceSettings: [UInt32: UInt32] { content.change(\.voiceSettings) }
  var captures: Bool { content.change { $0.enabled.contains(.input) } }

  var blockSeconds: Double {
    guard let endpoint = endpointInUse() else { return 0.01 }
    return Double(endpoint.blockFrameCount) / (endpoint.sampleRate * endpoint.pace)
  }

  func halt() {
    let thread = content.change { state in
      defer { state.thread = nil }
      return state.thread
    }
    thread?.end()
  }

  func orphan() {
    content.change { $0.isOrphan = true }
    halt()
  }

  func step(_ seconds: Double) {
    let isStalled = SimulatedPhone.unitChanges.isStalled
    let thread = content.change { state in
      state.dueSeconds = isStalled ? 0 : state.dueSeconds + seconds
      return state.thread
    }
    while let thread, isDue() { thread.step() }
  }

  /// Subtracts a block from the due time; returns false if less than half a block is due.
  private func isDue() -> Bool {
    let seconds = blockSeconds
    return content.change { state in
      guard state.dueSeconds > seconds / 2 else { return false }
      state.dueSeconds -= seconds
      return true
    }
  }

  func skip() {
    guard let endpoint = endpointInUse() else { return }
    content.change { state in
      state.position += frameCount(of: endpoint, state)
    }
  }

  /// Returns the endpoint that paces the unit: the input if it captures, otherwise the output.
  private func endpointInUse() -> SimulatedEndpoint? {
    let (hardware, enabled) = content.change { ($0.hardware, $0.enabled) }
    return hardware.endpoint(enabled.contains(.input) ? .input : .output)
  }

  /// Returns the number of frames in a block at the program's rate.
  private func frameCount(of endpoint: SimulatedEndpoint, _ state: State) -> Double {
    let side: UnitSide = state.enabled.contains(.input) ? .input : .output
    let rate = state.formats[side]?.mSampleRate ?? endpoint.sampleRate
    let converts = side == .output || state.hardware.convertsInputRate
    return Double(endpoint.blockFrameCount) * (converts ? rate / endpoint.sampleRate : 1)
  }

  // MARK: The audio thread

  /// Starts the callbacks.
  ///
  /// The frame position starts at the number of frames that the device has counted since the
  /// simulated time began.
  func begin() {
    let endpoint = endpointInUse()
    content.change { state in
      let rate = state.formats[state.enabled.contains(.input) ? .input : .output]?.mSampleRate
      let pace = endpoint?.pace ?? 1
      state.position =
        (SimulatedTime.endOfBlock * (rate ?? endpoint?.sampleRate ?? 48_000) * pace).rounded()
      state.dueSeconds = 0
      state.thread = RenderThread { [weak self] in self?.moveBlock() }
    }
  }

  private func moveBlock() {
    // Without a device there are no callbacks.
    guard let endpoint = endpointInUse() else { return }
    let (block, input, output, format, rate) = content.change { state in
      let start = state.position
      state.position += frameCount(of: endpoint, state)
      // If the rate is converted, the position has a fraction, so the lengths of blocks may differ
      // by one frame.
      let block = Block(
        frameCount: Int(state.position) - Int(start), position: Int(start))
      state.block = block
      state.renderCount = 0
      let side: UnitSide = state.enabled.contains(.input) ? .input : .output
      return (
        block, state.enabled.contains(.input) ? state.callbacks[.input] : nil,
        state.enabled.contains(.output) ? state.callbacks[.output] : nil,
        state.formats[.output], state.formats[side]?.mSampleRate ?? endpoint.sampleRate
      )
    }
    var time = AudioTimeStamp()
    time.mSampleTime = Double(block.position)
    time.mHostTime = SimulatedTime.ticks(at: Double(block.position) / (rate * endpoint.pace))
    time.mRateScalar = 1 / endpoint.pace
    time.mFlags = [.sampleTimeValid, .hostTimeValid, .rateScalarValid]
    if let input {
      var flags: AudioUnitRenderActionFlags = []
      _ = unsafe input.procedure(
        input.context, &flags, &time, UnitSide.input.rawValue, UInt32(block.frameCount), nil)
    }
    if let output, let format { play(block, output, format, &time) }
    content.change { $0.block = nil }
  }

  /// Requests a block from the program, and plays it.
  private func play(
    _ block: Block, _ output: Callback, _ format: AudioStreamBasicDescription,
    _ time: inout AudioTimeStamp
  ) {
    let byteCount = block.frameCount * Int(format.mBytesPerFrame)
    // NaN instead of silence, so that unfilled samples are detected.
    var samples = [Float](repeating: .nan, count: byteCount / 4)
    var flags: AudioUnitRenderActionFlags = []
    let status = unsafe samples.withUnsafeMutableBytes { bytes in
      var list = unsafe AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: format.mChannelsPerFrame, mDataByteSize: UInt32(byteCount),
          mData: bytes.baseAddress))
      return unsafe output.procedure(
        output.context, &flags, &time, UnitSide.output.rawValue, UInt32(block.frameCount), &list)
    }
    if status != 0 || samples.contains(where: \.isNaN) {
      SimulatedUnits.recordFault("A block for playback was not filled.")
    }
    if flags.contains(.unitRenderAction_OutputIsSilence) && samples.contains(where: { $0 != 0 }) {
      SimulatedUnits.recordFault("A block is marked as silent but is not.")
    }
    let endpoint = content.change(\.hardware).endpoint(.output)
    SimulatedSound.play(samples, on: endpoint?.id ?? "nothing")
  }

  // MARK: Interface to the program

  /// Fills the program's buffers with the input of the microphone.
  func render(
    bus: UInt32, frameCount: UInt32, _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> Int32 {
    let fault = SimulatedPhone.unitChanges.renderStatus
    if fault != 0 { return fault }
    let (state, isFirst) = content.change { state in
      state.renderCount += 1
      return (state, state.renderCount == 1)
    }
    guard state.isInitialized else { return UnitStatus.uninitialized }
    guard bus == UnitSide.input.rawValue, state.enabled.contains(.input) else {
      return UnitStatus.invalidElement
    }
    guard frameCount <= state.largestFrameCount else { return UnitStatus.tooManyFrames }
    guard let block = state.block, isFirst, Int(frameCount) <= block.frameCount,
      let format = state.formats[.input], let endpoint = state.hardware.endpoint(.input),
      state.hardware.convertsInputRate || endpoint.sampleRate == format.mSampleRate
    else { return UnitStatus.cannotDoInCurrentContext }
    let channelCount = Int(format.mChannelsPerFrame)
    let size = Int(frameCount) * channelCount * 4
    guard unsafe list.pointee.mNumberBuffers == 1,
      let data = unsafe list.pointee.mBuffers.mData,
      unsafe Int(list.pointee.mBuffers.mDataByteSize) >= size
    else { return UnitStatus.parameter }
    // Without the permission of the user, the input is silence.
    let isPermitted = SimulatedPhone.permission == .granted
    let signal = SimulatedSound.signal
    let samples = unsafe data.assumingMemoryBound(to: Float.self)
    for frame in 0..<Int(frameCount) {
      for channel in 0..<channelCount {
        unsafe samples[frame * channelCount + channel] =
          isPermitted && channel < endpoint.channelCount
          ? signal(endpoint.id, block.position + frame, channel) : 0
      }
    }
    unsafe list.pointee.mBuffers.mDataByteSize = UInt32(size)
    return 0
  }

  func initialize() -> Int32 {
    let fault = SimulatedPhone.unitChanges.initializeStatus
    if fault != 0 { return fault }
    return content.change { state in
      if state.isOrphan { return UnitStatus.serviceFailed }
      for side in state.enabled where state.hardware.endpoint(side) == nil {
        // Voice processing and playback work without the other side; a capture does not.
        if side == .input || state.enabled.count == 1 { return UnitStatus.failedInitialization }
      }
      // Voice processing joins a Mac's devices, and needs both of them.
      if isVoiceProcessing, let mac = state.hardware as? MacHardware, mac.devices.count == 1 {
        return UnitStatus.failedInitialization
      }
      state.isInitialized = true
      return 0
    }
  }

  func start() -> Int32 {
    let (isReady, isOrphan, hardware, enabled) = content.change {
      ($0.isInitialized, $0.isOrphan, $0.hardware, $0.enabled)
    }
    if isOrphan { return UnitStatus.serviceFailed }
    guard isReady else { return UnitStatus.uninitialized }
    if isRunning { return 0 }
    let status = hardware.start(captures: enabled.contains(.input))
    if status == 0 {
      begin()
      if isVoiceProcessing && hardware is MacHardware {
        content.change { $0.hasHelper = true }
        SimulatedMac.beginVoiceProcessing()
      }
    }
    return status
  }

  func uninitialize() {
    halt()
    let hadHelper = content.change { state in
      defer { state.hasHelper = false }
      state.isInitialized = false
      return state.hasHelper
    }
    if hadHelper { SimulatedMac.endVoiceProcessing() }
  }
}
