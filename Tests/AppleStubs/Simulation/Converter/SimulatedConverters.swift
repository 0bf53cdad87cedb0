import AudioToolbox
import SimulatedApple

/// All open converters, and the behavior that a test sets for them.
package enum SimulatedConverters {
  /// Deviations from the default behavior.
  package struct Changes: Sendable {
    /// The error code of creating a converter, or 0.
    package var makeStatus: Int32 = 0
    /// Whether hardware encoders exist.
    package var hasHardware = false
    /// The error codes of setting properties, by property.
    package var rejections: [UInt32: Int32] = [:]
    /// The bitrate that replaces every requested one.
    package var takenBitrate: UInt32?
    /// The index of the packet replaced by an error, and the error code.
    package var failure: (packet: Int, status: Int32)?
    /// The number of packets missing at the end.
    package var missingPacketCount = 0
    /// The number of frames requested from a callback.
    package var requestedFrameCount: UInt32 = 1024
  }

  /// A function that creates a codec.
  package typealias CodecMaker = @Sendable (SimulatedCodecRequest) -> any SimulatedCodec

  private struct Content {
    var changes = Changes()
    var maker: CodecMaker?
    var orders: [SimulatedCodecRequest] = []
  }

  static let handles = Handles<SimulatedConverter>(to: "converter")
  private static let content = Guarded(Content())

  /// The deviations from the default behavior.
  package static var changes: Changes {
    get { content.change(\.changes) }
    set { content.change { $0.changes = newValue } }
  }

  /// The function that creates the codecs from now on; nil for counting codecs.
  package static var maker: CodecMaker? {
    get { content.change(\.maker) }
    set { content.change { $0.maker = newValue } }
  }

  /// The number of open converters.
  package static var openCount: Int { handles.count }
  /// The settings of all codecs created so far, in order.
  package static var orders: [SimulatedCodecRequest] { content.change(\.orders) }

  package static func reset() {
    handles.removeAll()
    content.change { $0 = Content() }
  }

  static func makeCodec(_ request: SimulatedCodecRequest) -> any SimulatedCodec {
    let maker = content.change { content in
      content.orders.append(request)
      return content.maker
    }
    // A cookie of AAC-LC at 48 kHz in stereo, and the delay of Apple's encoder.
    return maker?(request)
      ?? CountingCodec(request, magicCookie: [0x11, 0x90], leadingFrameCount: 2112)
  }
}
