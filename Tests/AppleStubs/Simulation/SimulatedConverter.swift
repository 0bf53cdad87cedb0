import AudioToolbox
import SimulatedApple

/// A converter from samples to AAC.
///
/// After the end of the input there is no further callback.
final class SimulatedConverter {
  private let target: AudioStreamBasicDescription
  /// The values of the writable properties.
  private var settings: [UInt32: UInt32] = [
    SimulatedConverter.rateControl: 1, SimulatedConverter.quality: 0x40,
    SimulatedConverter.variableQuality: 0x40,
    SimulatedConverter.bitrate: SimulatedEncoders.bitrates[0],
  ]
  private var codec: (any SimulatedCodec)?
  /// Encoded packets that were not returned yet.
  private var waiting: [[UInt8]] = []
  private var hasEnded = false
  private var packetCount = 0

  init(to target: AudioStreamBasicDescription) {
    self.target = target
  }

  // MARK: Properties

  private static let rateControl = fourCharacters("acbf")
  private static let quality = fourCharacters("cdqu")
  private static let variableQuality = fourCharacters("vbrq")
  private static let bitrate = fourCharacters("brat")

  /// Returns the bytes of a property, or nil if there is no such property.
  func value(of property: UInt32) -> [UInt8]? {
    switch property {
    case fourCharacters("aebr"):
      // Each bitrate as a range of one value.
      SimulatedEncoders.bitrates.flatMap { bytes(Double($0)) + bytes(Double($0)) }
    case fourCharacters("xops"): bytes(UInt32(currentCodec().largestPacketByteCount))
    case fourCharacters("acod"): bytes(target)
    case fourCharacters("prim"):
      bytes(UInt32(currentCodec().leadingFrameCount)) + bytes(UInt32(0))
    case fourCharacters("cmgc"): currentCodec().magicCookie
    default: settings[property].map { bytes($0) }
    }
  }

  private func bytes(_ value: some BitwiseCopyable) -> [UInt8] {
    unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
  }

  func set(_ property: UInt32, _ data: UnsafeRawPointer, _ size: UInt32) -> Int32 {
    guard settings[property] != nil else { return ConverterCode.propertyNotSupported }
    guard size == 4 else { return ConverterCode.badPropertySize }
    settings[property] = unsafe data.loadUnaligned(as: UInt32.self)
    codec = nil
    return 0
  }

  /// Returns the codec for the current settings.
  ///
  /// Before the first input, a changed setting creates another codec.
  private func currentCodec() -> any SimulatedCodec {
    if let codec { return codec }
    let made = SimulatedConverters.makeCodec(
      SimulatedCodecRequest(
        formatID: target.mFormatID, sampleRate: Int(target.mSampleRate),
        channelCount: Int(target.mChannelsPerFrame), bitrate: Int(settings[Self.bitrate] ?? 0)))
    codec = made
    return made
  }

  // MARK: Packets

  /// The callback that supplies samples.
  @safe
  struct Input {
    let procedure: AudioConverterComplexInputDataProc
    let handle: OpaquePointer
    let context: UnsafeMutableRawPointer?
  }

  func fill(
    from input: Input, _ count: UnsafeMutablePointer<UInt32>,
    _ list: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) -> Int32 {
    let wanted = unsafe Int(count.pointee)
    let capacity = unsafe Int(list.pointee.mBuffers.mDataByteSize)
    unsafe count.pointee = 0
    guard wanted > 0, unsafe list.pointee.mNumberBuffers == 1,
      let memory = unsafe list.pointee.mBuffers.mData
    else { return ConverterCode.parameter }
    guard let descriptions = unsafe descriptions else { return ConverterCode.parameter }
    unsafe list.pointee.mBuffers.mDataByteSize = 0
    var offset = 0
    for index in 0..<wanted {
      if let failure = SimulatedConverters.changes.failure, failure.packet <= packetCount {
        return failure.status
      }
      let status = prepare(input)
      // Packets made before the error are returned as well.
      if status != 0 { return status }
      guard let packet = waiting.first else { return 0 }
      guard packet.count <= capacity - offset else {
        return index == 0 ? ConverterCode.notEnoughBufferSpace : 0
      }
      waiting.removeFirst()
      packetCount += 1
      for (byteIndex, byte) in packet.enumerated() {
        unsafe memory.storeBytes(of: byte, toByteOffset: offset + byteIndex, as: UInt8.self)
      }
      unsafe descriptions[index] = AudioStreamPacketDescription(
        mStartOffset: Int64(offset), mVariableFramesInPacket: 0, mDataByteSize: UInt32(packet.count)
      )
      offset += packet.count
      unsafe count.pointee = UInt32(index + 1)
      unsafe list.pointee.mBuffers.mDataByteSize = UInt32(offset)
    }
    return 0
  }

  /// Makes a packet available, unless the input has ended; returns the error of the callback, or 0.
  private func prepare(_ input: Input) -> Int32 {
    let codec = currentCodec()
    while waiting.isEmpty, !hasEnded {
      if let packet = codec.next() {
        waiting.append(packet)
      } else {
        let status = fetch(input, codec)
        if status != 0 { return status }
        if hasEnded {
          codec.end()
          while let packet = codec.next() { waiting.append(packet) }
        }
      }
    }
    return 0
  }

  /// Feeds the codec with the samples of a callback; returns the error of the callback, or 0.
  private func fetch(_ input: Input, _ codec: any SimulatedCodec) -> Int32 {
    var count = SimulatedConverters.changes.requestedFrameCount
    var list = unsafe AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: target.mChannelsPerFrame, mDataByteSize: 0, mData: nil))
    let status = unsafe input.procedure(input.handle, &count, &list, nil, input.context)
    if status != 0 {
      if count > 0 { SimulatedUnits.recordFault("A converter's input has packets and an error.") }
      return status
    }
    if count == 0 {
      hasEnded = true
      return 0
    }
    let size = unsafe list.mBuffers.mDataByteSize
    guard size == count * 4 * target.mChannelsPerFrame, let data = unsafe list.mBuffers.mData else {
      return ConverterCode.invalidInputSize
    }
    let memory = unsafe data.assumingMemoryBound(to: Float.self)
    codec.take((0..<Int(size) / 4).map { unsafe memory[$0] })
    return 0
  }
}
