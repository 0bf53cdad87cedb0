// swift-format-ignore-file
// Part of the stub of Apple's CoreMedia: the declarations that this package uses, as Swift imports
// them. ../README.md documents the simulated behavior.

public import CoreFoundation

// CMTime.h, macOS 10.7, iOS 4.
public typealias CMTimeValue = Int64
public typealias CMTimeScale = Int32

// CMTime.h, macOS 10.7, iOS 4; the initializer and `isNumeric` are in Apple's overlay.
public struct CMTime: Sendable {
  public var value: CMTimeValue
  public var timescale: CMTimeScale
  public init(value: CMTimeValue, timescale: CMTimeScale) {
    (self.value, self.timescale) = (value, timescale)
  }
  public static let invalid = CMTime(value: 0, timescale: 0)
  public static let zero = CMTime(value: 0, timescale: 1)
  public var isNumeric: Bool { timescale > 0 }

  // Returns the sum in the finer of the two time scales.
  static func + (one: CMTime, other: CMTime) -> CMTime {
    guard one.isNumeric, other.isNumeric else { return .invalid }
    let scale = max(one.timescale, other.timescale)
    return CMTime(value: one.value(in: scale) + other.value(in: scale), timescale: scale)
  }
  static func - (one: CMTime, other: CMTime) -> CMTime {
    one + CMTime(value: -other.value, timescale: other.timescale)
  }
  private func value(in scale: CMTimeScale) -> CMTimeValue {
    let product = value.multipliedFullWidth(by: Int64(scale))
    return Int64(timescale).dividingFullWidth(product).quotient
  }
}

// CMTime.h, macOS 10.7, iOS 4.
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: CFAllocator?) -> CFDictionary? {
  CFDictionary(["value": time.value, "timescale": Int64(time.timescale)])
}

// CMSync.h, macOS 10.8, iOS 6. 3 ticks are 125 nanoseconds, as on a phone.
public func CMClockConvertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
  let seconds = Double(hostTime.value) / Double(hostTime.timescale)
  return UInt64(max(0, seconds * 24e6))
}
