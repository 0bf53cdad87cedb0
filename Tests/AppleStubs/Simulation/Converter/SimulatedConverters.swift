import AudioToolbox
import SimulatedApple

/// All converters, and how a test wants them to behave.
package enum SimulatedConverters {
  /// What is not as usual.
  package struct Changes: Sendable {
    /// What making a converter fails with; 0 if it does not.
    package var makeStatus: Int32 = 0
    /// Whether there are encoders in hardware.
    package var hasHardware = false
    /// What telling a property fails with.
    package var refusals: [UInt32: Int32] = [:]
    /// The bitrate that becomes of each that is told.
    package var takenBitrate: UInt32?
    /// The packet in whose place there is a status.
    package var failure: (packet: Int, status: Int32)?
    /// Packets that are lacking at the end.
    package var lackingPacketCount = 0
    /// Frames that a callback is asked for.
    package var requestedFrameCount: UInt32 = 1024
  }

  /// Makes the codecs.
  package typealias CodecMaker = @Sendable (SimulatedCodecRequest) -> any SimulatedCodec

  private struct Content {
    var last = 0
    var converters: [Int: SimulatedConverter] = [:]
    var changes = Changes()
    var maker: CodecMaker?
    var orders: [SimulatedCodecRequest] = []
  }

  private static let content = Guarded(Content())

  /// What is not as usual.
  package static var changes: Changes {
    get { content.change(\.changes) }
    set { content.change { $0.changes = newValue } }
  }

  /// Makes the codecs from now on; nil for those that count.
  package static var maker: CodecMaker? {
    get { content.change(\.maker) }
    set { content.change { $0.maker = newValue } }
  }

  /// How many are open.
  package static var openCount: Int { content.change(\.converters.count) }
  /// What codecs were made for so far, in order.
  package static var orders: [SimulatedCodecRequest] { content.change(\.orders) }

  package static func reset() {
    content.change { $0 = Content() }
  }

  static func makeCodec(_ request: SimulatedCodecRequest) -> any SimulatedCodec {
    let maker = content.change { content in
      content.orders.append(request)
      return content.maker
    }
    // A cookie of AAC-LC at 48 kHz in stereo, and the delay that Apple's encoder has.
    return maker?(request)
      ?? CountingCodec(request, magicCookie: [0x11, 0x90], leadingFrameCount: 2112)
  }

  // A converter is a number, so that one that was disposed of is known when it is used again.

  static func add(_ converter: SimulatedConverter) -> OpaquePointer? {
    let number = content.change { content in
      content.last += 1
      content.converters[content.last] = converter
      return content.last
    }
    return unsafe OpaquePointer(bitPattern: number)
  }

  /// The converter; nil, and a fault of the caller, if it was disposed of.
  static func find(_ handle: OpaquePointer, _ call: String) -> SimulatedConverter? {
    let converter = content.change { $0.converters[Int(bitPattern: handle)] }
    if converter == nil {
      SimulatedUnits.blame("\(call) for a converter that was disposed of.")
    }
    return converter
  }

  static func remove(_ handle: OpaquePointer) {
    content.change { _ = $0.converters.removeValue(forKey: Int(bitPattern: handle)) }
  }
}
