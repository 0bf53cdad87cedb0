#if canImport(AudioToolbox) && !os(watchOS)
import AacornContainers
import AudioToolbox

/// Audio Toolbox's converter.
///
/// Calls must not overlap.
@safe
final class AudioConverterHandle: SystemConverter {
  private let converter: AudioConverterRef
  private let channelCount: Int
  /// The samples last fetched by the converter, which may read them until its next fetch.
  private let samples: UnsafeMutablePointer<Float>
  /// The source of samples while the converter makes a packet.
  private var supply: ConverterSupply?

  private static let frameCapacity = 4096

  init(_ order: ConverterOrder) throws(ConverterStatus) {
    var source = AudioStreamBasicDescription(order.source)
    var target = AudioStreamBasicDescription(order.target)
    var made: AudioConverterRef?
    let status: OSStatus
    if order.components.isEmpty {
      status = unsafe AudioConverterNew(&source, &target, &made)
    } else {
      let makers = order.components.map { maker in
        AudioClassDescription(
          mType: maker.type, mSubType: maker.subtype, mManufacturer: maker.manufacturer)
      }
      status = unsafe AudioConverterNewSpecific(
        &source, &target, UInt32(makers.count), makers, &made)
    }
    guard status == 0, let converter = unsafe made else {
      throw status == 0 ? .misplacedPacket : ConverterStatus(status)
    }
    unsafe self.converter = unsafe converter
    channelCount = order.source.channelCount
    unsafe samples = .allocate(capacity: Self.frameCapacity * order.source.channelCount)
  }

  deinit {
    _ = unsafe AudioConverterDispose(converter)
    unsafe samples.deallocate()
  }

  func read(_ property: FourCharacterCode) throws(ConverterStatus) -> [UInt8] {
    var size: UInt32 = 0
    var status = unsafe AudioConverterGetPropertyInfo(converter, property.rawValue, &size, nil)
    if status != 0 { throw ConverterStatus(status) }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    if bytes.isEmpty { return bytes }
    status = unsafe AudioConverterGetProperty(converter, property.rawValue, &size, &bytes)
    if status != 0 { throw ConverterStatus(status) }
    return Array(bytes.prefix(Int(size)))
  }

  func write(_ bytes: [UInt8], to property: FourCharacterCode) throws(ConverterStatus) {
    let status = unsafe AudioConverterSetProperty(
      converter, property.rawValue, UInt32(bytes.count), bytes)
    if status != 0 { throw ConverterStatus(status) }
  }

  func makePacket(
    of supply: ConverterSupply, byteCapacity: Int
  ) throws(ConverterStatus) -> ConverterPacket {
    self.supply = supply
    defer { self.supply = nil }
    var area = [UInt8](repeating: 0, count: byteCapacity)
    var packetCount: UInt32 = 1
    var packet = AudioStreamPacketDescription()
    let status = unsafe area.withUnsafeMutableBytes { memory -> OSStatus in
      var list = unsafe AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: UInt32(channelCount), mDataByteSize: UInt32(clamping: memory.count),
          mData: memory.baseAddress))
      return unsafe AudioConverterFillComplexBuffer(
        converter, Self.callback, Unmanaged.passUnretained(self).toOpaque(), &packetCount, &list,
        &packet)
    }
    return try ConverterPacket(
      status: status, packetCount: packetCount, area: area, offset: packet.mStartOffset,
      byteCount: packet.mDataByteSize)
  }

  /// Passes the next available frames to the converter, at most the requested number.
  private func supplyFrames(
    _ packetCount: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let wanted = min(Int(unsafe packetCount.pointee), Self.frameCapacity)
    unsafe packetCount.pointee = 0
    unsafe list.pointee.mBuffers = unsafe AudioBuffer(
      mNumberChannels: UInt32(channelCount), mDataByteSize: 0, mData: nil)
    guard let supply else { return ConverterStatus.starved.code }
    switch supply.fetch(frameCount: wanted) {
    case .samples(let portion):
      unsafe samples.update(from: portion, count: portion.count)
      unsafe list.pointee.mBuffers.mData = UnsafeMutableRawPointer(samples)
      unsafe list.pointee.mBuffers.mDataByteSize = UInt32(portion.count * 4)
      unsafe packetCount.pointee = UInt32(portion.count / channelCount)
      return 0
    case .nothing: return ConverterStatus.starved.code
    case .end: return 0
    }
  }

  /// The converter calls this function when it needs samples.
  private static let callback: AudioConverterComplexInputDataProc = {
    _, packetCount, list, _, context in
    guard let context = unsafe context else { return ConverterStatus.starved.code }
    return unsafe Unmanaged<AudioConverterHandle>.fromOpaque(context)._withUnsafeGuaranteedRef {
      unsafe $0.supplyFrames(packetCount, list)
    }
  }
}

extension AudioStreamBasicDescription {
  fileprivate init(_ format: ConverterFormat) {
    self.init(
      mSampleRate: Double(format.sampleRate), mFormatID: format.formatID,
      mFormatFlags: format.flags,
      mBytesPerPacket: UInt32(format.bytesPerFrame * format.framesPerPacket),
      mFramesPerPacket: UInt32(format.framesPerPacket),
      mBytesPerFrame: UInt32(format.bytesPerFrame), mChannelsPerFrame: UInt32(format.channelCount),
      mBitsPerChannel: UInt32(format.bytesPerSample * 8), mReserved: 0)
  }
}
#endif
