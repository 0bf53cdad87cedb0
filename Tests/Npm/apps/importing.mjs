// A program that imports the modules as its bundler is configured: as addresses or as bytes.

import * as aacorn from 'aacorn'
import encoder from 'aacorn/aacorn.wasm'
import decoderModule from 'aacorn/aacorn-decoder.wasm'
import inspector from 'aacorn/aacorn-inspector.wasm'
import samples from 'aacorn/aacorn-samples.wasm'
import sound from 'aacorn/aacorn-sound.wasm'
import * as decoder from 'aacorn/decoder.js'
import * as adapter from 'aacorn/mediabunny.js'
import * as webcodecs from 'aacorn/webcodecs.js'
import * as mediabunny from 'mediabunny'
import { report } from './report.mjs'
import { work } from './work.mjs'

report(work({ aacorn, decoder, webcodecs, adapter, mediabunny }, {
  encoder, decoder: decoderModule, inspector, samples, sound,
}))
