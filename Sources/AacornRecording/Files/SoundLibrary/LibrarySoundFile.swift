#if os(Linux)
import AacornSignal
import AacornSoundFiles
import AacornSystem
import CAacornSndFile

/// A sound file that libsndfile decodes to interleaved Floats, usually from −1 to 1.
///
/// One thread at a time may use it. The caller owns the descriptor and must keep it open; its
/// position does not change.
@safe
final class LibrarySoundFile {
  /// Frames per second.
  let sampleRate: Int
  /// Samples per frame.
  let channelCount: Int
  /// The position of each channel, if the file or its format specifies it.
  let layout: ChannelLayout?
  /// The number of frames in the header, which may be too high; nil if there is none.
  let frameCount: Int?
  /// The index of the next frame.
  private(set) var position = 0
  let mpegFrames: MPEGAudioFrames?
  private let file: OpaquePointer
  /// The stream to read instead of a file.
  private let stream: MPEGAudioStream?

  /// Opens the bytes of a descriptor from `origin` on; the path is unused.
  ///
  /// For MPEG audio the library gets only the frames. It would report other data on standard error,
  /// or reject the file.
  convenience init(
    path: String?, descriptor: Int32, origin: Int, byteCount: Int, frames: MPEGAudioFrames? = nil
  ) throws(SoundLibraryError) {
    let functions = try unsafe Self.functions.get()
    var problem = aacorn_sndfile_trouble()
    let pieces = (frames?.pieces ?? [0..<byteCount]).map { range in
      aacorn_sndfile_piece(
        offset: Int64(origin + range.lowerBound), byte_count: Int64(range.count))
    }
    guard
      let file = unsafe aacorn_sndfile_open(
        functions, descriptor, pieces, Int64(pieces.count), &problem)
    else {
      throw unsafe Self.error(problem, version: Int(aacorn_sndfile_version(functions)))
    }
    try unsafe self.init(file, frames: frames, stream: nil)
  }

  /// Opens MPEG audio from a pipe.
  convenience init(_ stream: MPEGAudioStream) throws(SoundLibraryError) {
    let functions = try unsafe Self.functions.get()
    var problem = aacorn_sndfile_trouble()
    let supply: aacorn_sndfile_supply = { context, bytes, count in
      guard let context = unsafe context else { return 0 }
      let stream = unsafe Unmanaged<MPEGAudioStream>.fromOpaque(context).takeUnretainedValue()
      return unsafe Int64(
        stream.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))))
    }
    guard
      let file = unsafe aacorn_sndfile_open_stream(
        functions, supply, Unmanaged.passUnretained(stream).toOpaque(), &problem)
    else {
      throw unsafe Self.error(problem, version: Int(aacorn_sndfile_version(functions)))
    }
    try unsafe self.init(file, frames: nil, stream: stream)
  }

  /// Creates a reader of a file that the library has opened; closes an unusable file.
  private init(
    _ file: OpaquePointer, frames: MPEGAudioFrames?, stream: MPEGAudioStream?
  ) throws(SoundLibraryError) {
    let format = unsafe aacorn_sndfile_get_format(file).pointee
    sampleRate = Int(format.sample_rate)
    channelCount = Int(format.channels)
    frameCount = format.frames < 0 ? nil : Int(format.frames)
    guard (1...PCMFileReader.maximumChannelCount).contains(channelCount) else {
      unsafe aacorn_sndfile_close(file)
      throw .unsupportedChannelCount(channelCount)
    }
    guard (1...PCMFileReader.maximumSampleRate).contains(sampleRate) else {
      unsafe aacorn_sndfile_close(file)
      throw .unsupportedSampleRate(sampleRate)
    }
    layout = unsafe Self.layout(of: file, format, channelCount: channelCount)
    mpegFrames = frames
    self.stream = stream
    unsafe self.file = unsafe file
  }

  deinit { unsafe aacorn_sndfile_close(file) }

  var bytesPerFrame: Int { MemoryLayout<Float>.size * channelCount }

  /// Reads the next frames into memory aligned for Floats, and returns their number: fewer than
  /// requested only at the end, or after an error.
  func read(into memory: UnsafeMutableRawBufferPointer) -> Int {
    let wanted = memory.count / bytesPerFrame
    let count = unsafe Int(aacorn_sndfile_read(file, memory.baseAddress, Int64(wanted)))
    position += count
    return count
  }

  /// The system's error that ended reading; nil at an ordinary end.
  var systemError: SystemError? {
    var problem = aacorn_sndfile_trouble()
    unsafe aacorn_sndfile_get_trouble(file, &problem)
    return problem.system_error == 0 ? nil : SystemError(code: problem.system_error)
  }

  /// The error that ended reading a stream early; nil at its end.
  var streamFailure: AACFileError? { stream?.failure }

  /// Seeks to the first frame; returns false if the file has changed.
  func rewind() -> Bool {
    position = 0
    return unsafe aacorn_sndfile_rewind(file) != 0
  }

  private nonisolated(unsafe) static let functions:
    Result<UnsafeMutablePointer<aacorn_sndfile_functions>, SoundLibraryError> = {
      let library = "libsndfile.so.1"
      return unsafe System.loadLibrary(library, symbols: aacorn_sndfile_symbols()).mapError {
        fault in
        System.isMissing(library, accordingTo: fault.text)
          ? .libraryMissing(library: library, package: "libsndfile1")
          : .libraryUnsuitable(library: library, reason: fault.text)
      }
    }()

  private static func error(
    _ problem: aacorn_sndfile_trouble, version: Int
  ) -> SoundLibraryError {
    if problem.system_error != 0 { return .system(SystemError(code: problem.system_error)) }
    let words = unsafe withUnsafeBytes(of: problem.words) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    // “Error : …”, with or without a full stop.
    let end = words.last == "." ? words.dropLast() : words[...]
    let start = end.hasPrefix("Error : ") ? end.dropFirst(8) : end
    let number = "\(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"
    return .refused(library: "libsndfile \(number)", version: version, reason: String(start))
  }

  private static func layout(
    of file: OpaquePointer, _ format: aacorn_sndfile_format, channelCount: Int
  ) -> ChannelLayout? {
    var channels = [Int32](repeating: 0, count: channelCount)
    if unsafe aacorn_sndfile_get_channels(file, &channels, Int32(channelCount)) != 0,
      let layout = ChannelLayout(libraryChannels: channels)
    {
      return layout
    }
    switch Int(format.format) & AACORN_SNDFILE_CONTAINER_MASK {
    case AACORN_SNDFILE_FLAC: return ChannelLayout(flacChannelCount: channelCount)
    case AACORN_SNDFILE_OGG: return ChannelLayout(vorbisChannelCount: channelCount)
    default: return nil
    }
  }
}

extension ChannelLayout {
  /// Creates the layout for libsndfile's channel numbers; nil if one is unknown.
  fileprivate init?(libraryChannels channels: [Int32]) {
    var speakers: [SpeakerPosition] = []
    for channel in channels {
      switch Int(channel) {
      case AACORN_SNDFILE_CHANNEL_LEFT, AACORN_SNDFILE_CHANNEL_FRONT_LEFT:
        speakers.append(.frontLeft)
      case AACORN_SNDFILE_CHANNEL_RIGHT, AACORN_SNDFILE_CHANNEL_FRONT_RIGHT:
        speakers.append(.frontRight)
      case AACORN_SNDFILE_CHANNEL_MONO, AACORN_SNDFILE_CHANNEL_CENTER,
        AACORN_SNDFILE_CHANNEL_FRONT_CENTER:
        speakers.append(.frontCenter)
      case AACORN_SNDFILE_CHANNEL_LFE: speakers.append(.lowFrequency)
      case AACORN_SNDFILE_CHANNEL_REAR_LEFT: speakers.append(.backLeft)
      case AACORN_SNDFILE_CHANNEL_REAR_RIGHT: speakers.append(.backRight)
      case AACORN_SNDFILE_CHANNEL_REAR_CENTER: speakers.append(.backCenter)
      case AACORN_SNDFILE_CHANNEL_SIDE_LEFT: speakers.append(.sideLeft)
      case AACORN_SNDFILE_CHANNEL_SIDE_RIGHT: speakers.append(.sideRight)
      case AACORN_SNDFILE_CHANNEL_FRONT_LEFT_OF_CENTER: speakers.append(.frontLeftOfCenter)
      case AACORN_SNDFILE_CHANNEL_FRONT_RIGHT_OF_CENTER: speakers.append(.frontRightOfCenter)
      default: return nil
      }
    }
    self.init(speakers)
  }
}

extension ChannelLayout {
  /// Creates the layout that FLAC defines for this number of channels (RFC 9639, section 9.1.3).
  init?(flacChannelCount count: Int) {
    let masks: [UInt32] = [0x4, 0x3, 0x7, 0x33, 0x37, 0x3F, 0x70F, 0x63F]
    guard masks.indices.contains(count - 1) else { return nil }
    self.init(waveMask: masks[count - 1], channelCount: count)
  }

  /// Creates the layout that Vorbis defines for this number of channels (Vorbis I, section 4.3.9),
  /// also used by Opus (RFC 7845, section 5.1.1.2).
  init?(vorbisChannelCount count: Int) {
    let front: [SpeakerPosition] = [.frontLeft, .frontCenter, .frontRight]
    switch count {
    case 1: self.init([.frontCenter])
    case 2: self.init([.frontLeft, .frontRight])
    case 3: self.init(front)
    case 4: self.init([.frontLeft, .frontRight, .backLeft, .backRight])
    case 5: self.init(front + [.backLeft, .backRight])
    case 6: self.init(front + [.backLeft, .backRight, .lowFrequency])
    case 7: self.init(front + [.sideLeft, .sideRight, .backCenter, .lowFrequency])
    case 8: self.init(front + [.sideLeft, .sideRight, .backLeft, .backRight, .lowFrequency])
    default: return nil
    }
  }
}
#endif
