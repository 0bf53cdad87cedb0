import AacornRecording
import AacornSystem

extension ManifestLine {
  /// Rejects settings that load code or read files other than the input.
  ///
  /// The author of a manifest may not be the user who runs it.
  func refuseOtherFiles() throws(Fault) {
    for word in settings.words {
      switch word.name {
      case "effects":
        if word.file != nil {
          throw Fault(text: "reads its effects from a file, which needs --trust-manifest")
        }
        // A text that cannot be parsed is reported by the check of the settings.
        let effects = (try? EffectDescription.parse(word.value)) ?? []
        if let plugin = effects.compactMap(\.plugin).first(where: \.hasFolder) {
          throw Fault(
            text:
              "loads the plugin “\(displayed(plugin.file))” by its path, which needs --trust-manifest"
          )
        }
      case "raw-format", "raw-rate", "raw-channels":
        // Raw samples can be read from any file, even one without audio.
        throw Fault(text: "reads its input as raw samples, which needs --trust-manifest")
      case "cover":
        let origin =
          isInFolderOfInput(word.value)
          ? isPipe(word.value) ? "from a named pipe or a device" : nil
          : "from outside the folder of its input"
        guard let origin else { continue }
        throw Fault(
          text:
            "reads the cover “\(displayed(word.value))” \(origin), which needs --trust-manifest")
      default: continue
      }
    }
  }

  /// Returns whether reading a cover could block a worker forever.
  private func isPipe(_ path: String) -> Bool {
    guard let kind = try? System.status(of: path).kind else { return false }
    return kind != .file && kind != .folder
  }

  /// Returns whether a file is below the input's folder, after links are resolved.
  private func isInFolderOfInput(_ path: String) -> Bool {
    let root = FileName.canonical(FileName.folder(input))
    // With a slash at the end, /a does not contain /ab.
    let prefix = root.hasSuffix("/") ? root : root + "/"
    return FileName.canonical(path).utf8.starts(with: prefix.utf8)
  }
}
