import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

/// The messages of the command for file errors.
@Suite struct CommandFailureTests {
  @Test func recoverySuggestionsNameOptions() {
    let messages: [(AACFileError.RecoverySuggestion, String)] = [
      (.none, "No."), (.text("Stop it."), "No. Stop it."),
      (.recoveryAction(.replaceOrRename), "No. Use --force to replace it, or choose another name."),
      (.mixChannels(to: 2), "No. Mix them with --channels 2."),
      (.chooseChannelCount([1, 2]), "No. Choose --channels 1 or 2."),
      (.recoveryAction(.twoChannels), "No. Choose --channels 2."),
      (.chooseRate([8000, 16_000]), "No. Choose one with --rate: 8000, 16000."),
      (.chooseQuality(1...5), "No. Choose --vbr 1 to 5."),
      (.recoveryAction(.m4a), "No. Choose a name that ends in .m4a, and omit --format."),
      (
        .recoveryAction(.lowerBitrateOrM4A),
        "No. Choose a lower bitrate, or a name that ends in .m4a without --format."
      ),
      (
        .recoveryAction(.otherRateOrM4A),
        "No. Choose another --rate, or a name that ends in .m4a without --format."
      ),
      (.openFewerFiles, "No. Try a lower --jobs, or a higher limit (ulimit -n)."),
      (
        .giveFormatOfSamples,
        "No. For raw samples, use --raw-format; for other formats, convert with ffmpeg, which keeps "
          + "the tags: “ffmpeg -i FILE OUT.flac”."
      ),
      (.giveMissingFormat, "No. Use --raw-format."),
      (
        .makeReadable("Go."),
        "No. “aacorn encode” reads WAV, AIFF, CAF, FLAC, MP3, Ogg Vorbis, Opus, W64, AU and AAC. Go."
      ),
      (
        .convert,
        "No. “aacorn encode” reads WAV, AIFF, CAF, FLAC, MP3, Ogg Vorbis, Opus, W64, AU and AAC. For "
          + "other formats, convert with ffmpeg, which keeps the tags: “ffmpeg -i FILE OUT.flac”."
      ),
      (.encode, "No. “aacorn encode” reads it."),
      (
        .inspectAAC,
        "No. “aacorn inspect” reads AAC in ADTS, LATM, ADIF, MP4 (M4A) and MPEG transport stream "
          + "files."
      ),
    ]
    for (advice, sentence) in messages {
      #expect(CommandFailure(.unsupported, "No.", suggestion: advice).commandMessage == sentence)
    }
  }

  /// After interference during a repair in place, the state of the file is unknown.
  @Test func repairErrorsDescribeFileState() {
    let disturbed = CommandFailure.inPlace("a.m4a", .disturbed)
    #expect(
      disturbed.commandMessage
        == "“a.m4a” was removed, replaced or changed by another program while it was being "
        + "repaired. Check the file, and try again.")
    #expect(disturbed.keyword == "cannot-write" && disturbed.exitStatus == .cannotWrite)
    let changed = CommandFailure.inPlace("a.m4a", .changed)
    #expect(
      changed.commandMessage
        == "“a.m4a” was changed or replaced by another program during the repair. It was not "
        + "repaired. Try again when no other program uses it.")
    #expect(changed.keyword == "cannot-write" && changed.exitStatus == .cannotWrite)
    let busy = CommandFailure.inPlace("a.m4a", .system(.wouldBlock))
    #expect(busy.keyword == "busy" && busy.exitStatus == .cannotWrite)
    let full = CommandFailure.inPlace("a.m4a", .system(.diskFull))
    #expect(full.commandMessage.contains("“a.m4a”") && full.commandMessage.contains("full"))
    #expect(full.exitStatus == .cannotWrite)
  }

  @Test func playbackErrorsHaveOwnHints() {
    let messages: [(AACFileError.RecoverySuggestion, String)] = [
      (
        .giveFormatOfSamples,
        "No. For other formats, convert with ffmpeg: “ffmpeg -i FILE -f wav - | aacorn play -”."
      ),
      (
        .convert,
        "No. “aacorn play” reads WAV, AIFF, CAF, FLAC, MP3, Ogg Vorbis, Opus, W64, AU and AAC. For "
          + "other formats, convert with ffmpeg: “ffmpeg -i FILE -f wav - | aacorn play -”."
      ),
      (
        .makeReadable("Go."),
        "No. “aacorn play” reads WAV, AIFF, CAF, FLAC, MP3, Ogg Vorbis, Opus, W64, AU and AAC. Go."
      ),
      (.giveMissingFormat, "No. Convert its samples to a WAV file first."),
      (.openFewerFiles, "No. Open fewer files at a time, or raise the limit (ulimit -n)."),
      (.text("Stop it."), "No. Stop it."),
    ]
    for (advice, sentence) in messages {
      #expect(CommandFailure(.unsupported, "No.", suggestion: advice).playMessage == sentence)
    }
  }

  @Test func theExitStatusFollowsFromTheKind() {
    #expect(CommandFailure(.open, "x", because: .notFound).exitStatus == .cannotRead)
    #expect(CommandFailure(creating: "x", .exists).exitStatus == .cannotWrite)
    #expect(CommandFailure(creating: "x", .wouldBlock).exitStatus == .cannotWrite)
    #expect(CommandFailure(.unsupported, "No.").exitStatus == .failed)
    #expect(CommandFailure(.effects(.invalidDescription), "No.").exitStatus == .usage)
    #expect(CommandFailure(.effects(.missing), "No.").exitStatus == .cannotRead)
    let failure = CommandFailure(.write, "x", because: .brokenPipe)
    #expect(failure.exitStatus.code == 128 + System.pipeSignal)
  }
}
