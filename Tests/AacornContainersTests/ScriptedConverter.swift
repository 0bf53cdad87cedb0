import AacornCodec

@testable import AacornContainers

/// A converter that does what its script says, and remembers what it was asked and in which order.
final class ScriptedConverter: SystemConverter {
  /// How it behaves.
  struct Script {
    /// What properties are.
    var values: [UInt32: [UInt8]] = [:]
    /// The numbers with which it refuses to be told properties.
    var refusals: [UInt32: Int32] = [:]
    /// The bitrate that it takes for one that it is told; nil takes each.
    var bitrate: UInt32?
    var framesPerPacket = 1024
    var priming = 2112
    /// Frames that it fetches at a time.
    var fetchedFrameCount = 700
    /// Packets that it makes beyond those that the sound takes; below 0, that are lacking.
    var surplus = 0
    /// The packet in whose place it fails, with what number.
    var failure: (packet: Int, status: Int32)?

    /// A script for a stream with this cookie.
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

  /// A call.
  enum Call: Equatable {
    case write(FourCharacterCode, UInt32)
    case read(FourCharacterCode)
  }

  let order: ConverterOrder
  private let script: Script
  /// What it was told and asked.
  private(set) var calls: [Call] = []
  /// What it has fetched.
  private(set) var heard: [Float] = []
  /// What no converter would bear.
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
    if packetCount > 0 { violations.append("told after it began") }
    calls.append(.write(property, ConverterValue.number(in: bytes) ?? .max))
    if let status = script.refusals[property.rawValue] { throw ConverterStatus(status) }
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
    while !isAtEnd, heard.count < (packetCount + 1) * script.framesPerPacket * channelCount {
      switch supply.fetch(frameCount: script.fetchedFrameCount) {
      case .samples(let samples): heard += samples
      case .nothing: return .nothing
      case .end: isAtEnd = true
      }
    }
    let frameCount = heard.count / channelCount + script.priming
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
  /// What a converter says of a property that it does not know.
  static let unknown = ConverterStatus(0x7072_6F70)
}
