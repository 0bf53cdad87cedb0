/** The profile of each codec string for AAC. Both spellings are in use. */
const profiles = {
  'mp4a.40.2': 'lc',
  'mp4a.40.02': 'lc',
  'mp4a.40.5': 'he',
  'mp4a.40.05': 'he',
  'mp4a.40.29': 'he2',
}

/** Returns the encoder's profile for a codec string; undefined for other codecs than AAC. */
export function encodedProfile(codec) {
  return Object.hasOwn(profiles, codec) ? profiles[codec] : undefined
}

/** Returns the decoder's profile for a codec string, which may also be AAC-LC of MPEG-2. */
export function decodedProfile(codec) {
  return codec === 'mp4a.67' ? 'lc' : encodedProfile(codec)
}
