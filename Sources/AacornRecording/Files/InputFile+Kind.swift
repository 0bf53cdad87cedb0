import AacornSignal
import AacornSoundFiles
import AacornSystem

extension InputFile {
  /// Returns the kind of a file that begins with `head`.
  ///
  /// If `head` contains only a tag, the bytes after the tag are read if the file is seekable. The
  /// position does not change.
  func kind(startingWith head: [UInt8]) throws(AACFileError) -> PCMFileKind {
    let kind = PCMFileKind(prefix: head.span)
    if kind == .other(.taggedWithID3), let end = PCMFileKind.tagByteCount(head.span) {
      let afterTag = try bytes(from: end, reusing: head)
      let inner = PCMFileKind(prefix: afterTag.span)
      if inner != .unknown && inner != kind { return inner }
    }
    guard kind.mayPrecedeMPEGAudio(head), isSeekable else { return kind }
    let origin = position
    var scanner = mpegScanner
    let hasFrames = try scanner.hasFrames()
    try seek(to: origin)
    return hasFrames ? .other(.mp3) : kind
  }

  /// Returns the frames of MPEG audio; nil if there are none, or none with a known length.
  ///
  /// The position does not change.
  func mpegFrames() throws(AACFileError) -> MPEGAudioFrames? {
    let origin = position
    var scanner = mpegScanner
    let frames = try scanner.frames()
    try seek(to: origin)
    return frames
  }

  private var mpegScanner: MPEGAudioScanner<AACFileError> {
    MPEGAudioScanner(byteCount: size ?? 0) { (offset, count) throws(AACFileError) in
      try self.bytes(at: offset, count: count)
    }
  }

  /// Returns the bytes from an offset that are needed to detect a kind; empty if the file is not
  /// seekable.
  private func bytes(from start: Int, reusing head: [UInt8]) throws(AACFileError) -> [UInt8] {
    if start + 4 <= head.count { return Array(head[start...]) }
    guard isSeekable else { return [] }
    let origin = position
    try seek(to: start)
    var bytes = [UInt8](repeating: 0, count: PCMFileKind.longPrefixCount)
    let count = try read(into: &bytes)
    try seek(to: origin)
    return Array(bytes[..<count])
  }
}

extension PCMFileKind {
  /// Returns whether MPEG audio may follow another tag, zeros or a partial frame.
  func mayPrecedeMPEGAudio(_ head: [UInt8]) -> Bool {
    switch self {
    case .other(.taggedWithID3): true
    case .unknown: head.first == 0xFF || head.starts(with: [0, 0, 0, 0])
    default: false
    }
  }
}

extension PCMFileKind.Other {
  /// The name of the kind with an article, as the end of a sentence.
  var phrase: String {
    switch self {
    case .flac: "a FLAC file"
    case .mp3: "an MP3 file"
    case .taggedWithID3: "an MP3 or AAC file with an ID3 tag"
    case .ogg: "an Ogg file"
    case .mp4: "an MP4 file"
    case .adts, .adif, .loas: "an AAC file"
    case .matroska: "a Matroska or WebM file"
    case .wavPack: "a WavPack file"
    case .monkeysAudio: "a Monkey's Audio file"
    case .asf: "a Windows Media file"
    case .wave64: "a Wave64 file"
    case .sunAudio: "a Sun audio file"
    case .avi: "an AVI file"
    case .transportStream: "an MPEG transport stream"
    case .programStream: "an MPEG program stream"
    case .flashVideo: "a Flash video"
    case .midi: "a MIDI file, which contains notes, not sound"
    }
  }

  /// Whether AAC in this kind of file can be decoded.
  var isDecoded: Bool { mayHoldAAC && self != .taggedWithID3 }

  var mayHoldAAC: Bool {
    switch self {
    case .mp4, .adts, .adif, .loas, .transportStream, .taggedWithID3: true
    default: false
    }
  }
}

extension InputFile {
  /// Throws if the file is known to contain no AAC, or AAC in an unsupported form; the error names
  /// the form.
  ///
  /// `head` is the beginning of the file: at least `PCMFileKind.longPrefixCount` bytes, or the
  /// complete file.
  package func rejectKnownNonAAC(_ head: [UInt8]) throws(AACFileError) {
    let name: String
    switch try kind(startingWith: head) {
    case .unknown: return
    case .other(let format):
      if format.mayHoldAAC { return }
      throw AACFileError(.unsupported, "“\(displayed(path))” is \(format.phrase).", .inspectAAC)
    case .wav: name = "a WAV file"
    case .aiff: name = "an AIFF file"
    case .caf: name = "a CAF file"
    }
    var content = ""
    var reader = PCMFileReader(canSeek: false)
    do throws(PCMFileError) {
      if case .ready(let info) = try reader.push(head.span) {
        let rate = QuantityText.frequency(info.format.sampleRate)
        let channels = QuantityText.count(info.format.channelCount, "channel")
        content = " with PCM audio (\(rate), \(channels)) and without AAC"
      }
    } catch {
      // The file is neither a sound file nor AAC, such as a picture in RIFF.
      if error == .notRecognized { return }
    }
    throw AACFileError(
      .unsupported, "“\(displayed(path))” is \(name)\(content).",
      content.isEmpty ? .inspectAAC : .encode)
  }
}
