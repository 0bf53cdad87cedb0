import AacornSignal
import AacornSoundFiles
import AacornSystem

extension InputFile {
  /// Throws if the file is known to contain no AAC, or AAC in an unsupported form; the error names
  /// the form.
  ///
  /// `head` is the beginning of the file: at least `PCMFileKind.longPrefixCount` bytes, or the
  /// complete file.
  package func rejectKnownNonAAC(_ head: [UInt8]) throws(AACFileError) {
    let name: String
    switch try kind(startingWith: head) {
    case .unknown: return
    case .other(let format):
      if format.mayHoldAAC { return }
      throw AACFileError(.unsupported, "“\(displayed(path))” is \(format.phrase).", .inspectAAC)
    case .wav: name = "a WAV file"
    case .aiff: name = "an AIFF file"
    case .caf: name = "a CAF file"
    }
    var content = ""
    var reader = PCMFileReader(canSeek: false)
    do throws(PCMFileError) {
      if case .ready(let info) = try reader.push(head.span) {
        let rate = QuantityText.frequency(info.format.sampleRate)
        let channels = QuantityText.count(info.format.channelCount, "channel")
        content = " with PCM audio (\(rate), \(channels)) and without AAC"
      }
    } catch {
      // The file is neither a sound file nor AAC, such as a picture in RIFF.
      if error == .notRecognized { return }
    }
    throw AACFileError(
      .unsupported, "“\(displayed(path))” is \(name)\(content).",
      content.isEmpty ? .inspectAAC : .encode)
  }
}
