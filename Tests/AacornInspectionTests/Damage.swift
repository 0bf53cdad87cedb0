import AacornContainers
import TestSignals

enum Damage: CaseIterable {
  case bitFlips, zeros, noise, cutEnd, cutStart, insertion, duplicate, deletion

  /// Returns the damaged file, with a random position and extent.
  ///
  /// In one case of three the position is near the beginning or the end, which contain the tables.
  func done(to file: [UInt8], _ numbers: inout SeededNumbers) -> [UInt8] {
    var file = file
    let length = 1 + numbers.below([4, 40, 400, 4000][numbers.below(4)])
    let offset: Int
    switch numbers.below(6) {
    case 0: offset = numbers.below(min(file.count, 1500))
    case 1: offset = file.count - 1 - numbers.below(min(file.count, 1500))
    default: offset = numbers.below(file.count)
    }
    let range = offset..<min(file.count, offset + length)
    switch self {
    case .bitFlips:
      for _ in 0...numbers.below(4) {
        let index = min(file.count - 1, offset + numbers.below(64))
        file[index] ^= 1 << UInt8(numbers.below(8))
      }
    case .zeros: for index in range { file[index] = 0 }
    case .noise: for index in range { file[index] ^= UInt8(1 + numbers.below(255)) }
    case .cutEnd: file.removeSubrange(offset...)
    case .cutStart: file.removeSubrange(..<offset)
    case .insertion:
      file.insert(contentsOf: range.map { _ in UInt8(numbers.below(256)) }, at: offset)
    case .duplicate: file.insert(contentsOf: file[range], at: offset)
    case .deletion: file.removeSubrange(range)
    }
    return file
  }
}

enum DamagedKind: String, CaseIterable, Sendable {
  case tablesInFront, tablesAtEnd, fragments, recording, finishedRecording
  case adts, adtsWithChecksums, latm

  /// Returns an audio file; `number` selects rate, channels and length.
  func file(_ number: Int) throws -> [UInt8] {
    let (rate, channels) = [(16_000, 1), (48_000, 2), (44_100, 2), (44_100, 1)][number % 4]
    let fixture = try RepairFixture(rate: rate, channels: channels, unitCount: 30 + number % 3 * 40)
    switch self {
    case .tablesInFront: return try fixture.movie(.faststart)
    case .tablesAtEnd: return try fixture.movie(.moovAtEnd)
    case .fragments: return try fixture.movie(.fragmented)
    case .recording: return try fixture.recording(reserve: number % 2 * 4096)
    case .finishedRecording:
      return try fixture.recording(reserve: number % 2 * 4096, isFinished: true)
    case .adts: return try fixture.adts().bytes
    case .adtsWithChecksums: return try fixture.adts(hasChecksum: true).bytes
    case .latm: return try fixture.latm()
    }
  }
}
