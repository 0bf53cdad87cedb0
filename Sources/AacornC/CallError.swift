import CAacorn

/// The failure of a call: a code of aacorn.h and a message.
struct CallError: Error {
  /// A negative code of aacorn.h.
  let code: Int32
  /// The message: the problem and the remedy.
  let message: String

  init(_ code: Int32, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Stores the failure in the program's struct unless that is null, and truncates a long message.
  func fill(_ error: UnsafeMutablePointer<aacorn_error>?) {
    guard let error = unsafe error else { return }
    let start = UnsafeMutableRawPointer(error)
    unsafe start.storeBytes(of: code, as: Int32.self)
    let last = MemoryLayout<aacorn_error>.stride - 1
    var offset = MemoryLayout<Int32>.stride
    for byte in message.utf8 where offset < last {
      unsafe start.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
      offset += 1
    }
    unsafe start.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self)
  }

  /// Stores success in the program's struct unless that is null.
  static func clear(_ error: UnsafeMutablePointer<aacorn_error>?) {
    unsafe CallError(Status.ok, "").fill(error)
  }
}

extension CallError {
  static func null(_ name: String) -> CallError {
    CallError(Status.argument, "The pointer \(name) is null.")
  }

  /// Throws if a struct of settings has a wrong size or sets unknown members.
  ///
  /// The struct begins with its size, which must be at least `known` bytes. Members of later
  /// versions may follow if they are zero.
  static func check(settings start: UnsafeRawPointer, known: Int) throws(CallError) {
    let size = unsafe start.load(as: Int.self)
    guard size >= known, size <= maxSettingsByteCount else {
      throw CallError(
        Status.settings,
        "The member size of the settings is \(size), but they have \(known) bytes: set all members "
          + "to zero, then size to the size of the struct.")
    }
    for offset in known..<size {
      let byte = unsafe start.load(fromByteOffset: offset, as: UInt8.self)
      if byte != 0 {
        throw CallError(
          Status.settings,
          "The settings have members that this version of the library does not know: use a later "
            + "version, or set them to zero.")
      }
    }
  }

  /// The maximum size of a struct of settings in any version, in bytes.
  private static let maxSettingsByteCount = 4096
}
