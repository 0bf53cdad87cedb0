import AacornCodec

/// The result of a call of a converter that did not succeed.
package struct ConverterStatus: Error, Equatable, Sendable {
  /// The number.
  package let code: Int32

  /// Wraps a number.
  package init(_ code: Int32) {
    self.code = code
  }

  /// What we ourselves answer a converter that wants samples when there are none for now, and get back
  /// from it; to answer with none and no error would end the sound.
  package static var starved: ConverterStatus {
    ConverterStatus(FourCharacterCode("m", "o", "r", "e"))
  }

  /// What stands for a packet that is not in the memory that it was to be put in: a wrong parameter.
  package static var misplacedPacket: ConverterStatus { ConverterStatus(-50) }

  private init(_ name: FourCharacterCode) {
    code = Int32(bitPattern: name.rawValue)
  }

  /// Whether the converter does not know the property at all.
  var isUnknownProperty: Bool {
    self == ConverterStatus(FourCharacterCode("p", "r", "o", "p"))
      || self == ConverterStatus(FourCharacterCode("w", "h", "o", "?"))
  }

  /// What it means for who wants to encode.
  func error(
    in call: AACBackEndError.Call, _ configuration: SystemEncoderConfiguration
  ) -> AACBackEndError {
    switch FourCharacterCode(rawValue: UInt32(bitPattern: code)) {
    case FourCharacterCode("f", "m", "t", "?"), FourCharacterCode("!", "d", "a", "t"):
      .unsupportedFormat
    case FourCharacterCode("!", "i", "s", "r"), FourCharacterCode("!", "o", "s", "r"):
      .unsupportedSampleRate(configuration.sampleRate)
    case FourCharacterCode("h", "w", "i", "u"): .hardwareInUse
    case FourCharacterCode("p", "e", "r", "m"): .noHardwarePermission
    default: .call(call, status: code)
    }
  }
}
