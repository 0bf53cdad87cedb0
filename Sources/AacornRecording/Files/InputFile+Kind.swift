import AacornSignal
import AacornSoundFiles

extension InputFile {
  /// What a file is that begins with `head`, which was read from it.
  ///
  /// Behind a tag that is longer than that is looked where the file allows it; afterwards the file
  /// is where it was.
  func kind(startingWith head: [UInt8]) throws(AACFileError) -> PCMFileKind {
    let kind = PCMFileKind(prefix: head.span)
    if kind == .other(.taggedWithID3), let end = PCMFileKind.tagByteCount(head.span) {
      let behind = try bytes(from: end, besides: head)
      let inner = PCMFileKind(prefix: behind.span)
      if inner != .unknown && inner != kind { return inner }
    }
    guard kind.mayHideMPEGAudio(head), isSeekable else { return kind }
    let origin = position
    var scanner = mpegScanner
    let hasFrames = try scanner.hasFrames()
    try seek(to: origin)
    return hasFrames ? .other(.mp3) : kind
  }

  /// The frames of MPEG audio; nil if there are none, or none that tell their length.
  ///
  /// Afterwards the file is where it was.
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

  /// The bytes from a place on, as many as tell a kind; none if they cannot be had.
  private func bytes(from start: Int, besides head: [UInt8]) throws(AACFileError) -> [UInt8] {
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
  /// Whether there may be MPEG audio behind another tag, zeros or a frame that is cut off.
  func mayHideMPEGAudio(_ head: [UInt8]) -> Bool {
    switch self {
    case .other(.taggedWithID3): true
    case .unknown: head.first == 0xFF || head.starts(with: [0, 0, 0, 0])
    default: false
    }
  }
}

extension PCMFileKind.Other {
  /// What a file of this kind is, as the end of a sentence.
  var phrase: String {
    switch self {
    case .flac: "a FLAC file"
    case .mp3: "an MP3 file"
    case .taggedWithID3: "an MP3 or AAC file behind an ID3 tag"
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

  /// Whether the AAC in it is decoded.
  var isDecoded: Bool { mayHoldAAC && self != .taggedWithID3 }

  /// Whether AAC is looked for in it.
  var mayHoldAAC: Bool {
    switch self {
    case .mp4, .adts, .adif, .loas, .transportStream, .taggedWithID3: true
    default: false
    }
  }
}
