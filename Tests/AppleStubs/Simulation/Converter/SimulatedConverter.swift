import AudioToolbox
import SimulatedApple

/// A converter from samples to AAC.
///
/// It follows the contract of AudioConverter.h strictly:
/// - It reads the callback's memory until it calls back again, and not all at once. A caller that
///   releases its memory too early is detected.
/// - No packets without an error mean the end of the input. There is no further callback until a
///   reset.
/// - An error is returned to the caller, along with the packets made before it.
@safe
final class SimulatedConverter {
  /// Memory supplied by a callback.
  @safe
  private struct Portion {
    let memory: UnsafePointer<Float>
    /// A copy of the content when the callback returned.
    let samples: [Float]
    var consumedCount = 0

    /// Whether the memory still has that content.
    var isIntact: Bool {
      samples.indices.allSatisfy { unsafe memory[$0].bitPattern == samples[$0].bitPattern }
    }
  }

  let format: CodecFormat
  let source: AudioStreamBasicDescription
  let target: AudioStreamBasicDescription
  var settings: Settings
  private var codec: (any SimulatedCodec)?
  private var portion: Portion?
  /// Encoded packets that were not returned yet.
  private var waiting: [[UInt8]] = []
  private(set) var hasEnded = false
  /// The number of frames consumed.
  ///
  /// `packetCount` is the number of packets made from them.
  private(set) var frameCount = 0
  private var packetCount = 0
  /// Whether a fill call is in progress.
  private(set) var isInUse = false

  init(
    _ format: CodecFormat, from source: AudioStreamBasicDescription,
    to target: AudioStreamBasicDescription
  ) {
    self.format = format
    self.source = source
    var target = target
    if target.mFramesPerPacket == 0 {
      target.mFramesPerPacket = format.framesPerPacket.max() ?? 0
    }
    self.target = target
    settings = Settings(
      format.bitrates(sampleRate: target.mSampleRate, channelCount: target.mChannelsPerFrame))
  }

  /// Whether the converter has received input.
  var hasBegun: Bool { frameCount > 0 || packetCount > 0 || hasEnded }

  /// Returns the codec for the current settings.
  ///
  /// Before the first input, a changed setting creates another codec.
  func currentCodec() -> any SimulatedCodec {
    if let codec { return codec }
    let made = SimulatedConverters.makeCodec(
      SimulatedCodecRequest(
        formatID: target.mFormatID, sampleRate: Int(target.mSampleRate),
        channelCount: Int(target.mChannelsPerFrame), framesPerPacket: Int(target.mFramesPerPacket),
        rateControl: settings.rateControl, bitrate: Int(settings.bitrate),
        quality: settings.quality, variableQuality: settings.variableQuality))
    codec = made
    return made
  }

  /// Discards the codec after a change of settings.
  func dropCodec() { codec = nil }

  /// The number of padding frames after the audio, known at the end.
  var trailingFrameCount: Int {
    guard hasEnded, let codec else { return 0 }
    let all = (packetCount + waiting.count) * Int(target.mFramesPerPacket)
    return max(0, all - codec.leadingFrameCount - frameCount)
  }

  func reset() {
    codec = nil
    portion = nil
    waiting = []
    hasEnded = false
    frameCount = 0
    packetCount = 0
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
    guard let descriptions = unsafe descriptions else {
      return ConverterCode.requiresPacketDescriptions
    }
    unsafe list.pointee.mBuffers.mDataByteSize = 0
    isInUse = true
    defer { isInUse = false }
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
      } else if !consume(into: codec) {
        let status = fetch(input)
        if status != 0 { return status }
        if hasEnded { finish(codec) }
      }
    }
    return 0
  }

  private func finish(_ codec: any SimulatedCodec) {
    codec.end()
    while let packet = codec.next() { waiting.append(packet) }
    waiting.removeLast(min(waiting.count, SimulatedConverters.changes.missingPacketCount))
  }

  /// Feeds the codec from the memory of a callback; returns false if all of it was read.
  private func consume(into codec: any SimulatedCodec) -> Bool {
    guard var portion, portion.consumedCount < portion.samples.count else { return false }
    let channelCount = Int(source.mChannelsPerFrame)
    // A prime number of frames, which divides no block size.
    let count = min(331 * channelCount, portion.samples.count - portion.consumedCount)
    let start = portion.consumedCount
    codec.take((start..<start + count).map { unsafe portion.memory[$0] })
    frameCount += count / channelCount
    portion.consumedCount += count
    self.portion = portion
    return true
  }

  private func fetch(_ input: Input) -> Int32 {
    if let portion, !portion.isIntact {
      SimulatedUnits.recordFault("A converter's input was changed before the next was asked for.")
    }
    portion = nil
    var count = SimulatedConverters.changes.requestedFrameCount
    var list = unsafe AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: source.mChannelsPerFrame, mDataByteSize: 0, mData: nil))
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
    guard size == count * source.mBytesPerFrame, let data = unsafe list.mBuffers.mData else {
      return ConverterCode.invalidInputSize
    }
    let memory = unsafe UnsafePointer(data.assumingMemoryBound(to: Float.self))
    unsafe portion = Portion(
      memory: memory, samples: (0..<Int(size) / 4).map { unsafe memory[$0] })
    return 0
  }
}
