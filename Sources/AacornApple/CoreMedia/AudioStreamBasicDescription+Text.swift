#if canImport(CoreAudioTypes)
import AacornContainers
public import CoreAudioTypes

extension AudioStreamBasicDescription {
  /// A description for logs: “AAC-LC, 44100 Hz, 2 channels, 1024 frames per packet” or “16-bit
  /// integers, 44100 Hz, 2 channels, interleaved, 4 bytes per frame”.
  public var formatText: String {
    let isPCM = mFormatID == FourCharacterCode("l", "p", "c", "m").rawValue
    var parts = [isPCM ? sampleText : codedText]
    let rate = Int(exactly: mSampleRate).map { "\($0)" } ?? "\(mSampleRate)"
    parts.append("\(rate) Hz")
    parts.append(mChannelsPerFrame == 1 ? "1 channel" : "\(mChannelsPerFrame) channels")
    if isPCM {
      let isInterleaved = mFormatFlags & 1 << 5 == 0
      if mChannelsPerFrame != 1 { parts.append(isInterleaved ? "interleaved" : "not interleaved") }
      if mFormatFlags & 1 << 1 != 0 && mBitsPerChannel > 8 { parts.append("big-endian") }
      if mFormatFlags & 1 << 3 == 0 { parts.append("not packed") }
      parts.append("\(mBytesPerFrame) bytes per frame")
    } else if mFramesPerPacket > 0 {
      parts.append("\(mFramesPerPacket) frames per packet")
    }
    return parts.joined(separator: ", ")
  }

  private var sampleText: String {
    if mFormatFlags & 1 << 0 != 0 { return "\(mBitsPerChannel)-bit floating point" }
    return "\(mBitsPerChannel)-bit \(mFormatFlags & 1 << 2 != 0 ? "integers" : "unsigned integers")"
  }

  /// The name of a coded format, or its format ID.
  private var codedText: String {
    let code = FourCharacterCode(rawValue: mFormatID)
    return switch code {
    case FourCharacterCode("a", "a", "c", " "): "AAC-LC"
    case FourCharacterCode("a", "a", "c", "h"): "HE-AAC"
    case FourCharacterCode("a", "a", "c", "p"): "HE-AAC v2"
    case FourCharacterCode("a", "a", "c", "l"): "AAC-LD"
    case FourCharacterCode("a", "a", "c", "e"): "AAC-ELD"
    default: "“\(String(decoding: code.printableBytes, as: UTF8.self))”"
    }
  }
}
#endif
