#if canImport(AudioToolbox) && !os(watchOS)
import AacornSignal
import AacornSoundFiles
import AacornSystem
import AudioToolbox
import CoreFoundation

/// A sound file that Audio Toolbox decodes to interleaved Floats, usually from −1 to 1.
///
/// One thread at a time may use it.
@safe
final class LibrarySoundFile {
  /// Frames per second.
  let sampleRate: Int
  /// Samples per frame.
  let channelCount: Int
  /// The position of each channel, if the file specifies it.
  let layout: ChannelLayout?
  /// The number of frames in the header, which may be too high; nil if there is none.
  let frameCount: Int?
  /// The index of the next frame.
  private(set) var position = 0
  let mpegFrames: MPEGAudioFrames?
  private let file: ExtAudioFileRef
  private var status: OSStatus = 0

  /// Opens the file at a path; a file without a path is not supported, and the descriptor is
  /// unused.
  init(
    path: String?, descriptor: Int32, origin: Int, byteCount: Int, frames: MPEGAudioFrames? = nil
  ) throws(SoundLibraryError) {
    guard let path, origin == 0 else { throw .unavailable }
    let name = PathText.encode(path)
    let url = unsafe name.withUnsafeBufferPointer { bytes in
      unsafe CFURLCreateFromFileSystemRepresentation(nil, bytes.baseAddress, bytes.count, false)
    }
    guard let url else { throw .system(.notFound) }
    var opened: ExtAudioFileRef?
    let status = unsafe ExtAudioFileOpenURL(url, &opened)
    guard status == 0, let file = unsafe opened else { throw Self.error(status) }
    do throws(SoundLibraryError) {
      let found = unsafe try Self.describe(file)
      sampleRate = Int(found.mSampleRate)
      channelCount = Int(found.mChannelsPerFrame)
      unsafe try Self.choose(rate: found.mSampleRate, channels: found.mChannelsPerFrame, file)
    } catch {
      _ = unsafe ExtAudioFileDispose(file)
      throw error
    }
    frameCount = unsafe Self.length(file)
    layout = unsafe Self.layout(file, channelCount: channelCount)
    mpegFrames = frames
    unsafe self.file = unsafe file
  }

  deinit { _ = unsafe ExtAudioFileDispose(file) }

  var bytesPerFrame: Int { MemoryLayout<Float>.size * channelCount }

  /// Reads the next frames into memory aligned for Floats, and returns their number: fewer than
  /// requested only at the end, or after an error.
  func read(into memory: UnsafeMutableRawBufferPointer) -> Int {
    guard let start = memory.baseAddress else { return 0 }
    let wanted = memory.count / bytesPerFrame
    var filled = 0
    while filled < wanted {
      var count = UInt32(clamping: wanted - filled)
      var list = unsafe AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: UInt32(channelCount),
          mDataByteSize: UInt32(clamping: (wanted - filled) * bytesPerFrame),
          mData: start + filled * bytesPerFrame))
      status = unsafe ExtAudioFileRead(file, &count, &list)
      if status != 0 || count == 0 { break }
      filled += Int(count)
    }
    position += filled
    return filled
  }

  /// Nil: the library does not distinguish disk errors from file errors.
  var systemError: SystemError? { nil }

  /// Seeks to the first frame; returns false if that fails.
  func rewind() -> Bool {
    position = 0
    return unsafe ExtAudioFileSeek(file, 0) == 0
  }

  private static func error(_ status: OSStatus) -> SoundLibraryError {
    // −43 is fnfErr of MacErrors.h. Audio Toolbox opens the path again, and the file may have been
    // deleted in the meantime.
    if status == -43 { return .system(.notFound) }
    return .refused(library: "Audio Toolbox", version: .max, reason: "error \(status)")
  }

  /// Returns the format of the file; throws if its channel count or rate is out of range.
  private static func describe(
    _ file: ExtAudioFileRef
  ) throws(SoundLibraryError) -> AudioStreamBasicDescription {
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    let status = unsafe ExtAudioFileGetProperty(
      file, kExtAudioFileProperty_FileDataFormat, &size, &format)
    if status != 0 { throw error(status) }
    let count = Int(format.mChannelsPerFrame)
    guard (1...PCMFileReader.maximumChannelCount).contains(count) else {
      throw .unsupportedChannelCount(count)
    }
    // NaN fails the first comparison.
    let rate = format.mSampleRate
    guard rate >= 1, rate <= Double(PCMFileReader.maximumSampleRate) else {
      throw .unsupportedSampleRate(rate > 0 ? Int(clamping: Int64(min(rate, 1e15))) : 0)
    }
    return format
  }

  /// Requests interleaved Floats at the file's rate.
  private static func choose(
    rate: Double, channels: UInt32, _ file: ExtAudioFileRef
  ) throws(SoundLibraryError) {
    let frameSize = 4 * channels
    var format = AudioStreamBasicDescription(
      mSampleRate: Double(Int(rate)), mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
      mBytesPerPacket: frameSize, mFramesPerPacket: 1, mBytesPerFrame: frameSize,
      mChannelsPerFrame: channels, mBitsPerChannel: 32, mReserved: 0)
    let status = unsafe ExtAudioFileSetProperty(
      file, kExtAudioFileProperty_ClientDataFormat,
      UInt32(MemoryLayout<AudioStreamBasicDescription>.size), &format)
    if status != 0 { throw error(status) }
  }

  private static func length(_ file: ExtAudioFileRef) -> Int? {
    var count: Int64 = 0
    var size = UInt32(MemoryLayout<Int64>.size)
    let status = unsafe ExtAudioFileGetProperty(
      file, kExtAudioFileProperty_FileLengthFrames, &size, &count)
    return status == 0 && count > 0 ? Int(count) : nil
  }

  /// Returns the layout, if it has a dedicated tag or a bit mask.
  private static func layout(_ file: ExtAudioFileRef, channelCount: Int) -> ChannelLayout? {
    var size: UInt32 = 0
    var isWritable: DarwinBoolean = false
    guard
      unsafe ExtAudioFileGetPropertyInfo(
        file, kExtAudioFileProperty_FileChannelLayout, &size, &isWritable) == 0,
      Int(size) >= 12
    else { return nil }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(size), alignment: 8)
    defer { unsafe memory.deallocate() }
    guard let start = memory.baseAddress,
      unsafe ExtAudioFileGetProperty(
        file, kExtAudioFileProperty_FileChannelLayout, &size, start) == 0
    else { return nil }
    // The tag and the bit mask are the first words of the structure.
    let tag = unsafe start.load(as: UInt32.self)
    if tag == ChannelLayout.tagForBitmap {
      return ChannelLayout(
        waveMask: unsafe start.load(fromByteOffset: 4, as: UInt32.self), channelCount: channelCount)
    }
    return ChannelLayout(coreAudioTag: tag, channelCount: channelCount)
  }
}
#elseif !os(Linux)
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// A placeholder for systems without a sound library.
final class LibrarySoundFile {
  let sampleRate = 0
  let channelCount = 0
  let layout: ChannelLayout? = nil
  let frameCount: Int? = nil
  let position = 0
  let mpegFrames: MPEGAudioFrames? = nil
  let bytesPerFrame = 1
  let systemError: SystemError? = nil

  init(
    path: String?, descriptor: Int32, origin: Int, byteCount: Int, frames: MPEGAudioFrames? = nil
  ) throws(SoundLibraryError) {
    throw .unavailable
  }

  func read(into memory: UnsafeMutableRawBufferPointer) -> Int { 0 }

  func rewind() -> Bool { false }
}
#endif
