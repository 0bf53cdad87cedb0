/** The browser's own WebCodecs classes for audio, from before any installation. */
export const natives = {
  AudioData: globalThis.AudioData,
  AudioDecoder: globalThis.AudioDecoder,
  AudioEncoder: globalThis.AudioEncoder,
  EncodedAudioChunk: globalThis.EncodedAudioChunk,
}
