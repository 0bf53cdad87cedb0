import AacornSignal
import AacornSoundFiles

/// The sound of a file with AAC as the bytes of its samples: numbers of 32 bits.
final class CodedSoundBytes {
  /// Where the samples come from.
  private(set) var sound: CodedSound
  /// Bytes of samples, of which those from `first` on have not been taken.
  private var waiting: [UInt8] = []
  private var first = 0

  init(_ sound: CodedSound) { self.sound = sound }

  /// Fills the beginning of `block` and returns how many bytes that is; 0 means the end.
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
