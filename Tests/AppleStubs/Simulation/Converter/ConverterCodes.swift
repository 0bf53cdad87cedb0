/// The public error codes of a converter's calls, from AudioConverter.h and AudioCodec.h.
package enum ConverterCode {
  package static let formatNotSupported = status("fmt?")
  package static let operationNotSupported = status("op??")
  package static let propertyNotSupported = status("prop")
  package static let invalidInputSize = status("insz")
  package static let badPropertySize = status("!siz")
  package static let requiresPacketDescriptions = status("!pkd")
  /// Only on phones.
  package static let hardwareInUse = status("hwiu")
  /// Only on phones.
  package static let noHardwarePermission = status("perm")
  /// The error of encoders for an unsupported value, such as a bitrate.
  package static let unsupportedFormat = status("!dat")
  package static let illegalOperation = status("nope")
  package static let notEnoughBufferSpace = status("!buf")
  package static let parameter: Int32 = -50
}

/// A converter's properties, from AudioConverter.h and, for rate control, AudioCodec.h.
package enum ConverterPropertyNumber {
  package static let rateControl = fourCharacters("acbf")
  package static let quality = fourCharacters("cdqu")
  package static let variableQuality = fourCharacters("vbrq")
  package static let bitrate = fourCharacters("brat")
  package static let applicableBitrates = fourCharacters("aebr")
  package static let largestPacket = fourCharacters("xops")
  package static let outputFormat = fourCharacters("acod")
  package static let priming = fourCharacters("prim")
  package static let magicCookie = fourCharacters("cmgc")

  /// The properties that a caller can set.
  static let writable: Set<UInt32> = [rateControl, quality, variableQuality, bitrate]
}
