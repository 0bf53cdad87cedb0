// What the decoder alone exports; all of it is described in aacorn.d.ts.
export { AacornDecoder, AacornError, Decoder, loadDecoder, SoundReader } from './aacorn.js'
