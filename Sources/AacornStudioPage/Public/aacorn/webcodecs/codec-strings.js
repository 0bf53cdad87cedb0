/** The profile of each codec string that stands for AAC; both ways of writing are in use. */
const profiles = {
  'mp4a.40.2': 'lc',
  'mp4a.40.02': 'lc',
  'mp4a.40.5': 'he',
  'mp4a.40.05': 'he',
  'mp4a.40.29': 'he2',
}

/** The profile that an encoder is to use for a codec string; undefined if that is not of AAC. */
export function encodedProfile(codec) {
  return Object.hasOwn(profiles, codec) ? profiles[codec] : undefined
}

/** The profile of what a decoder gets, which may also be AAC-LC of MPEG-2. */
export function decodedProfile(codec) {
  return codec === 'mp4a.67' ? 'lc' : encodedProfile(codec)
}
