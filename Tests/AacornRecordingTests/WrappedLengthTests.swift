import AacornSoundFiles
import AacornSystem
import Foundation
import Testing

@testable import AacornRecording

/// WAV files of more than 4 GB whose headers have only the lower 32 bits of their lengths.
@Suite struct WrappedLengthTests {
  /// Writes a sparse file of zeros, which takes no disk space.
  private func write(
    _ folder: Folder, frameSize: Int, length: Int, besides: Int = 0
  ) throws -> String {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var bytes = Array("RIFF".utf8) + little(36 + length, 4) + Array("WAVEfmt ".utf8)
    bytes += little(16, 4) + little(1, 2) + little(1, 2) + little(48_000, 4)
    bytes += little(48_000 * frameSize, 4) + little(frameSize, 2) + little(8 * frameSize, 2)
    bytes += Array("data".utf8) + little(length, 4)
    let path = try folder.write(bytes, to: "\(length + besides).wav")
    #expect(unsafe truncate(path, 44 + length + besides) == 0)
    return path
  }

  @Test(arguments: [
    (2, 1 << 32 + 8, 0), (3, 1 << 32 + 2, 100), (4, 1 << 33 + 4000, 4), (2, 1 << 32, 0),
  ])
  func theFileIsReadToItsEnd(frameSize: Int, length: Int, besides: Int) throws {
    let folder = try Folder()
    let path = try write(folder, frameSize: frameSize, length: length, besides: besides)
    let source = try SoundSource(.file(path), rawFormat: nil, interruption: Interruption())
    // A length of 0 is read as an unknown one.
    #expect(source.info.dataByteCount == (length == 1 << 32 ? nil : UInt64(length)))
    #expect((source.lengthWarning != nil) == (length != 1 << 32))
    let sound = try SeekableSound(path, interruption: Interruption())
    let count = length / frameSize
    #expect(sound.frameCount == count)
    #expect(try sound.seek(toFrame: count - 10))
    var samples: [Float] = []
    #expect(try sound.next(into: &samples) && samples.count == 10)
    #expect(try !sound.next(into: &samples))
    #expect(try FileSignal(path: path).frameCount == count)
  }

  @Test func aShorterFileKeepsItsLength() throws {
    let folder = try Folder()
    let path = try write(folder, frameSize: 2, length: 1000, besides: 1 << 32 - 1)
    let source = try SoundSource(.file(path), rawFormat: nil, interruption: Interruption())
    #expect(source.info.dataByteCount == 1000 && source.lengthWarning == nil)
  }
}
