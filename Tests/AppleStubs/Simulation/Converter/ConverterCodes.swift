/// Results of a converter's calls, from AudioConverter.h and AudioCodec.h; the values are public.
package enum ConverterCode {
  package static let formatNotSupported = status("fmt?")
  package static let operationNotSupported = status("op??")
  package static let propertyNotSupported = status("prop")
  package static let invalidInputSize = status("insz")
  package static let badPropertySize = status("!siz")
  package static let requiresPacketDescriptions = status("!pkd")
  /// Of phones alone.
  package static let hardwareInUse = status("hwiu")
  /// Of phones alone.
  package static let noHardwarePermission = status("perm")
  /// What encoders say of a value that they do not have, such as a bitrate.
  package static let unsupportedFormat = status("!dat")
  package static let illegalOperation = status("nope")
  package static let notEnoughBufferSpace = status("!buf")
  package static let parameter: Int32 = -50
}

/// A converter's properties, from AudioConverter.h and, for how bits are spent, AudioCodec.h.
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

  /// Those that can be told.
  static let writable: Set<UInt32> = [rateControl, quality, variableQuality, bitrate]
}
