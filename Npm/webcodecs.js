// WebCodecs for AAC in browsers that lack it: the same classes, with Aacorn's encoder and decoder.
//
//    import { installWebCodecs } from './webcodecs.js'
//    await installWebCodecs()
//    const encoder = new AudioEncoder({ output, error })
//    encoder.configure({ codec: 'mp4a.40.2', sampleRate: 48000, numberOfChannels: 2 })
//
// The types are in webcodecs.d.ts.

import { checkNames, moduleNames } from './options.js'
import { AudioData } from './webcodecs/audio-data.js'
import { AudioDecoder, setDecoderModule } from './webcodecs/audio-decoder.js'
import { AudioEncoder, setEncoderModule } from './webcodecs/audio-encoder.js'
import { EncodedAudioChunk } from './webcodecs/encoded-audio-chunk.js'
import { natives } from './webcodecs/natives.js'

export { AudioData, AudioDecoder, AudioEncoder, EncodedAudioChunk }

/** A configuration that every browser with AAC supports. */
const defaults = { codec: 'mp4a.40.2', sampleRate: 48000, numberOfChannels: 2 }

/**
 * Installs the global classes that are missing or do not support AAC, and returns their names. All other codecs
 * still use the browser's own classes.
 */
export async function installWebCodecs(options) {
  checkNames(options, [...moduleNames, 'always'])
  if (options?.encoder) setEncoderModule(options.encoder)
  if (options?.decoder) setDecoderModule(options.decoder)
  const installed = []
  for (const [name, type] of Object.entries({ AudioData, EncodedAudioChunk })) {
    // The browser's own codecs accept and return only the browser's own classes, so do not replace these.
    if (!natives[name]) installed.push([name, type])
  }
  for (const [name, type] of Object.entries({ AudioDecoder, AudioEncoder })) {
    if (options?.always || !(await knowsAAC(natives[name]))) installed.push([name, type])
  }
  for (const [name, value] of installed) {
    Object.defineProperty(globalThis, name, {
      value, writable: true, enumerable: false, configurable: true,
    })
  }
  return installed.map(([name]) => name)
}

async function knowsAAC(Native) {
  try {
    return Boolean(Native) && (await Native.isConfigSupported(defaults)).supported === true
  } catch {
    return false
  }
}
