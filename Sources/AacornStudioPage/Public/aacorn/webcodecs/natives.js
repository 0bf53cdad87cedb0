/** What the browser itself has of WebCodecs for sound, as it was before anything was installed. */
export const natives = {
  AudioData: globalThis.AudioData,
  AudioDecoder: globalThis.AudioDecoder,
  AudioEncoder: globalThis.AudioEncoder,
  EncodedAudioChunk: globalThis.EncodedAudioChunk,
}
