import AacornSystem

/// That a line of a manifest makes a file, or names it otherwise.
struct FileMention: NumberedRecord {
  /// The number of the file without its last bit, in whose place stands whether it is only named.
  private let word: UInt64

  init(_ number: UInt64, isMade: Bool) { word = number & ~1 | (isMade ? 0 : 1) }

  /// What is left of a number here; files of which it is the same are compared by their paths.
  static func number(of number: UInt64) -> UInt64 { number & ~1 }

  var number: UInt64 { Self.number(of: word) }
  var isMade: Bool { word & 1 == 0 }

  /// Sorts those of a file together, the ones that make it first.
  static func < (one: FileMention, other: FileMention) -> Bool { one.word < other.word }

  /// The files of sorted mentions that are made by one line, and made or named by another.
  static func suspects(_ mentions: [FileMention]) -> [UInt64] {
    zip(mentions, mentions.dropFirst())
      .filter { $0.isMade && $0.number == $1.number }.map(\.0.number)
  }

  // MARK: In a pile

  static let byteCount = 8

  func write(to bytes: inout [UInt8]) { bytes.append(number: word) }

  init(written bytes: ArraySlice<UInt8>) { word = bytes.number(0) }

  /// Two lines that make a file are as wrong as any more, and one that names it stands for all.
  static func reduce(_ mentions: inout [FileMention]) {
    var count = 0
    for mention in mentions {
      let most = mention.isMade ? 2 : 1
      if count >= most, mentions[count - most] == mention { continue }
      mentions[count] = mention
      count += 1
    }
    mentions.removeLast(mentions.count - count)
  }
}
