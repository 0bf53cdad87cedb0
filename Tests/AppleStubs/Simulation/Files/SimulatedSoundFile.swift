import AudioToolbox

/// An open audio file, with the format that the program requests.
@safe
final class SimulatedSoundFile {
  let header: SoundFileHeader
  private let file: SoundFileBytes
  /// The format requested by the program; nil until it is set.
  private var clientFormat: AudioStreamBasicDescription?
  private var position = 0
  private var hasBegun = false

  init(_ path: UnsafePointer<CChar>) throws(FileFault) {
    file = unsafe try SoundFileBytes(path)
    header = try SoundFileHeader(file)
  }

  // MARK: Properties

  /// Returns the bytes of a property, or nil if there is no such property or the file has no value
  /// for it.
  func value(of property: UInt32) -> [UInt8]? {
    switch property {
    case kExtAudioFileProperty_FileDataFormat: bytes(header.format)
    case kExtAudioFileProperty_ClientDataFormat: bytes(clientFormat ?? header.format)
    case kExtAudioFileProperty_FileLengthFrames: bytes(Int64(header.frameCount))
    case kExtAudioFileProperty_FileChannelLayout: header.layout.isEmpty ? nil : header.layout
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
    guard wanted.mFormatID == kAudioFormatLinearPCM else { return FileCode.nonPCMClientFormat }
    let channelCount = header.format.mChannelsPerFrame
    guard wanted.mFormatFlags == kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
      wanted.mBitsPerChannel == 32, wanted.mFramesPerPacket == 1,
      wanted.mChannelsPerFrame == channelCount, wanted.mBytesPerFrame == 4 * channelCount,
      wanted.mBytesPerPacket == 4 * channelCount,
      wanted.mSampleRate == header.format.mSampleRate
    else { return FileCode.invalidDataFormat }
    if hasBegun { return FileCode.invalidOperationOrder }
    clientFormat = wanted
    return 0
  }

  // MARK: Frames

  /// Reads the next frames into the buffers, up to their capacity; no frames at the end.
  func read(
    _ count: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> Int32 {
    let wanted = unsafe Int(count.pointee)
    unsafe count.pointee = 0
    guard let format = clientFormat else { return FileCode.invalidOperationOrder }
    guard unsafe list.pointee.mNumberBuffers == 1, let data = unsafe list.pointee.mBuffers.mData
    else { return FileCode.parameter }
    hasBegun = true
    let room = unsafe Int(list.pointee.mBuffers.mDataByteSize / format.mBytesPerFrame)
    let changes = SimulatedFiles.changes
    var length = min(wanted, room, changes.largestFrameCount, header.frameCount - position)
    if let failure = changes.failure {
      if position >= failure.frame { return failure.status }
      length = min(length, failure.frame - position)
    }
    let size = Int(header.format.mBytesPerFrame)
    let bytes = file.bytes(at: header.dataOffset + position * size, count: max(0, length) * size)
    let frameCount = bytes.count / size
    let samples = header.samples(Array(bytes.prefix(frameCount * size)))
    for (index, sample) in samples.enumerated() {
      unsafe data.storeBytes(of: sample, toByteOffset: 4 * index, as: Float.self)
    }
    position += frameCount
    unsafe count.pointee = UInt32(frameCount)
    unsafe list.pointee.mBuffers.mDataByteSize = UInt32(4 * samples.count)
    return 0
  }

  func seek(to frame: Int64) -> Int32 {
    guard (0...Int64(header.frameCount)).contains(frame) else { return FileCode.invalidSeek }
    position = Int(frame)
    return 0
  }
}
