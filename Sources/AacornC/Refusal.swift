import CAacorn

/// Why a call fails: a code of aacorn.h and a sentence.
struct Refusal: Error {
  /// The code.
  let code: Int32
  /// What happened, and what to do.
  let sentence: String

  /// A refusal with a code and a sentence.
  init(_ code: Int32, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  /// Tells it to a program that wants to know; a sentence that is too long is cut off.
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

  /// Tells a program that there is no error.
  static func clear(_ error: UnsafeMutablePointer<aacorn_error>?) {
    unsafe Refusal(Status.ok, "").tell(error)
  }
}

extension Refusal {
  /// What a null pointer gives.
  static func null(_ name: String) -> Refusal {
    Refusal(Status.argument, "The pointer \(name) is null.")
  }

  /// Throws if a struct of settings, which begins with its size, is not one of these `known` bytes,
  /// possibly followed by members of later versions that are not set.
  static func check(settings start: UnsafeRawPointer, known: Int) throws(Refusal) {
    let size = unsafe start.load(as: Int.self)
    guard size >= known, size <= longestSettings else {
      throw Refusal(
        Status.settings,
        "The member size of the settings is \(size), but they have \(known) bytes: set all of them "
          + "to zero, then size to that of the struct.")
    }
    for offset in known..<size {
      let byte = unsafe start.load(fromByteOffset: offset, as: UInt8.self)
      if byte != 0 {
        throw Refusal(
          Status.settings,
          "The settings have members that this version of the library does not know: use a later "
            + "one, or leave them zero.")
      }
    }
  }

  /// More bytes than settings will ever have.
  private static let longestSettings = 4096
}
