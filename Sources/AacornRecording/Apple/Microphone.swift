#if canImport(CoreMedia) && canImport(AVFAudio) && !os(watchOS)
public import AVFAudio
public import AacornDevices
import AacornApple
import AacornSignal
import CoreAudioTypes
public import CoreMedia

/// A microphone that delivers buffers of Core Media or AVFAudio.
///
///     let microphone = Microphone(sampleRate: 16_000, channelCount: 1, format: .int16)
///     for try await buffer in microphone.sampleBuffers() { recognizer.append(buffer) }
///
/// A loop over the buffers opens the device, asking the user for permission if necessary. The
/// device is closed when the loop ends or its task is canceled. The audio is converted to the
/// requested rate and number of channels. Silence fills an interruption, such as a call. To mute,
/// pause or monitor, or to follow events, use a ``Recorder`` with the coding `int16` or `float32`,
/// and ``EncodedPacket/makeSampleBuffer(_:startingAt:)``.
public struct Microphone: Sendable {
  /// The format of the samples, which are interleaved.
  public enum Format: Sendable, Equatable, CaseIterable {
    /// 16-bit integers.
    case int16
    /// Single precision, full scale at ±1.
    case float32
  }

  /// The device, and whether the system removes echo.
  public var request: CaptureRequest
  /// Frames per second, independent of the device's rate.
  public var sampleRate: Int
  /// Samples per frame, 1 or 2, independent of the device's channels.
  public var channelCount: Int
  /// The format of the samples.
  public var format: Format

  /// Creates a microphone without opening it.
  public init(
    _ request: CaptureRequest = CaptureRequest(), sampleRate: Int = 48_000, channelCount: Int = 1,
    format: Format = .int16
  ) {
    self.request = request
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.format = format
  }

  /// Returns the audio as buffers with their capture times on the host's clock, which cameras use
  /// as well.
  ///
  /// Errors are of the types ``RecordingError`` and `CodedBufferError`.
  public func sampleBuffers() -> Buffers<CMSampleBuffer> {
    Buffers(self) { packet, format, start in
      try packet.makeSampleBuffer(format.makeFormatDescription(), startingAt: start.cmTime)
    }
  }

  /// Returns the audio as buffers for an audio engine or a speech recognizer.
  ///
  /// Errors are of the types ``RecordingError`` and `CodedBufferError`.
  public func pcmBuffers() -> Buffers<AVAudioPCMBuffer> {
    Buffers(self) { packet, format, _ in try packet.makePCMBuffer(format) }
  }

  /// A new recorder of the microphone's audio.
  private var recorder: Recorder {
    let configuration = RecordingConfiguration(
      sampleRate: sampleRate, channelCount: channelCount,
      coding: format == .int16 ? .int16 : .float32)
    return Recorder(from: request, to: [], configuration)
  }

  /// The buffers of a microphone; every loop opens the microphone again.
  public struct Buffers<Buffer>: AsyncSequence, Sendable {
    /// A buffer of the microphone.
    public typealias Element = Buffer
    typealias BufferConversion = @Sendable (EncodedPacket, PacketFormat, MediaTime) throws -> Buffer

    private let microphone: Microphone
    private let make: BufferConversion

    fileprivate init(_ microphone: Microphone, _ make: @escaping BufferConversion) {
      self.microphone = microphone
      self.make = make
    }

    /// Creates an iterator, which opens the microphone when the first buffer is requested.
    public func makeAsyncIterator() -> Iterator {
      Iterator(recorder: microphone.recorder, make: make)
    }

    /// An iterator over the buffers of a microphone, which is closed when the iterator is released.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
      fileprivate let recorder: Recorder
      fileprivate let make: BufferConversion
      private var format: PacketFormat?
      private var start: MediaTime?

      fileprivate init(recorder: Recorder, make: @escaping BufferConversion) {
        self.recorder = recorder
        self.make = make
      }

      /// Waits for the next buffer; nil if the task is canceled.
      public mutating func next() async throws -> Buffer? {
        if format == nil {
          try await recorder.start()
          format = recorder.packetFormat
        }
        // Do not store the iterator of `packets`, which cannot be sent to another task: this
        // iterator can.
        var packets = recorder.packets.makeAsyncIterator()
        guard let format, let packet = await packets.next() else {
          if let failure = await recorder.stop().failure { throw failure }
          return nil
        }
        let time = MediaTime(packet.hostTime) ?? .zero(sampleRate: format.sampleRate)
        let start =
          start ?? time.adding(frames: Int64(-packet.position), sampleRate: format.sampleRate)
        self.start = start
        return try make(packet, format, start)
      }
    }
  }
}

extension EncodedPacket {
  func makePCMBuffer(_ format: PacketFormat) throws(CodedBufferError) -> AVAudioPCMBuffer {
    guard var description = format.sampleDescription else { throw .noConfiguration }
    // AVAudioFormat rejects more than two channels without a layout. −50 is kAudio_ParamError.
    guard let format = unsafe AVAudioFormat(streamDescription: &description),
      let buffer = AVAudioPCMBuffer(
        pcmFormat: format, frameCapacity: AVAudioFrameCount(sampleCount))
    else { throw .system(-50) }
    buffer.frameLength = AVAudioFrameCount(sampleCount)
    guard let target = unsafe buffer.mutableAudioBufferList.pointee.mBuffers.mData else {
      throw .system(-50)
    }
    unsafe bytes.withUnsafeBytes { source in
      if let start = source.baseAddress {
        unsafe target.copyMemory(from: start, byteCount: source.count)
      }
    }
    return buffer
  }
}
#endif
