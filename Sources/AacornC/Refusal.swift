import CAacorn

/// The failure of a call: a code of aacorn.h and a message.
struct Refusal: Error {
  /// A negative code of aacorn.h.
  let code: Int32
  /// The message: the problem and the remedy.
  let sentence: String

  /// Creates a failure with a code and a message.
  init(_ code: Int32, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  /// Stores the failure in the program's struct unless that is null, and truncates a long message.
  func tell(_ error: UnsafeMutablePointer<aacorn_error>?) {
    guard let error = unsafe error else { return }
    let start = UnsafeMutableRawPointer(error)
    unsafe start.storeBytes(of: code, as: Int32.self)
    let last = MemoryLayout<aacorn_error>.stride - 1
    var offset = MemoryLayout<Int32>.stride
    for byte in sentence.utf8 where offset < last {
      unsafe start.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
      offset += 1
    }
    unsafe start.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self)
  }

  /// Stores success in the program's struct unless that is null.
  static func clear(_ error: UnsafeMutablePointer<aacorn_error>?) {
    unsafe Refusal(Status.ok, "").tell(error)
  }
}

extension Refusal {
  /// Returns the failure for a null pointer.
  static func null(_ name: String) -> Refusal {
    Refusal(Status.argument, "The pointer \(name) is null.")
  }

  /// Throws if a struct of settings has a wrong size or sets unknown members.
  ///
  /// The struct begins with its size, which must be at least `known` bytes. Members of later
  /// versions may follow if they are zero.
  static func check(settings start: UnsafeRawPointer, known: Int) throws(Refusal) {
    let size = unsafe start.load(as: Int.self)
    guard size >= known, size <= longestSettings else {
      throw Refusal(
        Status.settings,
        "The member size of the settings is \(size), but they have \(known) bytes: set all members "
          + "to zero, then size to the size of the struct.")
    }
    for offset in known..<size {
      let byte = unsafe start.load(fromByteOffset: offset, as: UInt8.self)
      if byte != 0 {
        throw Refusal(
          Status.settings,
          "The settings have members that this version of the library does not know: use a later "
            + "version, or set them to zero.")
      }
    }
  }

  /// The maximum size of a struct of settings in any version, in bytes.
  private static let longestSettings = 4096
}
