public import AacornSignal
import AacornSoundFiles
import AacornSystem

/// Reads a sound file as samples.
///
/// The formats are WAV, AIFF, CAF; AAC in ADTS, LATM, ADIF, MP4 or a transport stream; and formats
/// of the system's sound library, such as FLAC and MP3.
///
///     let reader = try SoundFileReader("song.m4a")
///     var samples: [Float] = []
///     while try reader.read(frameCount: 4096, into: &samples) > 0 {
///       …
///       samples.removeAll(keepingCapacity: true)
///     }
///
/// Reading blocks for the disk; apps can use ``SoundFileBuffers`` instead. One thread at a time may
/// use a reader.
public final class SoundFileReader {
  /// The format of a file's audio.
  public struct Info: Equatable, Sendable {
    /// Frames per second.
    public let sampleRate: Int
    /// Samples per frame.
    public let channelCount: Int
    /// The loudspeaker of each channel, if the file specifies it.
    public let layout: ChannelLayout?
    /// The number of frames, if known in advance.
    public let frameCount: Int?
    /// Whether the samples are decoded from AAC.
    public let isAAC: Bool
  }

  /// The format of the file's audio.
  public let info: Info
  private var source: SoundSource
  private var frames: PCMFrameReader
  /// Samples; the ones from `first` on are unread.
  private var waiting: [Float] = []
  private var first = 0

  /// Opens a file and reads its header.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: The reason why the file cannot be read.
  public init(_ path: String) throws(AACFileError) {
    source = try SoundSource(
      .file(AACFile.filePath(path)), rawFormat: nil, interruption: Interruption())
    let format = source.info.format
    info = Info(
      sampleRate: format.sampleRate, channelCount: format.channelCount, layout: format.layout,
      frameCount: source.frameCount, isAAC: source.codedSound != nil)
    frames = PCMFrameReader(format: format, byteCount: source.info.dataByteCount)
  }

  /// Appends the next frames, interleaved, and returns their number: fewer than requested only at
  /// the end.
  public func read(
    frameCount: Int, into samples: inout [Float]
  ) throws(AACFileError) -> Int {
    let wanted = frameCount * info.channelCount
    var taken = 0
    while taken < wanted {
      if first == waiting.count {
        waiting.removeAll(keepingCapacity: true)
        first = 0
        guard !frames.isAtEnd, let range = try source.next() else { break }
        source.pass(range, to: &frames, into: &waiting)
        continue
      }
      let count = min(wanted - taken, waiting.count - first)
      samples += waiting[first..<first + count]
      first += count
      taken += count
    }
    return taken / info.channelCount
  }
}
