import AacornCodec
import AacornContainers
import AacornSystem

extension CodedFileError.Codec {
  /// The file's own code for the coding.
  var code: String {
    switch self {
    case .sampleEntry(let code): AACFileError.letters(of: code.rawValue)
    case .objectTypeIndication(let number): "0x" + hexadecimal(UInt32(number), digits: 2)
    case .audioObjectType(let type): "object type \(type.rawValue)"
    case .streamType(let number): "stream type 0x" + hexadecimal(UInt32(number), digits: 2)
    }
  }
}
