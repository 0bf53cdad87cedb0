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
    /// The index of the packet replaced by an error, and the error code.
    package var failure: (packet: Int, status: Int32)?
    /// The number of frames requested from a callback.
    package var requestedFrameCount: UInt32 = 1024
  }

  /// A function that creates a codec.
  package typealias CodecMaker = @Sendable (SimulatedCodecRequest) -> any SimulatedCodec

  private struct Content {
    var changes = Changes()
    var maker: CodecMaker?
    var lastRequest: SimulatedCodecRequest?
  }

  static let handles = Handles<SimulatedConverter>(to: "converter")
  private static let content = Guarded(Content())

  /// The deviations from the default behavior.
  package static var changes: Changes {
    get { content.change(\.changes) }
    set { content.change { $0.changes = newValue } }
  }

  /// The function that creates the codecs from now on.
  package static var maker: CodecMaker? {
    get { content.change(\.maker) }
    set { content.change { $0.maker = newValue } }
  }

  /// The number of open converters.
  package static var openCount: Int { handles.count }
  /// The settings of the last codec.
  package static var lastRequest: SimulatedCodecRequest? { content.change(\.lastRequest) }

  package static func reset() {
    handles.removeAll()
    content.change { $0 = Content() }
  }

  static func makeCodec(_ request: SimulatedCodecRequest) -> any SimulatedCodec {
    let maker = content.change { content in
      content.lastRequest = request
      return content.maker
    }
    guard let maker else { fatalError("The test has set no codec.") }
    return maker(request)
  }
}

/// The settings of a codec, known once the converter has all its properties.
package struct SimulatedCodecRequest: Sendable {
  package var formatID: UInt32
  package var sampleRate: Int
  package var channelCount: Int
  /// In bits per second.
  package var bitrate: Int
}

/// The encoder of a simulated converter, which the test provides.
package protocol SimulatedCodec: AnyObject {
  /// The configuration for a decoder.
  var magicCookie: [UInt8] { get }
  /// The number of priming frames.
  var leadingFrameCount: Int { get }
  /// The maximum size of a packet in bytes.
  var largestPacketByteCount: Int { get }
  /// Appends interleaved samples of whole frames.
  func take(_ samples: [Float])
  /// Ends the input; called once.
  func end()
  /// Returns the next packet, or nil if the codec needs more input or has finished.
  func next() -> [UInt8]?
}

/// Error codes of a converter's calls, from AudioConverter.h and AudioCodec.h.
package enum ConverterCode {
  static let formatNotSupported = status("fmt?")
  static let propertyNotSupported = status("prop")
  static let invalidInputSize = status("insz")
  static let badPropertySize = status("!siz")
  static let notEnoughBufferSpace = status("!buf")
  static let parameter: Int32 = -50
  /// Only on phones.
  package static let hardwareInUse = status("hwiu")
  /// Only on phones.
  package static let noHardwarePermission = status("perm")
}
