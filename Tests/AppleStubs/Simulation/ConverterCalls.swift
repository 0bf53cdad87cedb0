import AudioToolbox
import SimulatedApple

// The functions of AudioConverter.h.

private let converters = SimulatedConverters.handles

@c(AudioConverterNew)
func makeConverter(
  _ source: UnsafePointer<AudioStreamBasicDescription>,
  _ destination: UnsafePointer<AudioStreamBasicDescription>,
  _ converter: UnsafeMutablePointer<OpaquePointer?>
) -> Int32 {
  let fault = SimulatedConverters.changes.makeStatus
  if fault != 0 { return fault }
  let (source, target) = unsafe (source.pointee, destination.pointee)
  guard SimulatedEncoders.canEncode(source, to: target) else {
    return ConverterCode.formatNotSupported
  }
  unsafe converter.pointee = unsafe converters.add(SimulatedConverter(to: target))
  return 0
}

@c(AudioConverterNewSpecific)
func makeCertainConverter(
  _ source: UnsafePointer<AudioStreamBasicDescription>,
  _ destination: UnsafePointer<AudioStreamBasicDescription>, _ count: UInt32,
  _ descriptions: UnsafePointer<AudioClassDescription>,
  _ converter: UnsafeMutablePointer<OpaquePointer?>
) -> Int32 {
  let wanted = (0..<Int(count)).map { unsafe descriptions[$0] }
  let formatID = unsafe destination.pointee.mFormatID
  let hasHardware = SimulatedConverters.changes.hasHardware
  // Apple's encoder in software, and the one in hardware where it exists.
  let isAvailable = wanted.contains { description in
    description.mType == fourCharacters("aenc")
      && description.mSubType == formatID
      && (description.mManufacturer == fourCharacters("appl")
        || description.mManufacturer == fourCharacters("aphw") && hasHardware)
  }
  guard isAvailable else { return ConverterCode.formatNotSupported }
  return unsafe makeConverter(source, destination, converter)
}

@c(AudioConverterDispose)
func disposeOfConverter(_ converter: OpaquePointer) -> Int32 {
  unsafe converters.perform("AudioConverterDispose", converter) { _ in
    unsafe converters.remove(converter)
    return 0
  }
}

@c(AudioConverterGetPropertyInfo)
func converterPropertyInfo(
  _ converter: OpaquePointer, _ property: UInt32, _ size: UnsafeMutablePointer<UInt32>?,
  _ isWritable: UnsafeMutablePointer<UInt8>?
) -> Int32 {
  unsafe converters.perform("AudioConverterGetPropertyInfo", converter) { found in
    guard let value = found.value(of: property) else { return ConverterCode.propertyNotSupported }
    unsafe size?.pointee = UInt32(value.count)
    return 0
  }
}

@c(AudioConverterGetProperty)
func converterProperty(
  _ converter: OpaquePointer, _ property: UInt32, _ size: UnsafeMutablePointer<UInt32>,
  _ data: UnsafeMutableRawPointer
) -> Int32 {
  unsafe converters.perform("AudioConverterGetProperty", converter) { found in
    guard let value = found.value(of: property) else { return ConverterCode.propertyNotSupported }
    return unsafe give(value, size, data, or: ConverterCode.badPropertySize)
  }
}

@c(AudioConverterSetProperty)
func setConverterProperty(
  _ converter: OpaquePointer, _ property: UInt32, _ size: UInt32, _ data: UnsafeRawPointer
) -> Int32 {
  unsafe converters.perform("AudioConverterSetProperty", converter) {
    unsafe $0.set(property, data, size)
  }
}

@c(AudioConverterFillComplexBuffer)
func fillFromConverter(
  _ converter: OpaquePointer, _ input: @escaping AudioConverterComplexInputDataProc,
  _ context: UnsafeMutableRawPointer?, _ count: UnsafeMutablePointer<UInt32>,
  _ data: UnsafeMutablePointer<AudioBufferList>,
  _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> Int32 {
  unsafe converters.perform("AudioConverterFillComplexBuffer", converter) { found in
    unsafe found.fill(
      from: SimulatedConverter.Input(procedure: input, handle: converter, context: context), count,
      data, descriptions)
  }
}
