#if os(macOS) && canImport(AudioToolbox)
import AacornSystem
import CoreAudio
import CoreFoundation

/// A device of macOS, or the system itself, as an object with properties.
struct CoreAudioObject: Sendable, Equatable {
  /// The object's number, valid until the device is removed.
  let number: AudioObjectID

  /// The system object, which has the list of devices and the default devices.
  static let system = CoreAudioObject(number: AudioObjectID(kAudioObjectSystemObject))

  /// Reads an integer property; nil if the object does not have it.
  func value<Value: FixedWidthInteger>(
    _ selector: AudioObjectPropertySelector,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal, as: Value.Type
  ) -> Value? {
    read(selector, scope, into: Value(0))
  }

  /// Reads a floating-point property; nil if the object does not have it.
  func value(_ selector: AudioObjectPropertySelector) -> Double? {
    read(selector, into: 0.0)
  }

  private func read<Value>(
    _ selector: AudioObjectPropertySelector,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal, into value: Value
  ) -> Value? {
    var address = Self.address(selector, scope)
    var value = value
    var size = UInt32(MemoryLayout<Value>.size)
    let status = unsafe withUnsafeMutablePointer(to: &value) {
      unsafe AudioObjectGetPropertyData(number, &address, 0, nil, &size, $0)
    }
    return status == 0 && size == MemoryLayout<Value>.size ? value : nil
  }

  /// Reads a text property; nil if the object does not have it.
  func text(_ selector: AudioObjectPropertySelector) -> String? {
    let none: Unmanaged<CFString>? = nil
    // The caller must release the returned string.
    let string = unsafe read(selector, into: none)
    guard let string = unsafe string??.takeRetainedValue() else { return nil }
    let utf8 = CFStringBuiltInEncodings.UTF8.rawValue
    var bytes = [CChar](
      repeating: 0,
      count: CFStringGetMaximumSizeForEncoding(CFStringGetLength(string), utf8) + 1)
    guard unsafe CFStringGetCString(string, &bytes, bytes.count, utf8) else { return nil }
    return unsafe System.text(bytes)
  }

  /// Reads the raw bytes of a variable-size property; empty if the object does not have it.
  func bytes(
    _ selector: AudioObjectPropertySelector, _ scope: AudioObjectPropertyScope
  ) -> [UInt8] {
    var address = Self.address(selector, scope)
    var size: UInt32 = 0
    guard unsafe AudioObjectGetPropertyDataSize(number, &address, 0, nil, &size) == 0, size > 0
    else { return [] }
    // An array of 64-bit words, so that the memory is aligned for any content.
    var words = [UInt64](repeating: 0, count: (Int(size) + 7) / 8)
    guard unsafe AudioObjectGetPropertyData(number, &address, 0, nil, &size, &words) == 0 else {
      return []
    }
    return unsafe words.withUnsafeBytes { unsafe Array($0.prefix(Int(size))) }
  }

  /// Reads a property that is a list of objects.
  func objects(
    _ selector: AudioObjectPropertySelector,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
  ) -> [CoreAudioObject] {
    let bytes = bytes(selector, scope)
    return unsafe bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map {
        unsafe CoreAudioObject(
          number: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: AudioObjectID.self))
      }
    }
  }

  /// Sets a numeric property.
  func set(
    _ selector: AudioObjectPropertySelector, _ scope: AudioObjectPropertyScope, to value: UInt32
  ) -> CoreAudioStatus {
    var address = Self.address(selector, scope)
    var value = value
    return CoreAudioStatus(
      unsafe AudioObjectSetPropertyData(
        number, &address, 0, nil, UInt32(MemoryLayout<UInt32>.size), &value))
  }

  /// Returns the address of a property that is not specific to a channel.
  static func address(
    _ selector: AudioObjectPropertySelector, _ scope: AudioObjectPropertyScope
  ) -> AudioObjectPropertyAddress {
    AudioObjectPropertyAddress(
      mSelector: selector, mScope: scope, mElement: kAudioObjectPropertyElementMain)
  }
}

/// Listens to a property of an object for the lifetime of the listener.
///
/// The system may still call a listener while it is being removed. So the system gets a number
/// instead of an address; the number is invalid once the listener is released.
final class CoreAudioListener: Sendable {
  private struct Registry {
    var lastNumber: UInt = 0
    var actions: [UInt: @Sendable () -> Void] = [:]
  }
  private static let registry = Lock(Registry())

  private let object: CoreAudioObject
  private let selector: AudioObjectPropertySelector
  private let scope: AudioObjectPropertyScope
  private let number: UInt

  /// Calls `action` on any thread whenever the property changes.
  ///
  /// Returns nil if the object does not have the property.
  init?(
    _ object: CoreAudioObject, _ selector: AudioObjectPropertySelector,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal,
    _ action: @escaping @Sendable () -> Void
  ) {
    self.object = object
    self.selector = selector
    self.scope = scope
    number = Self.registry.withLock { registry in
      registry.lastNumber += 1
      registry.actions[registry.lastNumber] = action
      return registry.lastNumber
    }
    var address = CoreAudioObject.address(selector, scope)
    let status = unsafe AudioObjectAddPropertyListener(
      object.number, &address, Self.callback, UnsafeMutableRawPointer(bitPattern: number))
    if status != 0 { return nil }
  }

  deinit {
    let number = number
    Self.registry.withLock { _ = $0.actions.removeValue(forKey: number) }
    var address = CoreAudioObject.address(selector, scope)
    // A disconnected device has removed its listeners, and returns an error.
    _ = unsafe AudioObjectRemovePropertyListener(
      object.number, &address, Self.callback, UnsafeMutableRawPointer(bitPattern: number))
  }

  /// Makes Core Audio call all listeners of the process on Core Audio's own thread.
  ///
  /// By default the main thread's run loop calls them, which a command-line program does not run.
  static func detachFromRunLoop() {
    var address = CoreAudioObject.address(
      kAudioHardwarePropertyRunLoop, kAudioObjectPropertyScopeGlobal)
    var runLoop: UnsafeRawPointer?
    // An error changes little: the control also polls for unreported changes.
    _ = unsafe AudioObjectSetPropertyData(
      CoreAudioObject.system.number, &address, 0, nil,
      UInt32(MemoryLayout<UnsafeRawPointer?>.size), &runLoop)
  }

  private static let callback: AudioObjectPropertyListenerProc = { _, _, _, context in
    let number = UInt(bitPattern: context)
    let action = registry.withLock { $0.actions[number] }
    action?()
    return 0
  }
}

/// Listens to several properties until `end` or deinitialization.
final class CoreAudioListeners: CoreAudioObservation {
  private var listeners: [CoreAudioListener]

  /// Posts the events that concern all devices of a direction.
  init(_ direction: DeviceDirection, _ post: @escaping @Sendable (CoreAudioEvent) -> Void) {
    let system = CoreAudioObject.system
    listeners = [
      CoreAudioListener(system, direction.defaultDevice) { post(.routeChanged(.newDevice)) },
      CoreAudioListener(system, kAudioHardwarePropertyDevices) { post(.routeChanged(.newDevice)) },
      CoreAudioListener(system, kAudioHardwarePropertyServiceRestarted) { post(.servicesReset) },
    ]
    .compactMap { $0 }
  }

  func end() {
    listeners.removeAll()
  }
}
#endif
