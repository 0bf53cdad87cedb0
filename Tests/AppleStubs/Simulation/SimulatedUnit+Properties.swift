import AudioToolbox
import SimulatedApple

extension SimulatedUnit {
  func set(
    _ property: UInt32, _ scope: UInt32, _ element: UInt32, _ data: UnsafeRawPointer, _ size: UInt32
  ) -> Int32 {
    content.change { state in
      if state.isOrphan { return UnitStatus.serviceFailed }
      func number() -> UInt32? {
        size == 4 ? unsafe data.loadUnaligned(as: UInt32.self) : nil
      }
      switch property {
      case kAudioOutputUnitProperty_EnableIO:
        guard let side = side(scope, element, isHardware: true) else {
          return UnitStatus.invalidScope
        }
        guard let number = number() else { return UnitStatus.invalidValue }
        if state.isInitialized { return UnitStatus.initialized }
        // On a Mac, both sides of voice processing are always on.
        if isVoiceProcessing && state.hardware is MacHardware { return UnitStatus.notWritable }
        if number != 0 { state.enabled.insert(side) } else { state.enabled.remove(side) }
        return 0
      case kAudioOutputUnitProperty_CurrentDevice:
        return setDevice(number(), scope, element, &state)
      case kAudioUnitProperty_StreamFormat:
        guard side(scope, element, isHardware: true) == nil else { return UnitStatus.notWritable }
        guard let side = side(scope, element, isHardware: false) else {
          return UnitStatus.invalidScope
        }
        guard Int(size) == MemoryLayout<AudioStreamBasicDescription>.size else {
          return UnitStatus.invalidValue
        }
        if state.isInitialized { return UnitStatus.initialized }
        let format = unsafe data.loadUnaligned(as: AudioStreamBasicDescription.self)
        guard isSupported(format, side, state) else { return UnitStatus.format }
        state.formats[side] = format
        return 0
      case kAudioUnitProperty_ShouldAllocateBuffer:
        return number() == nil ? UnitStatus.invalidValue : 0
      case kAudioUnitProperty_MaximumFramesPerSlice:
        guard let number = number(), number > 0 else { return UnitStatus.invalidValue }
        if state.isInitialized { return UnitStatus.initialized }
        state.largestFrameCount = number
        return 0
      case kAudioOutputUnitProperty_SetInputCallback:
        return unsafe setCallback(.input, data, size, scope == kAudioUnitScope_Global, &state)
      case kAudioUnitProperty_SetRenderCallback:
        let isValid = scope == kAudioUnitScope_Input && element == UnitSide.output.rawValue
        return unsafe setCallback(.output, data, size, isValid, &state)
      case kAUVoiceIOProperty_BypassVoiceProcessing, kAUVoiceIOProperty_VoiceProcessingEnableAGC:
        guard isVoiceProcessing else { return UnitStatus.invalidProperty }
        guard let number = number(), scope == kAudioUnitScope_Global else {
          return UnitStatus.invalidValue
        }
        state.voiceSettings[property] = number
        return 0
      case kAUVoiceIOProperty_OtherAudioDuckingConfiguration:
        guard isVoiceProcessing else { return UnitStatus.invalidProperty }
        // The value has two words: whether adaptive ducking is on, and its level.
        guard size == 8, scope == kAudioUnitScope_Global else { return UnitStatus.invalidValue }
        state.voiceSettings[property] = unsafe data.loadUnaligned(
          fromByteOffset: 4, as: UInt32.self)
        return 0
      default: return UnitStatus.invalidProperty
      }
    }
  }

  func get(
    _ property: UInt32, _ scope: UInt32, _ element: UInt32, _ data: UnsafeMutableRawPointer,
    _ size: UnsafeMutablePointer<UInt32>
  ) -> Int32 {
    content.change { state in
      if state.isOrphan { return UnitStatus.serviceFailed }
      func give<Value>(_ value: Value) -> Int32 {
        guard unsafe Int(size.pointee) >= MemoryLayout<Value>.size else {
          return UnitStatus.parameter
        }
        unsafe data.storeBytes(of: value, as: Value.self)
        unsafe size.pointee = UInt32(MemoryLayout<Value>.size)
        return 0
      }
      switch property {
      case kAudioUnitProperty_StreamFormat:
        if let side = side(scope, element, isHardware: true) {
          // There is no format while no device is connected, for example for a moment when a
          // headset is connected. A phone's voice processing has a format only after
          // initialization.
          let isUnknown =
            isVoiceProcessing && state.hardware is PhoneHardware && !state.isInitialized
          let endpoint = isUnknown ? nil : state.hardware.endpoint(side)
          return give(
            Self.format(endpoint?.sampleRate ?? 0, UInt32(endpoint?.channelCount ?? 0)))
        }
        guard let side = side(scope, element, isHardware: false) else {
          return UnitStatus.invalidScope
        }
        return give(state.formats[side] ?? Self.format(44_100, 2))
      case kAudioUnitProperty_MaximumFramesPerSlice: return give(state.largestFrameCount)
      case kAudioUnitProperty_Latency: return give(0.0)
      default: return UnitStatus.invalidProperty
      }
    }
  }

  /// Returns the side for a scope of an element: the hardware's scope is outside, the program's
  /// inside.
  ///
  ///     hardware ─► element 1, input scope │ element 1, output scope ─► program
  ///     hardware ◄─ element 0, output scope │ element 0, input scope ◄─ program
  private func side(_ scope: UInt32, _ element: UInt32, isHardware: Bool) -> UnitSide? {
    guard let side = UnitSide(rawValue: element) else { return nil }
    let outer = side == .input ? kAudioUnitScope_Input : kAudioUnitScope_Output
    let inner = side == .input ? kAudioUnitScope_Output : kAudioUnitScope_Input
    return scope == (isHardware ? outer : inner) ? side : nil
  }

  private func setDevice(
    _ number: UInt32?, _ scope: UInt32, _ element: UInt32, _ state: inout State
  ) -> Int32 {
    guard var hardware = state.hardware as? MacHardware else { return UnitStatus.invalidProperty }
    guard let number, scope == kAudioUnitScope_Global else { return UnitStatus.invalidValue }
    if state.isInitialized { return UnitStatus.initialized }
    let sides: [UnitSide] =
      isVoiceProcessing ? UnitSide(rawValue: element).map { [$0] } ?? [] : UnitSide.allCases
    for side in sides { hardware.devices[side] = number }
    // A device without channels for an enabled side is rejected, so the sides must be set first.
    for side in sides where state.enabled.contains(side) && hardware.endpoint(side) == nil {
      return UnitStatus.invalidValue
    }
    state.hardware = hardware
    return 0
  }

  private func setCallback(
    _ side: UnitSide, _ data: UnsafeRawPointer, _ size: UInt32, _ isValidScope: Bool,
    _ state: inout State
  ) -> Int32 {
    guard isValidScope else { return UnitStatus.invalidScope }
    guard unsafe MemoryLayout<AURenderCallbackStruct>.size == Int(size) else {
      return UnitStatus.invalidValue
    }
    let callback = unsafe data.loadUnaligned(as: AURenderCallbackStruct.self)
    guard let procedure = unsafe callback.inputProc, let context = unsafe callback.inputProcRefCon
    else { return UnitStatus.invalidValue }
    state.callbacks[side] = unsafe Callback(procedure: procedure, context: context)
    return 0
  }

  private func isSupported(
    _ format: AudioStreamBasicDescription, _ side: UnitSide, _ state: State
  ) -> Bool {
    let isFloat = format.mFormatFlags & kAudioFormatFlagIsFloat != 0
    let isPacked = format.mFormatFlags & kAudioFormatFlagIsPacked != 0
    guard format.mFormatID == kAudioFormatLinearPCM, isFloat, isPacked,
      format.mBitsPerChannel == 32, format.mFramesPerPacket == 1,
      format.mBytesPerFrame == 4 * format.mChannelsPerFrame,
      format.mBytesPerPacket == format.mBytesPerFrame, format.mSampleRate >= 1
    else { return false }
    if isVoiceProcessing && format.mChannelsPerFrame != 1 { return false }
    guard let endpoint = state.hardware.endpoint(side) else { return true }
    return side == .output || format.mChannelsPerFrame <= endpoint.channelCount
  }

  private static func format(
    _ sampleRate: Double, _ channelCount: UInt32
  ) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
      mBytesPerPacket: 4 * channelCount, mFramesPerPacket: 1, mBytesPerFrame: 4 * channelCount,
      mChannelsPerFrame: channelCount, mBitsPerChannel: 32, mReserved: 0)
  }
}
