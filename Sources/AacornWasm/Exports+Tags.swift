import AacornContainers

// Tags of audio files other than MP4.
//
//     handle = aacorn_tags_create(byteCount)
//     while ((status = aacorn_tags_step(handle)) === 1)
//       bytes at aacorn_tags_offset, at most aacorn_tags_wanted → input,
//       aacorn_tags_supply(handle, length)
//     aacorn_tags_items(handle, 1) bytes ← output, for aacorn_encoder_items

/// Creates a tag reader for a file of `byteCount` bytes; returns a handle or a failure.
@c(aacorn_tags_create)
func createTags(_ byteCount: Double) -> Int32 {
  guard let count = wholeNumber(byteCount) else { return Failure.tooLong }
  return Sessions.add(TagSession(byteCount: count))
}

/// Continues; returns 1 if it requests bytes, 0 at the end, or a failure.
@c(aacorn_tags_step)
func stepTags(_ handle: Int32) -> Int32 {
  Sessions[handle]?.asTags?.step() ?? Failure.unknownHandle
}

/// Returns the file offset of the requested bytes.
@c(aacorn_tags_offset)
func tagsOffset(_ handle: Int32) -> Double {
  Double(Sessions[handle]?.asTags?.wantedOffset ?? 0)
}

/// Returns the number of requested bytes.
@c(aacorn_tags_wanted)
func tagsWanted(_ handle: Int32) -> Int32 {
  Int32(clamping: Sessions[handle]?.asTags?.wantedCount ?? 0)
}

/// Supplies bytes from the input; returns 0 or a failure.
@c(aacorn_tags_supply)
func supplyTags(_ handle: Int32, _ byteCount: Int32) -> Int32 {
  Sessions[handle]?.asTags?.supply(Int(byteCount)) ?? Failure.unknownHandle
}

/// Outputs the tags, without the loudness if `keepsLoudness` is 0; returns the length or a failure.
@c(aacorn_tags_items)
func putTags(_ handle: Int32, _ keepsLoudness: Int32) -> Int32 {
  Sessions[handle]?.asTags?.putItems(keepsLoudness: keepsLoudness != 0) ?? Failure.unknownHandle
}
