import AacornRecording

/// What a page wants the sound to go through: the text as it was written, and what it says.
struct EffectWish: Sendable, Equatable {
  /// The text; empty for no effects.
  private(set) var text = ""
  private(set) var effects: [EffectDescription] = []

  /// No effects.
  init() {}

  /// Reads what `--effects` understands, but for a file behind an `@`; `none` is no effects.
  ///
  /// Nor does it take plugins by their paths: who may record from afar could have the studio run any
  /// file of this machine.
  init(_ text: String) throws(StudioRefusal) {
    let words = text.split(whereSeparator: \.isWhitespace)
    if words.isEmpty || (words.count == 1 && words[0].lowercased() == "none") { return }
    do throws(EffectError) {
      effects = try EffectDescription.parse(text)
    } catch {
      throw StudioRefusal(error)
    }
    if effects.compactMap(\.plugin).contains(where: \.hasFolder) {
      throw StudioRefusal(
        400,
        "The studio loads plugins only from the folders in which the system keeps them. Leave out "
          + "the folder of the plugin.", field: StudioRefusal.effects)
    }
    self.text = text
  }

  /// Throws why one of them cannot be made, as far as that is known before a recording.
  func check() throws(StudioRefusal) {
    do throws(EffectError) {
      _ = try EffectChain(effects, channelCount: 2, sampleRate: 48_000)
    } catch {
      throw StudioRefusal(error)
    }
  }
}
