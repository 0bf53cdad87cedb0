public import AacornDevices
public import AacornSignal
import AacornSoundFiles
import AacornSystem

/// A WAV, AIFF or CAF file, or one with AAC, as a signal, so that it can be recorded like a
/// microphone.
///
/// A copy reads independently: the position in the file belongs to the value.
public struct FileSignal: SyntheticSignal {
  /// Frames per second.
  public let sampleRate: Int
  /// Samples per frame.
  public let channelCount: Int
  /// What each channel is, if the file says so.
  public let layout: ChannelLayout?
  /// How many frames there are.
  public let frameCount: Int?
  /// Why reading ended early.
  public private(set) var failure: CaptureError?

  private let handle: Handle
  private let format: SampleFormat
  private let bytesPerFrame: Int
  private var offset: Int
  private let end: Int
  private var bytes: [UInt8] = []
  /// The sound of a file with AAC, in place of samples.
  private var coded: CodedSignal?

  /// The open file, closed with its last copy.
  private final class Handle: Sendable {
    let path: String
    let descriptor: Int32

    init(_ path: String) throws(CaptureError) {
      self.path = path
      do throws(SystemError) {
        descriptor = try System.open(path, for: .reading, waits: false)
      } catch {
        throw .unreadableFile(path: path, reason: error.text)
      }
    }

    deinit { try? System.close(descriptor) }
  }

  /// Opens a file and reads its header.
  public init(path: String) throws(CaptureError) {
    handle = try Handle(path)
    let status = try? System.status(of: handle.descriptor)
    guard let status, status.kind == .file else {
      throw .unreadableFile(path: path, reason: "it is not a regular file")
    }
    let size = status.size
    if try Self.holdsAAC(handle) {
      let coded = try CodedSignal(path: path, descriptor: handle.descriptor, byteCount: size)
      sampleRate = coded.format.sampleRate
      channelCount = coded.format.channelCount
      layout = coded.format.layout
      frameCount = coded.frameCount
      format = SampleFormat(.float32LittleEndian)
      bytesPerFrame = 4 * channelCount
      (offset, end) = (0, 0)
      self.coded = coded
      return
    }
    let info = try Self.readHeader(handle)
    sampleRate = info.format.sampleRate
    channelCount = info.format.channelCount
    layout = info.format.layout
    format = info.format.sampleFormat
    bytesPerFrame = info.format.bytesPerFrame
    offset = Int(clamping: info.dataOffset)
    let rest = max(0, size - offset)
    let count = min(rest, info.dataByteCount.map { Int(clamping: $0) } ?? rest)
    frameCount = count / bytesPerFrame
    end = offset + count / bytesPerFrame * bytesPerFrame
  }

  /// Appends the next frames and returns how many: fewer than asked only at the end.
  public mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    if coded != nil { return readCoded(into: &samples, frameCount: frameCount) }
    let wanted = min(frameCount * bytesPerFrame, end - offset)
    guard wanted > 0 else { return 0 }
    if bytes.count != wanted { bytes = [UInt8](repeating: 0, count: wanted) }
    var filled = 0
    do throws(SystemError) {
      while filled < wanted {
        var piece = filled == 0 ? bytes : [UInt8](repeating: 0, count: wanted - filled)
        let count = try System.read(handle.descriptor, into: &piece, at: offset + filled)
        if count == 0 { break }
        bytes.replaceSubrange(filled..<filled + count, with: piece[..<count])
        filled += count
      }
    } catch {
      failure = .unreadableFile(path: handle.path, reason: error.text)
    }
    let frames = filled / bytesPerFrame
    let used = frames * bytesPerFrame
    SampleConversion.append(bytes.span.extracting(..<used), as: format, to: &samples)
    offset += used
    return frames
  }

  private mutating func readCoded(into samples: inout [Float], frameCount: Int) -> Int {
    do throws(CaptureError) {
      return try coded?.read(
        into: &samples, frameCount: frameCount, descriptor: handle.descriptor) ?? 0
    } catch {
      failure = error
      return 0
    }
  }

  private static func holdsAAC(_ handle: Handle) throws(CaptureError) -> Bool {
    var head = [UInt8](repeating: 0, count: PCMFileKind.longPrefixCount)
    do throws(SystemError) {
      let count = try System.read(handle.descriptor, into: &head, at: 0)
      guard case .other(let kind) = PCMFileKind(prefix: head.span.extracting(..<count)) else {
        return false
      }
      return kind.isDecoded
    } catch {
      throw .unreadableFile(path: handle.path, reason: error.text)
    }
  }

  private static func readHeader(_ handle: Handle) throws(CaptureError) -> PCMFileInfo {
    var reader = PCMFileReader()
    var block = [UInt8](repeating: 0, count: 16_384)
    var position = 0
    do throws(PCMFileError) {
      while true {
        guard let count = try? System.read(handle.descriptor, into: &block, at: position) else {
          throw PCMFileError.notRecognized
        }
        position += count
        let step =
          count == 0 ? try reader.finish() : try reader.push(block.span.extracting(..<count))
        switch step {
        case .needMore: continue
        case .seek(let target): position = Int(clamping: target)
        case .ready(let info): return info
        }
      }
    } catch {
      throw .unreadableFile(
        path: handle.path, reason: "it is not a supported WAV, AIFF or CAF file, nor one with AAC")
    }
  }
}
