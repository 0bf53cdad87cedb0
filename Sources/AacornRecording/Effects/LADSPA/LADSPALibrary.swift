import AacornSystem

#if os(Linux)
import CAacornLADSPA

/// An open file with LADSPA plugins.
@safe
final class LADSPALibrary: @unchecked Sendable {
  // Unchecked because of the pointer, whose target does not change.

  let path: String
  private let library: OpaquePointer

  init(_ path: String) throws(EffectError) {
    var name = PathText.encode(path).map { CChar(bitPattern: $0) }
    guard !name.contains(0) else { throw Self.error(path, "the name contains a zero byte") }
    name.append(0)
    var reason = [CChar](repeating: 0, count: 512)
    guard let library = unsafe aacorn_ladspa_open(name, &reason, 512) else {
      throw Self.error(path, unsafe System.text(reason))
    }
    self.path = path
    unsafe self.library = unsafe library
  }

  deinit { unsafe aacorn_ladspa_close(library) }

  private static func error(_ path: String, _ reason: String) -> EffectError {
    // Remove the file's path from the beginning of the system's message: this error contains it
    // already.
    let reason = reason.hasPrefix(path + ": ") ? String(reason.dropFirst(path.count + 2)) : reason
    return EffectError(
      "“\(displayed(path))” cannot be loaded as a LADSPA plugin (\(displayed(reason))).",
      "Name another file.", kind: .missing)
  }

  private static let maxPluginCount = 1024

  /// The descriptions of the file's plugins; skips incomplete ones.
  var plugins: [LADSPAPlugin] {
    var plugins: [LADSPAPlugin] = []
    for index in 0..<Self.maxPluginCount {
      var hasEnded: Int32 = 0
      let pointer = unsafe aacorn_ladspa_get(library, UInt(index), &hasEnded)
      if hasEnded != 0 { break }
      if let pointer = unsafe pointer { plugins.append(unsafe describe(pointer, index)) }
    }
    return plugins
  }

  /// Creates an instance for blocks of `length` frames; nil if the plugin fails.
  func instance(of index: Int, sampleRate: Int, length: Int) -> OpaquePointer? {
    unsafe aacorn_ladspa_make(library, UInt(index), UInt(sampleRate), UInt(length))
  }

  private func describe(
    _ plugin: UnsafePointer<aacorn_ladspa_plugin>, _ index: Int
  ) -> LADSPAPlugin {
    var ports: [LADSPAPort] = []
    let count = unsafe Int(plugin.pointee.port_count)
    for number in 0..<count {
      let name = unsafe System.text(plugin.pointee.port_names[number])
      let bits = unsafe Int(plugin.pointee.ports[number])
      let range = unsafe plugin.pointee.ranges[number]
      ports.append(LADSPAPort(name: name, bits: bits, range))
    }
    return LADSPAPlugin(
      path: path, index: index, label: unsafe System.text(plugin.pointee.label),
      name: unsafe System.text(plugin.pointee.name),
      maker: unsafe System.text(plugin.pointee.maker), ports: ports)
  }
}

extension LADSPAPort {
  /// Creates the port from its descriptor (direction and kind of signal) and its range hints.
  fileprivate init(name: String, bits: Int, _ range: aacorn_ladspa_range) {
    let isInput = bits & AACORN_LADSPA_INPUT != 0
    let isControl = bits & AACORN_LADSPA_CONTROL != 0
    let isOne =
      isInput != (bits & AACORN_LADSPA_OUTPUT != 0)
      && isControl != (bits & AACORN_LADSPA_AUDIO != 0)
    let kind: Kind =
      isControl ? (isInput ? .control : .result) : (isInput ? .audioInput : .audioOutput)
    self.init(name: name, kind: isOne ? kind : nil)
    let hints = Int(range.hints)
    if hints & AACORN_LADSPA_BOUNDED_BELOW != 0 { lower = LADSPAPort.bound(range.lower) }
    if hints & AACORN_LADSPA_BOUNDED_ABOVE != 0 { upper = LADSPAPort.bound(range.upper) }
    isRelative = hints & AACORN_LADSPA_SAMPLE_RATE != 0
    isLogarithmic = hints & AACORN_LADSPA_LOGARITHMIC != 0
    isInteger = hints & AACORN_LADSPA_INTEGER != 0
    isSwitch = hints & AACORN_LADSPA_TOGGLED != 0
    switch hints & AACORN_LADSPA_DEFAULT_MASK {
    case AACORN_LADSPA_DEFAULT_MINIMUM: defaultHint = .lowest
    case AACORN_LADSPA_DEFAULT_LOW: defaultHint = .low
    case AACORN_LADSPA_DEFAULT_MIDDLE: defaultHint = .middle
    case AACORN_LADSPA_DEFAULT_HIGH: defaultHint = .high
    case AACORN_LADSPA_DEFAULT_MAXIMUM: defaultHint = .highest
    case AACORN_LADSPA_DEFAULT_0: defaultHint = .number(0)
    case AACORN_LADSPA_DEFAULT_1: defaultHint = .number(1)
    case AACORN_LADSPA_DEFAULT_100: defaultHint = .number(100)
    case AACORN_LADSPA_DEFAULT_440: defaultHint = .number(440)
    default: break
    }
  }
}
#endif

/// The folders of LADSPA plugins: `LADSPA_PATH`, and then the default ones.
struct LADSPAFolders {
  /// The folders, in the order in which they are searched.
  let paths: [String]

  /// Creates the list of folders from a colon-separated list, followed by the default folders.
  init(_ path: String? = System.environment("LADSPA_PATH")) {
    let named = (path ?? "").split(separator: ":").map(String.init)
    paths = named + Self.defaultPaths.filter { !named.contains($0) }
  }

  private static var defaultPaths: [String] {
    #if arch(x86_64)
    let machine = "x86_64-linux-gnu"
    #elseif arch(arm64)
    let machine = "aarch64-linux-gnu"
    #elseif arch(arm)
    let machine = "arm-linux-gnueabihf"
    #elseif arch(riscv64)
    let machine = "riscv64-linux-gnu"
    #else
    let machine = "lib"
    #endif
    return [
      "/usr/lib/ladspa", "/usr/local/lib/ladspa", "/usr/lib/\(machine)/ladspa", "/usr/lib64/ladspa",
    ]
  }

  /// Returns the path of a file by its name, with or without `.so`, or by a path; nil if it does
  /// not exist.
  func file(_ name: String) -> String? {
    let candidates = name.contains("/") ? [name] : paths.map { "\($0)/\(name)" }
    for candidate in candidates {
      for path in [candidate, candidate + ".so"] where (try? System.status(of: path))?.kind == .file
      {
        return path
      }
    }
    return nil
  }

  /// All files that may contain plugins, sorted within their folders; the first file of a name
  /// hides others.
  var files: [String] {
    var names: Set<String> = []
    var files: [String] = []
    for folder in paths {
      let found = (try? System.names(inFolder: folder)) ?? []
      for name in found.sorted() where name.hasSuffix(".so") && names.insert(name).inserted {
        files.append("\(folder)/\(name)")
      }
    }
    return files
  }
}
