import AacornContainers
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// Random access to the bytes of a file, or forward access to a pipe.
///
/// The bytes that were read from a pipe to detect its format come first.
struct CodedInput {
  let file: InputFile
  /// The purpose of the audio.
  let use: SoundUse
  /// The bytes already read from a pipe.
  let head: [UInt8]

  /// Creates the input for a file, or for a pipe whose first bytes are `head`.
  init(_ file: InputFile, head: [UInt8] = [], for use: SoundUse) {
    self.file = file
    self.use = use
    self.head = file.size == nil ? head : []
  }

  /// The length, if known.
  var byteCount: UInt64? { file.size.map { UInt64($0) } }

  /// Returns the fraction of the file before an offset, 0 to 1; nil for a pipe.
  func fraction(before offset: UInt64) -> Double? {
    guard let size = file.size, size > 0 else { return nil }
    return min(1, Double(offset) / Double(size))
  }

  /// Returns the bytes at an offset; fewer only at the end.
  func bytes(at offset: UInt64, count: Int) throws(AACFileError) -> [UInt8] {
    guard file.size == nil else {
      return try file.bytes(at: Int(clamping: offset), count: count)
    }
    let start = Int(clamping: offset)
    var bytes: [UInt8] = []
    if start < head.count { bytes += head[start..<min(head.count, start + count)] }
    try skip(to: start)
    try file.append(max(0, count - bytes.count), to: &bytes)
    return bytes
  }

  /// Returns the error for the file named `name`, with its actual kind if that is detected.
  func failure(_ error: CodedAudioError, name: String) -> AACFileError {
    var error = error
    if error == .file(.notAAC(.unknown)), file.isSeekable,
      let head = try? bytes(at: 0, count: FileKind.longPrefixCount),
      let kind = try? file.kind(startingWith: head)
    {
      error = .file(.notAAC(kind))
    }
    return AACFileError(error, path: name, for: use)
  }

  /// Reads a pipe up to an offset.
  private func skip(to start: Int) throws(AACFileError) {
    var block: [UInt8] = []
    while file.position < start {
      if block.isEmpty { block = [UInt8](repeating: 0, count: 65_536) }
      let wanted = min(block.count, start - file.position)
      if wanted < block.count { block.removeLast(block.count - wanted) }
      if try file.read(into: &block) == 0 { return }
    }
  }
}

/// The purpose of a file's audio, which determines the remedy for a file without AAC.
package enum SoundUse: Sendable {
  /// Decoding.
  case decoding
  /// Encoding again.
  case encoding
  /// Cutting or joining without encoding.
  case splicing

  var suggestionWithoutAAC: AACFileError.RecoverySuggestion {
    switch self {
    case .decoding: .decodeAAC
    case .encoding: .convert
    case .splicing: .spliceAAC
    }
  }

  /// The recovery suggestion for audio with an unsupported coding.
  var suggestionForOtherCoding: AACFileError.RecoverySuggestion {
    switch self {
    case .decoding: .decodeElsewhere
    case .encoding, .splicing: suggestionWithoutAAC
    }
  }
}

extension CodedInput {
  /// Returns the tags and chapters of an MP4 file, with the cover if it is readable, or the tags of
  /// a stream.
  ///
  /// In a pipe, only tags in the bytes already read are found.
  func tags(of movie: MP4Reader?, name: String) throws(AACFileError) -> InputTags {
    guard let movie else {
      if let tags = try file.soundTags() { return InputTags(tags, name: name) }
      let count = FileKind.tagByteCount(head.span) ?? 0
      if count <= head.count { return InputTags(MP4Tags(id3: head)) }
      return InputTags(lost: ["the ID3 tag"], name: name)
    }
    var tags = movie.tags
    var words: [String] = []
    if let range = movie.coverImage {
      if byteCount != nil, range.upperBound - range.lowerBound <= UInt64(MP4Tags.coverLimit) {
        tags.coverImage = try bytes(at: range.lowerBound, count: Int(range.count))
        // The MP4 writer writes only images of known formats, so report other data as lost.
        if !MP4Tags.isCover(tags.coverImage[...]) { tags.coverImage = [] }
      }
      if tags.coverImage.isEmpty { words.append("the cover") }
    }
    if movie.lostTagCount > 0 { words.append(QuantityText.count(movie.lostTagCount, "long tag")) }
    if movie.hasUnreadChapters {
      let count = tags.chapters.count
      words.append(count == 0 ? "the chapters" : "the chapters after the first \(count)")
    }
    return InputTags(tags, lost: words, name: name)
  }
}
