import AudioToolbox
import SimulatedApple

// The functions of AudioFormat.h.

/// Returns the value of a format's property, or nil if there is no such property or format.
private func value(_ property: UInt32, _ formatID: UInt32) -> [UInt8]? {
  func bytes<Element: BitwiseCopyable>(_ elements: [Element]) -> [UInt8] {
    unsafe elements.withUnsafeBytes { unsafe Array($0) }
  }
  func ranges(_ values: [Double]) -> [UInt8] {
    bytes(values.map { AudioValueRange(mMinimum: $0, mMaximum: $0) })
  }
  guard let format = CodecFormat(formatID) else { return nil }
  switch property {
  case kAudioFormatProperty_Encoders:
    let hasHardware = SimulatedConverters.changes.hasHardware
    let components = [fourCharacters("appl")] + (hasHardware ? [fourCharacters("aphw")] : [])
    return bytes(
      components.map {
        AudioClassDescription(
          mType: fourCharacters("aenc"), mSubType: formatID, mManufacturer: $0)
      })
  case kAudioFormatProperty_AvailableEncodeBitRates:
    return ranges(format.bitrates(sampleRate: 44_100, channelCount: 2).map(Double.init))
  case kAudioFormatProperty_AvailableEncodeSampleRates: return ranges(format.sampleRates)
  default: return nil
  }
}

@c(AudioFormatGetPropertyInfo)
func formatPropertyInfo(
  _ property: UInt32, _ specifierSize: UInt32, _ specifier: UnsafeRawPointer?,
  _ size: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  guard specifierSize == 4, let specifier = unsafe specifier else {
    return ConverterCode.badPropertySize
  }
  guard let bytes = unsafe value(property, specifier.loadUnaligned(as: UInt32.self)) else {
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
  guard let bytes = unsafe value(property, specifier.loadUnaligned(as: UInt32.self)) else {
    return ConverterCode.propertyNotSupported
  }
  guard let size = unsafe size, let data = unsafe data else {
    return ConverterCode.badPropertySize
  }
  return unsafe give(bytes, size, data, or: ConverterCode.badPropertySize)
}
