import AacornCodec

/// A failure status of a converter call.
package struct ConverterStatus: Error, Equatable, Sendable {
  /// The `OSStatus`.
  package let code: Int32

  /// Wraps an `OSStatus`.
  package init(_ code: Int32) {
    self.code = code
  }

  /// The status that our callback returns when no samples are available yet.
  ///
  /// The call that requested a packet then returns this status. Zero samples without an error would
  /// end the audio.
  package static var starved: ConverterStatus {
    ConverterStatus(FourCharacterCode("m", "o", "r", "e"))
  }

  /// The status for a packet outside the output buffer: an invalid parameter.
  package static var misplacedPacket: ConverterStatus { ConverterStatus(-50) }

  private init(_ name: FourCharacterCode) {
    code = Int32(bitPattern: name.rawValue)
  }

  /// Whether the converter does not support the property.
  var isUnknownProperty: Bool {
    self == ConverterStatus(FourCharacterCode("p", "r", "o", "p"))
      || self == ConverterStatus(FourCharacterCode("w", "h", "o", "?"))
  }

  /// Converts the status to an error for the caller.
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
