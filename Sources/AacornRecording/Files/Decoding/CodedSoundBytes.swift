import AacornSignal
import AacornSoundFiles

/// The audio of an AAC file as bytes of its samples: 32-bit floating-point numbers.
final class CodedSoundBytes {
  private(set) var sound: CodedSound
  /// Bytes of samples; the bytes from `first` on are unread.
  private var waiting: [UInt8] = []
  private var first = 0

  init(_ sound: CodedSound) { self.sound = sound }

  /// Fills the beginning of `block` and returns the number of bytes; 0 at the end.
  func read(into block: inout [UInt8]) throws(AACFileError) -> Int {
    if first == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      first = 0
      guard try sound.next() else { return 0 }
      PCMEncoding.float32.append(sound.samples.span, to: &waiting)
    }
    let count = min(waiting.count - first, block.count)
    block.replaceSubrange(..<count, with: waiting[first..<first + count])
    first += count
    return count
  }
}
