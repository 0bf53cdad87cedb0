import Glibc

/// The most widely used loudness meter, from the package libebur128-1.
@safe final class EBUR128 {
  private typealias Make = @convention(c) (UInt32, UInt, Int32) -> OpaquePointer?
  private typealias End = @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> Void
  private typealias Add = @convention(c) (OpaquePointer, UnsafePointer<Float>, Int) -> Int32
  private typealias Read = @convention(c) (OpaquePointer, UnsafeMutablePointer<Double>) -> Int32
  private typealias ReadChannel =
    @convention(c) (OpaquePointer, UInt32, UnsafeMutablePointer<Double>) -> Int32

  /// The library is missing or returns an error.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let library: UnsafeMutableRawPointer
  private let state: OpaquePointer
  private let channelCount: Int

  init(channelCount: Int, sampleRate: Int) throws {
    guard let library = unsafe dlopen("libebur128.so.1", RTLD_NOW) else {
      throw Failure(description: "No libebur128.so.1: Scripts/setup --tests installs libebur128-1.")
    }
    unsafe self.library = library
    self.channelCount = channelCount
    // All measurements except for the histogram mode, which rounds.
    let everything: Int32 = 0b11_1111
    let make = try unsafe Self.function("ebur128_init", in: library, as: Make.self)
    guard let state = unsafe make(UInt32(channelCount), UInt(sampleRate), everything) else {
      throw Failure(description: "libebur128 measures no \(channelCount) channels at \(sampleRate)")
    }
    unsafe self.state = state
  }

  deinit {
    var state: OpaquePointer? = unsafe state
    if let end = try? unsafe Self.function("ebur128_destroy", in: library, as: End.self) {
      unsafe end(&state)
    }
  }

  private static func function<F>(
    _ name: String, in library: UnsafeMutableRawPointer, as type: F.Type
  ) throws -> F {
    guard let symbol = unsafe dlsym(library, name) else {
      throw Failure(description: "libebur128 has no \(name)")
    }
    return unsafe unsafeBitCast(symbol, to: type)
  }

  private func read(_ name: String) throws -> Double {
    var value = 0.0
    let status = try unsafe Self.function(name, in: library, as: Read.self)(state, &value)
    if status != 0 { throw Failure(description: "\(name) gave \(status)") }
    return value
  }

  func process(_ samples: [Float]) throws {
    let add = try unsafe Self.function("ebur128_add_frames_float", in: library, as: Add.self)
    let status = unsafe add(state, samples, samples.count / channelCount)
    if status != 0 { throw Failure(description: "frames gave \(status)") }
  }

  /// The loudness of the last 400 ms, in LUFS.
  var momentary: Double { get throws { try read("ebur128_loudness_momentary") } }
  /// The loudness of the last three seconds, in LUFS.
  var shortTerm: Double { get throws { try read("ebur128_loudness_shortterm") } }
  /// The loudness of all samples, in LUFS.
  var integrated: Double { get throws { try read("ebur128_loudness_global") } }
  /// The range of loudness, in LU.
  var range: Double { get throws { try read("ebur128_loudness_range") } }

  var truePeak: Double {
    get throws {
      let read = try unsafe Self.function("ebur128_true_peak", in: library, as: ReadChannel.self)
      var maximum = 0.0
      for channel in 0..<channelCount {
        var value = 0.0
        let status = unsafe read(state, UInt32(channel), &value)
        if status != 0 { throw Failure(description: "the true peak gave \(status)") }
        maximum = max(maximum, value)
      }
      return maximum
    }
  }
}
