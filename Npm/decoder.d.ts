// The exports of the decoder alone; aacorn.d.ts describes them.
export { AacornDecoder, AacornError, Decoder, loadDecoder, SoundReader } from './aacorn.js'
