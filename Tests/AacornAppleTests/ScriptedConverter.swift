import AacornCodec
import AacornContainers

@testable import AacornApple

/// A converter with scripted behavior, which records its calls in order.
final class ScriptedConverter: SystemConverter {
  struct Script {
    var values: [UInt32: [UInt8]] = [:]
    var writeErrors: [UInt32: Int32] = [:]
    /// The bitrate that replaces every requested one; nil accepts each.
    var bitrate: UInt32?
    var framesPerPacket = 1024
    var priming = 2112
    /// The number of frames that the converter requests at a time.
    var fetchedFrameCount = 700
    /// The number of additional packets at the end; missing packets if negative.
    var surplus = 0
    /// The packet that is replaced by an error, and the error code.
    var failure: (packet: Int, status: Int32)?

    init(_ magicCookie: [UInt8], framesPerPacket: Int = 1024, priming: Int = 2112) {
      self.framesPerPacket = framesPerPacket
      self.priming = priming
      values[ConverterProperty.magicCookie.rawValue] = magicCookie
      values[ConverterProperty.outputFormat.rawValue] =
        [UInt8](repeating: 0, count: 20) + ConverterValue.bytes(UInt32(framesPerPacket))
        + [UInt8](repeating: 0, count: 16)
      values[ConverterProperty.priming.rawValue] =
        ConverterValue.bytes(UInt32(priming)) + ConverterValue.bytes(0)
      values[ConverterProperty.largestPacket.rawValue] = ConverterValue.bytes(1536)
    }
  }

  enum Call: Equatable {
    case write(FourCharacterCode, UInt32)
    case read(FourCharacterCode)
  }

  let order: ConverterOrder
  private let script: Script
  private(set) var calls: [Call] = []
  private(set) var fetchedSamples: [Float] = []
  /// The violations of the converter's contract.
  private(set) var violations: [String] = []
  private var values: [UInt32: [UInt8]]
  private var packetCount = 0
  private var hasEnded = false

  init(_ order: ConverterOrder, _ script: Script) {
    self.order = order
    self.script = script
    values = script.values
  }

  func read(_ property: FourCharacterCode) throws(ConverterStatus) -> [UInt8] {
    calls.append(.read(property))
    guard let bytes = values[property.rawValue] else { throw .unknown }
    return bytes
  }

  func write(_ bytes: [UInt8], to property: FourCharacterCode) throws(ConverterStatus) {
    if packetCount > 0 { violations.append("property set after encoding began") }
    calls.append(.write(property, ConverterValue.number(in: bytes) ?? .max))
    if let status = script.writeErrors[property.rawValue] { throw ConverterStatus(status) }
    let isRate = property == ConverterProperty.bitrate
    values[property.rawValue] =
      isRate ? script.bitrate.map { ConverterValue.bytes($0) } ?? bytes : bytes
  }

  func makePacket(
    of supply: ConverterSupply, byteCapacity: Int
  ) throws(ConverterStatus) -> ConverterPacket {
    if hasEnded { violations.append("asked after the end") }
    if byteCapacity != 1536 { violations.append("no room for a packet") }
    if let failure = script.failure, failure.packet == packetCount {
      hasEnded = true
      throw ConverterStatus(failure.status)
    }
    let channelCount = order.source.channelCount
    var isAtEnd = false
    while !isAtEnd, fetchedSamples.count < (packetCount + 1) * script.framesPerPacket * channelCount
    {
      switch supply.fetch(frameCount: script.fetchedFrameCount) {
      case .samples(let samples): fetchedSamples += samples
      case .nothing: return .nothing
      case .end: isAtEnd = true
      }
    }
    let frameCount = fetchedSamples.count / channelCount + script.priming
    let total = (frameCount + script.framesPerPacket - 1) / script.framesPerPacket + script.surplus
    if isAtEnd, packetCount >= total {
      hasEnded = true
      return .end
    }
    packetCount += 1
    return .bytes([UInt8(truncatingIfNeeded: packetCount - 1), 0xAA])
  }
}

extension ConverterStatus {
  static let unknown = ConverterStatus(0x7072_6F70)
}
