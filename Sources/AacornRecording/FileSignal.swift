public import AacornDevices
public import AacornSignal
import AacornSoundFiles
import AacornSystem

/// A sound file as a signal, so that it can be recorded like a microphone: WAV, AIFF or CAF, or what
/// the system's sound library reads.
///
/// A copy reads independently: the position in the file belongs to the value.
public struct FileSignal: SyntheticSignal {
  /// Frames per second.
  public let sampleRate: Int
  /// Samples per frame.
  public let channelCount: Int
  /// What each channel is, if the file says so.
  public let layout: ChannelLayout?
  /// How many frames there are, if the file says so.
  public let frameCount: Int?
  /// Why reading ended early.
  public private(set) var failure: CaptureError?

  private let handle: Handle
  // One of them is there. A copy of either would have to copy the memory that it reads into.
  private var stored: StoredSound?
  private var decoded: DecodedSound?

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

    /// Some bytes at a place; none if they cannot be had.
    func bytes(at position: Int) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: PCMFileKind.longPrefixCount)
      let count = (try? System.read(descriptor, into: &bytes, at: position)) ?? 0
      return Array(bytes[..<count])
    }
  }

  /// Opens a file and reads its header.
  public init(path: String) throws(CaptureError) {
    try self.init(path: path, usesLibrary: true)
  }

  /// Opens a file, and if our own readers refuse it and `usesLibrary` is set, with the system's
  /// library.
  init(path: String, usesLibrary: Bool) throws(CaptureError) {
    handle = try Handle(path)
    let status = try? System.status(of: handle.descriptor)
    guard let status, status.kind == .file else {
      throw .unreadableFile(path: path, reason: "it is not a regular file")
    }
    let error: PCMFileError
    do throws(PCMFileError) {
      let info = try Self.readHeader(handle)
      sampleRate = info.format.sampleRate
      channelCount = info.format.channelCount
      layout = info.format.layout
      let stored = StoredSound(info, in: handle.descriptor, byteCount: status.size)
      frameCount = stored.frameCount
      self.stored = stored
      return
    } catch let refusal {
      error = refusal
    }
    let file = try Self.librarySound(
      handle, byteCount: status.size, after: error, uses: usesLibrary)
    sampleRate = file.sampleRate
    channelCount = file.channelCount
    layout = file.layout
    frameCount = file.frameCount
    decoded = DecodedSound(file)
  }

  /// Appends the next frames and returns how many: fewer than asked only at the end.
  public mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    let count =
      stored?.read(into: &samples, frameCount: frameCount)
      ?? decoded?.read(into: &samples, frameCount: frameCount)
    let error = stored?.systemError ?? decoded?.systemError
    if let error { failure = .unreadableFile(path: handle.path, reason: error.text) }
    return count ?? 0
  }

  private static func readHeader(_ handle: Handle) throws(PCMFileError) -> PCMFileInfo {
    var reader = PCMFileReader()
    var block = [UInt8](repeating: 0, count: 16_384)
    var position = 0
    while true {
      guard let count = try? System.read(handle.descriptor, into: &block, at: position) else {
        throw .notRecognized
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
  }

  /// The sound in a file that our own readers refuse; throws what is wrong with it if the system's
  /// library does not read it either.
  private static func librarySound(
    _ handle: Handle, byteCount: Int, after error: PCMFileError, uses usesLibrary: Bool
  ) throws(CaptureError) -> LibrarySoundFile {
    let head = handle.bytes(at: 0)
    var kind = PCMFileKind(prefix: head.span)
    if kind == .other(.taggedWithID3), let end = PCMFileKind.tagByteCount(head.span) {
      let inner = PCMFileKind(prefix: handle.bytes(at: end).span)
      if inner != .unknown { kind = inner }
    }
    var reason = "it is not a sound file of a known kind, or is damaged"
    if case .other(let format) = kind { reason = "it is \(format.phrase)" }
    let use = SoundLibraryUse(after: error, kind: kind, head: head)
    if usesLibrary && use != .never {
      do throws(SoundLibraryError) {
        return try LibrarySoundFile(
          path: handle.path, descriptor: handle.descriptor, origin: 0, byteCount: byteCount)
      } catch {
        if case .needed(let format) = use {
          let remedy = error.remedy(for: format).map { "; \($0)" } ?? ""
          reason = "it \(error.clause(for: format))\(remedy)"
        }
      }
    }
    throw .unreadableFile(path: handle.path, reason: reason)
  }
}
