import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornSystem

extension EncodeCommand {
  /// Rejects the second of two inputs if it was probably meant as the output, as in the syntax of
  /// other programs.
  func refuseOutputAmongInputs(_ interruption: Interruption) throws(UsageError) {
    guard inputs.count == 2, let last = inputs.last, output == nil, outputFolder == nil,
      raw.isEmpty, OutputFormat(suffix: FileName.suffix(last)) != nil,
      !Self.mayBeInput(last, interruption)
    else { return }
    let shown = displayed(last)
    throw UsageError(
      "“\(shown)” would be an input, not the output.",
      hint: "To give the result that name, use -o \(shown). To encode both, use --output-folder.")
  }

  /// Returns whether an existing file is more likely an input than an output.
  private static func mayBeInput(_ path: String, _ interruption: Interruption) -> Bool {
    guard let status = try? System.status(of: path) else { return false }
    // Do not read a pipe: the read could block, and its data would be lost.
    guard status.kind == .file else { return true }
    var head = [UInt8](repeating: 0, count: PCMFileKind.longPrefixCount)
    guard let file = try? InputFile(path, interruption: interruption),
      let count = try? file.read(into: &head)
    else { return true }
    switch PCMFileKind(prefix: head.span.extracting(..<count)) {
    case .wav, .aiff, .caf: return true
    case .other(.flac), .other(.mp3), .other(.ogg), .other(.wave64), .other(.sunAudio): return true
    case .other, .unknown: return false
    }
  }
}
