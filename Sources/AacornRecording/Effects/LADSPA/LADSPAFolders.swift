import AacornSystem

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
