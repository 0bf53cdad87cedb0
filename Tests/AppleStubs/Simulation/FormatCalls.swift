import AudioToolbox
import SimulatedApple

/// The encoders of the simulated system, with the same rates and bitrates for each kind of AAC.
enum SimulatedEncoders {
  /// In bits per second.
  static let bitrates: [UInt32] = [32_000, 64_000, 96_000, 128_000, 192_000, 256_000, 320_000]
  private static let sampleRates: [Double] = [32_000, 44_100, 48_000]
  /// The frames per packet of each kind.
  private static let framesPerPacket: [UInt32: UInt32] = [
    fourCharacters("aac "): 1024, fourCharacters("aach"): 2048, fourCharacters("aacp"): 2048,
    fourCharacters("aacl"): 512, fourCharacters("aace"): 512,
  ]

  /// Whether a converter from `source`, which has interleaved samples in single precision, to
  /// `target` exists; it neither resamples nor remixes.
  static func canEncode(
    _ source: AudioStreamBasicDescription, to target: AudioStreamBasicDescription
  ) -> Bool {
    let frameSize = 4 * source.mChannelsPerFrame
    let isSource =
      source.mFormatID == kAudioFormatLinearPCM
      && source.mFormatFlags == kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
      && source.mBytesPerFrame == frameSize && source.mBytesPerPacket == frameSize
    return isSource && target.mFramesPerPacket == framesPerPacket[target.mFormatID]
      && target.mBytesPerPacket == 0 && target.mSampleRate == source.mSampleRate
      && target.mChannelsPerFrame == source.mChannelsPerFrame
  }

  /// Returns the value of a format's property, or nil if there is no such property or format.
  fileprivate static func value(_ property: UInt32, _ formatID: UInt32) -> [UInt8]? {
    func bytes<Element: BitwiseCopyable>(_ elements: [Element]) -> [UInt8] {
      unsafe elements.withUnsafeBytes { unsafe Array($0) }
    }
    func ranges(_ values: [Double]) -> [UInt8] {
      bytes(values.map { AudioValueRange(mMinimum: $0, mMaximum: $0) })
    }
    guard framesPerPacket[formatID] != nil else { return nil }
    switch property {
    case kAudioFormatProperty_Encoders:
      let hasHardware = SimulatedConverters.changes.hasHardware
      let components = [fourCharacters("appl")] + (hasHardware ? [fourCharacters("aphw")] : [])
      return bytes(
        components.map {
          AudioClassDescription(
            mType: fourCharacters("aenc"), mSubType: formatID, mManufacturer: $0)
        })
    case kAudioFormatProperty_AvailableEncodeBitRates: return ranges(bitrates.map { Double($0) })
    case kAudioFormatProperty_AvailableEncodeSampleRates: return ranges(sampleRates)
    default: return nil
    }
  }
}

// The functions of AudioFormat.h.

@c(AudioFormatGetPropertyInfo)
func formatPropertyInfo(
  _ property: UInt32, _ specifierSize: UInt32, _ specifier: UnsafeRawPointer?,
  _ size: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  guard specifierSize == 4, let specifier = unsafe specifier else {
    return ConverterCode.badPropertySize
  }
  let formatID = unsafe specifier.loadUnaligned(as: UInt32.self)
  guard let bytes = SimulatedEncoders.value(property, formatID) else {
    return ConverterCode.propertyNotSupported
  }
  unsafe size?.pointee = UInt32(bytes.count)
  return 0
}

@c(AudioFormatGetProperty)
func formatProperty(
  _ property: UInt32, _ specifierSize: UInt32, _ specifier: UnsafeRawPointer?,
  _ size: UnsafeMutablePointer<UInt32>?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
  guard specifierSize == 4, let specifier = unsafe specifier else {
    return ConverterCode.badPropertySize
  }
  let formatID = unsafe specifier.loadUnaligned(as: UInt32.self)
  guard let bytes = SimulatedEncoders.value(property, formatID) else {
    return ConverterCode.propertyNotSupported
  }
  guard let size = unsafe size, let data = unsafe data else {
    return ConverterCode.badPropertySize
  }
  return unsafe give(bytes, size, data, or: ConverterCode.badPropertySize)
}
