/// The contents of a movie box that a reader uses.
struct MovieContents: Sendable {
  var track: MP4Track?
  /// The number of AAC tracks up to the requested one.
  var aacTrackCount = 0
  /// The number of tracks other than the requested track and its chapter track, including further
  /// AAC tracks.
  var ignoredTrackCount = 0
  /// The codec of the first audio track that is not AAC, if it precedes any AAC track.
  var foreignCodec: CodedFileError.Codec?
  var isEncrypted = false
  /// Whether the file has an audio track of any codec.
  var hasSoundTrack = false
  /// The positions and times of the frames.
  var samples = SampleTable()
  /// The defaults of fragments, for every track that has them.
  var fragmentDefaults: [FragmentDefaults] = []
  var tags = MP4Tags()
  /// The number of item list entries that were too long to keep.
  var lostTagCount = 0
  /// The file range of the cover image.
  var coverImage: Range<UInt64>?
  /// The numbers of the iTunSMPB tag.
  var gaplessTag: GaplessTag?
  /// The exact played parts in samples, if the ticks of the edit list are coarser.
  var exactParts: ExactParts?
  /// The start time and gap entries, if this package recorded the file.
  var notes = RecordingMetadata()
  var chapterTrack = ChapterTrack()
  /// The creation time, in seconds since the start of 1904; 0 if unknown.
  var creationTime: UInt64 = 0
}
