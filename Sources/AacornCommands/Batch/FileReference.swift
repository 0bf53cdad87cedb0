import AacornSystem

/// A record of a file that a line of a manifest makes or names.
struct FileReference: NumberedRecord {
  /// The file's number with a replaced last bit: 1 if the file is only named, 0 if it is made.
  private let word: UInt64

  init(_ number: UInt64, isMade: Bool) { word = number & ~1 | (isMade ? 0 : 1) }

  /// Returns the number without its last bit; files with equal numbers are compared by path.
  static func number(of number: UInt64) -> UInt64 { number & ~1 }

  var number: UInt64 { Self.number(of: word) }
  var isMade: Bool { word & 1 == 0 }

  /// Sorts the records of a file together; records of lines that make the file come first.
  static func < (one: FileReference, other: FileReference) -> Bool { one.word < other.word }

  /// Returns the numbers of the files that one line makes and another line makes or names.
  ///
  /// The records must be sorted.
  static func conflictCandidates(_ references: [FileReference]) -> [UInt64] {
    zip(references, references.dropFirst())
      .filter { $0.isMade && $0.number == $1.number }.map(\.0.number)
  }

  // MARK: In a spool

  static let byteCount = 8

  func write(to bytes: inout [UInt8]) { bytes.append(number: word) }

  init(written bytes: ArraySlice<UInt8>) { word = bytes.number(0) }

  /// Keeps at most two records that make a file, and one that names it.
  static func reduce(_ references: inout [FileReference]) {
    var count = 0
    for reference in references {
      let most = reference.isMade ? 2 : 1
      if count >= most, references[count - most] == reference { continue }
      references[count] = reference
      count += 1
    }
    references.removeLast(references.count - count)
  }
}
