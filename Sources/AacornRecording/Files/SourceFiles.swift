import AacornSystem

/// The input files, none of which may be written.
///
/// A file is recognized under all its names: in other spellings, and through symbolic and hard
/// links.
package struct SourceFiles {
  private var identities: Set<System.FileStatus.Identity> = []
  /// Paths of files that do not exist yet.
  private var paths: Set<String> = []

  /// Creates the set of files at `paths`; `-` is standard input.
  package init(_ paths: [String]) {
    for path in paths {
      let status =
        path == "-"
        ? try? System.status(of: System.standardInput) : try? System.status(of: path)
      if let status {
        // A device can be read and written at the same time.
        if status.kind == .file { identities.insert(status.identity) }
      } else if path != "-" {
        self.paths.insert(FileName.canonical(path))
      }
    }
  }

  /// Returns whether an output is an input file; `-` is standard output.
  package func contains(_ output: String) -> Bool {
    let status =
      output == "-"
      ? try? System.status(of: System.standardOutput) : try? System.status(of: output)
    guard let status else { return paths.contains(FileName.canonical(output)) }
    return status.kind == .file && identities.contains(status.identity)
  }

  /// Returns the input file that a recording to `path` could replace; nil if there is none.
  ///
  /// A recording may continue in numbered files, each with a ledger.
  package func replaced(byRecordingTo path: String) -> String? {
    if path == "-" { return contains(path) ? path : nil }
    let folder = FileName.folder(path)
    let names = ((try? System.names(inFolder: folder)) ?? []).filter {
      Self.isNumbered($0, after: FileName.last(path))
    }
    let files = [path] + names.map { FileName.joined(folder, $0) }
    return (files + files.map(GapSidecar.path(of:))).first(where: contains)
  }

  /// Returns whether a name is another one with a number before its suffix: `talk-007.m4a` for
  /// `talk.m4a`.
  private static func isNumbered(_ name: String, after first: String) -> Bool {
    let dot = first.lastIndex(of: ".") ?? first.endIndex
    let stem = dot > first.startIndex ? String(first[..<dot]) : first
    let suffix = dot > first.startIndex ? String(first[dot...]) : ""
    guard name.hasPrefix(stem + "-"), name.hasSuffix(suffix) else { return false }
    let number = name.dropFirst(stem.count + 1).dropLast(suffix.count)
    return number.utf8.count >= 3 && number.utf8.allSatisfy(\.isDigit)
  }
}

extension AACFileError {
  package static func isInput(
    _ output: String, _ advice: RecoverySuggestion = .text("Choose another name.")
  ) -> AACFileError {
    AACFileError(
      .exists,
      "“\(displayed(output == "-" ? "standard output" : output))” is an input and cannot also be "
        + "the output.", suggestion: advice)
  }
}
