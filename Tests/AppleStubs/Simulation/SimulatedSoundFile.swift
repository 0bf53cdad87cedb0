import AudioToolbox
import Glibc

/// An open file of Sun audio with 16-bit samples, which is read as interleaved single precision.
///
/// It has its own parser, because one shared with the code under test would hide its faults.
@safe
final class SimulatedSoundFile {
  private let file: UnsafeMutablePointer<FILE>
  private let format: AudioStreamBasicDescription
  /// The offset of the first sample in bytes.
  private let dataOffset: Int
  /// The number of frames in the header, which may differ from that in the file.
  private let frameCount: Int
  /// Whether the program has requested a format.
  private var hasClientFormat = false
  private var position = 0

  /// Opens a file; throws the system's error for a missing, unknown or invalid file.
  init(_ path: UnsafePointer<CChar>) throws(FileFault) {
    guard let opened = unsafe fopen(path, "rb") else { throw FileFault(status: FileCode.notFound) }
    let head = unsafe Self.bytes(of: opened, at: 0, count: 24)
    let status = Self.status(head)
    if status != 0 {
      _ = unsafe fclose(opened)
      throw FileFault(status: status)
    }
    unsafe file = unsafe opened
    let channelCount = Self.number(head, at: 20)
    format = Self.format(
      flags: 1 << 1 | 1 << 2 | kAudioFormatFlagIsPacked, bits: 16,
      rate: Double(Self.number(head, at: 16)), channelCount: channelCount)
    dataOffset = Int(Self.number(head, at: 4))
    frameCount = Int(Self.number(head, at: 8) / (2 * channelCount))
  }

  deinit { _ = unsafe fclose(file) }

  private static func status(_ head: [UInt8]) -> Int32 {
    guard head.prefix(4).elementsEqual(".snd".utf8) else { return FileCode.unsupportedFileType }
    guard head.count == 24, number(head, at: 20) > 0 else { return FileCode.invalidFile }
    // 3 means 16-bit integers.
    return number(head, at: 12) == 3 ? 0 : FileCode.unsupportedDataFormat
  }

  /// Returns the big-endian number of four bytes at `offset`.
  private static func number(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func bytes(
    of file: UnsafeMutablePointer<FILE>, at offset: Int, count: Int
  ) -> [UInt8] {
    guard unsafe fseek(file, offset, SEEK_SET) == 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let found = unsafe fread(&bytes, 1, count, file)
    return Array(bytes.prefix(found))
  }

  private static func format(
    flags: UInt32, bits: UInt32, rate: Double, channelCount: UInt32
  ) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
      mBytesPerPacket: bits / 8 * channelCount, mFramesPerPacket: 1,
      mBytesPerFrame: bits / 8 * channelCount, mChannelsPerFrame: channelCount,
      mBitsPerChannel: bits, mReserved: 0)
  }

  // MARK: Properties

  /// Returns the bytes of a property, or nil if there is no such property or the file has no value
  /// for it.
  func value(of property: UInt32) -> [UInt8]? {
    switch property {
    case kExtAudioFileProperty_FileDataFormat: bytes(format)
    case kExtAudioFileProperty_FileLengthFrames: bytes(Int64(frameCount))
    case kExtAudioFileProperty_FileChannelLayout:
      // A tag, no bitmap and no descriptions.
      SimulatedFiles.changes.layoutTag.map { bytes($0) + bytes(UInt64(0)) }
    default: nil
    }
  }

  private func bytes(_ value: some BitwiseCopyable) -> [UInt8] {
    unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
  }

  /// Sets the format requested by the program.
  ///
  /// It must be interleaved single precision at the rate and with the channels of the file. Real
  /// files support more formats.
  func set(_ property: UInt32, _ data: UnsafeRawPointer, _ size: UInt32) -> Int32 {
    guard property == kExtAudioFileProperty_ClientDataFormat else {
      return FileCode.invalidProperty
    }
    guard size == MemoryLayout<AudioStreamBasicDescription>.size else {
      return FileCode.invalidPropertySize
    }
    let wanted = unsafe data.loadUnaligned(as: AudioStreamBasicDescription.self)
    let supported = Self.format(
      flags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, bits: 32,
      rate: format.mSampleRate, channelCount: format.mChannelsPerFrame)
    guard bytes(wanted) == bytes(supported) else { return FileCode.invalidDataFormat }
    hasClientFormat = true
    return 0
  }

  // MARK: Frames

  /// Reads the next frames into the buffers, up to their capacity; no frames at the end.
  func read(
    _ count: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> Int32 {
    let wanted = unsafe Int(count.pointee)
    unsafe count.pointee = 0
    guard hasClientFormat, unsafe list.pointee.mNumberBuffers == 1,
      let data = unsafe list.pointee.mBuffers.mData
    else { return FileCode.parameter }
    let size = Int(format.mBytesPerFrame)
    let room = unsafe Int(list.pointee.mBuffers.mDataByteSize) / (2 * size)
    let length = min(
      wanted, room, SimulatedFiles.changes.largestFrameCount, frameCount - position)
    let found = unsafe Self.bytes(
      of: file, at: dataOffset + position * size, count: max(0, length) * size)
    let frames = found.count / size
    for index in 0..<frames * size / 2 {
      let sample = Int16(bitPattern: UInt16(found[2 * index]) << 8 | UInt16(found[2 * index + 1]))
      unsafe data.storeBytes(
        of: Float(sample) / 32_768, toByteOffset: 4 * index, as: Float.self)
    }
    position += frames
    unsafe count.pointee = UInt32(frames)
    unsafe list.pointee.mBuffers.mDataByteSize = UInt32(2 * size * frames)
    return 0
  }

  func seek(to frame: Int64) -> Int32 {
    guard (0...Int64(frameCount)).contains(frame) else { return FileCode.parameter }
    position = Int(frame)
    return 0
  }
}

/// The reason why a file cannot be read.
struct FileFault: Error {
  let status: Int32
}

/// Error codes of the calls for files, from CoreAudioBaseTypes.h, AudioFile.h and
/// ExtendedAudioFile.h.
enum FileCode {
  static let notFound: Int32 = -43
  static let parameter: Int32 = -50
  static let unsupportedFileType = status("typ?")
  static let unsupportedDataFormat = status("fmt?")
  static let invalidFile = status("dta?")
  static let invalidProperty: Int32 = -66_561
  static let invalidPropertySize: Int32 = -66_562
  static let invalidDataFormat: Int32 = -66_566
}
