import AacornRecording

/// The requested effects: the text of the page, and its parsed form.
struct EffectRequest: Sendable, Equatable {
  /// The original text; empty for no effects.
  private(set) var text = ""
  private(set) var effects: [EffectDescription] = []

  /// Creates a request without effects.
  init() {}

  /// Parses the syntax of `--effects`, except for a file after an `@`; `none` means no effects.
  ///
  /// Paths of plugins are rejected: otherwise a user who may record over the network could make the
  /// studio run any file of this machine.
  init(_ text: String) throws(StudioError) {
    let words = text.split(whereSeparator: \.isWhitespace)
    if words.isEmpty || (words.count == 1 && words[0].lowercased() == "none") { return }
    do throws(EffectError) {
      effects = try EffectDescription.parse(text)
    } catch {
      throw StudioError(error)
    }
    if effects.compactMap(\.plugin).contains(where: \.hasFolder) {
      throw StudioError(
        400,
        "The studio loads plugins only from the plugin folders of the system. Omit the folder of "
          + "the plugin.", field: StudioError.effects)
    }
    self.text = text
  }

  /// Throws if an effect cannot be created, as far as that is known before a recording.
  func check() throws(StudioError) {
    do throws(EffectError) {
      _ = try EffectChain(effects, channelCount: 2, sampleRate: 48_000)
    } catch {
      throw StudioError(error)
    }
  }
}
