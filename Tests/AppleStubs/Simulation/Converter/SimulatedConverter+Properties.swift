import AudioToolbox
import SimulatedApple

extension SimulatedConverter {
  /// The values of a converter's writable properties.
  struct Settings {
    /// The available bitrates in bits per second.
    let bitrates: [Int]
    var rateControl: UInt32 = 1
    var quality: UInt32 = 0x40
    var variableQuality: UInt32 = 0x40
    private(set) var bitrate: UInt32
    private(set) var isBitrateSet = false

    init(_ bitrates: [Int]) {
      self.bitrates = bitrates
      bitrate = UInt32(bitrates[bitrates.count / 2])
    }

    mutating func apply(bitrate: UInt32) {
      self.bitrate = bitrate
      isBitrateSet = true
    }

    /// Resets the bitrate, because the rate control determines the available bitrates.
    mutating func discardBitrate() {
      if !isBitrateSet { return }
      SimulatedUnits.recordFault("The bitrate of a converter was set before its rate control.")
      self = Settings(bitrates)
    }
  }

  // MARK: Reading

  /// Returns the bytes of a property, or nil if there is no such property.
  func value(of property: UInt32) -> [UInt8]? {
    switch property {
    case ConverterPropertyNumber.rateControl: bytes(settings.rateControl)
    case ConverterPropertyNumber.quality: bytes(settings.quality)
    case ConverterPropertyNumber.variableQuality: bytes(settings.variableQuality)
    case ConverterPropertyNumber.bitrate: bytes(settings.bitrate)
    case ConverterPropertyNumber.applicableBitrates:
      // Each bitrate as a range of one value.
      (settings.rateControl == 3 ? [] : settings.bitrates).flatMap { bitrate in
        bytes(Double(bitrate)) + bytes(Double(bitrate))
      }
    case ConverterPropertyNumber.largestPacket:
      bytes(UInt32(currentCodec().largestPacketByteCount))
    case ConverterPropertyNumber.outputFormat: bytes(target)
    case ConverterPropertyNumber.priming:
      bytes(UInt32(currentCodec().leadingFrameCount)) + bytes(UInt32(trailingFrameCount))
    case ConverterPropertyNumber.magicCookie: currentCodec().magicCookie
    default: nil
    }
  }

  private func bytes(_ value: some BitwiseCopyable) -> [UInt8] {
    unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
  }

  // MARK: Writing

  func set(_ property: UInt32, _ data: UnsafeRawPointer, _ size: UInt32) -> Int32 {
    guard ConverterPropertyNumber.writable.contains(property) else {
      return value(of: property) == nil
        ? ConverterCode.propertyNotSupported : ConverterCode.illegalOperation
    }
    if let rejection = SimulatedConverters.changes.rejections[property] { return rejection }
    guard size == 4 else { return ConverterCode.badPropertySize }
    // A real converter may allow some changes while it runs; which ones is unknown.
    if hasBegun { return ConverterCode.operationNotSupported }
    let status = set(property, unsafe data.loadUnaligned(as: UInt32.self))
    if status == 0 { dropCodec() }
    return status
  }

  private func set(_ property: UInt32, _ number: UInt32) -> Int32 {
    switch property {
    case ConverterPropertyNumber.rateControl:
      guard number <= 3, number < 3 || format.hasVariableRate else {
        return ConverterCode.unsupportedFormat
      }
      settings.discardBitrate()
      settings.rateControl = number
    case ConverterPropertyNumber.quality:
      guard number <= 127 else { return ConverterCode.unsupportedFormat }
      settings.discardBitrate()
      settings.quality = number
    case ConverterPropertyNumber.variableQuality:
      guard settings.rateControl == 3 else { return ConverterCode.operationNotSupported }
      guard number <= 127 else { return ConverterCode.unsupportedFormat }
      settings.variableQuality = number
    default:
      guard settings.rateControl != 3 else { return ConverterCode.operationNotSupported }
      guard settings.bitrates.contains(Int(number)) else { return ConverterCode.unsupportedFormat }
      settings.apply(bitrate: SimulatedConverters.changes.takenBitrate ?? number)
    }
    return 0
  }
}
