import AacornContainers
import AacornSystem

// The warnings and the tags for encoding decoded audio again.
extension CodedSound {
  /// Warnings about lost quality and lost parts, as messages.
  var secondLossWarnings: [String] {
    let quotedPath = "“\(displayed(name))”"
    var warnings = [
      "\(quotedPath) is encoded already. Encoding it again reduces its quality further."
    ]
    if cutByteCount > 0 {
      let count = QuantityText.count(cutByteCount, "byte")
      warnings.append(
        "\(quotedPath) begins in the middle of a frame; "
          + "skipped \(count) before the first complete one.")
    }
    if isDamaged {
      warnings.append("\(quotedPath) is damaged; missing audio was concealed.")
    }
    if let editWarning { warnings.append(editWarning) }
    if change != nil {
      warnings.append("\(quotedPath) changes its rate or channels; the audio was converted.")
    }
    return warnings
  }

  /// Returns the tags and chapters of an MP4 file, with the cover if it is readable, or the tags of
  /// a stream.
  func tags() throws(AACFileError) -> InputTags { try input.tags(of: movie, name: name) }
}
