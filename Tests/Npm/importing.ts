// A program in TypeScript that imports the modules, for a bundler that converts them to addresses or bytes.

import { load, type Aacorn } from 'aacorn'
import encoder from 'aacorn/aacorn.wasm'
import decoder from 'aacorn/aacorn-decoder.wasm'
import inspector from 'aacorn/aacorn-inspector.wasm'
import samples from 'aacorn/aacorn-samples.wasm'
import sound from 'aacorn/aacorn-sound.wasm'
import { registerAacornEncoder } from 'aacorn/mediabunny.js'
import { installWebCodecs } from 'aacorn/webcodecs.js'

export async function loaded(): Promise<Aacorn> {
  await installWebCodecs({ encoder, decoder })
  registerAacornEncoder({ encoder })
  // @ts-expect-error an address or bytes have no exports
  encoder.aacorn_version()
  return load(encoder, { samples, decoder, sound, inspector })
}
