import AacornSystem

extension RecordingSummary {
  /// The message about unsaved audio at the end of the recording; nil if all is saved.
  package var unsavedMessage: String? {
    let messages = outputs.filter { $0.unsavedSampleCount > 0 }.map { output in
      let length = Double(output.unsavedSampleCount) / Double(max(1, sampleRate))
      let name = output.name.split(separator: "/").last.map(String.init) ?? output.name
      return
        "“\(displayed(name))” is incomplete: its last \(QuantityText.length(length)) of audio could "
        + "not be saved."
    }
    return messages.isEmpty ? nil : messages.joined(separator: " ")
  }
}
