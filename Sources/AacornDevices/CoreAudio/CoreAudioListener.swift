#if os(macOS) && canImport(AudioToolbox)
import CoreAudio
import AacornSystem

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
#endif
