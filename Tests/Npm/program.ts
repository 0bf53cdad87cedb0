// A program in TypeScript that uses all entries of the package. It is only compiled. A missing expected error
// is an error.

import {
  AacornError, FileAssembler, load, type AacornErrorCode, type FileOptions, type Report, type Row,
} from 'aacorn'
import { loadDecoder, type SoundReader } from 'aacorn/decoder.js'
import { registerAacornDecoder, registerAacornEncoder } from 'aacorn/mediabunny.js'
import {
  AudioDecoder, AudioEncoder, EncodedAudioChunk, installWebCodecs, type WebCodecsName,
} from 'aacorn/webcodecs.js'

export async function encode(samples: Float32Array): Promise<Blob> {
  const aacorn = await load(new URL('https://example.org/aacorn.wasm'), { sound: new Uint8Array(8) })
  const options: FileOptions = {
    container: 'm4a', sampleRate: 48000, channels: 2, profile: 'he', rateControl: { constant: 48000 },
    tags: { title: 'A title' }, effort: 'best',
  }
  const encoder = aacorn.fileEncoder(options)
  const file = new FileAssembler()
  file.write(encoder.encode(samples))
  file.write(encoder.encodePlanar([samples, samples]))
  file.write(encoder.finish())
  encoder.close()
  const { units, priming, remainder } = aacorn.encoder({
    sampleRate: 44100, channels: 1, bitrate: 64000,
  }).finish()
  const total: number = units.length + priming + remainder
  console.log(total)
  return file.blob()
}

export async function wrong(): Promise<void> {
  const aacorn = await load()
  // @ts-expect-error a file needs a container
  aacorn.fileEncoder({ sampleRate: 48000, channels: 2 })
  // @ts-expect-error there is no such profile
  aacorn.encoder({ sampleRate: 48000, channels: 2, profile: 'aac' })
  // @ts-expect-error a rate control is an object
  aacorn.encoder({ sampleRate: 48000, channels: 2, rateControl: 128000 })
  // @ts-expect-error there is no such option
  aacorn.encoder({ sampleRate: 48000, channels: 2, bitRate: 128000 })
  // @ts-expect-error samples are in typed arrays
  aacorn.encoder({ sampleRate: 48000, channels: 2 }).encode([0, 0])
  // @ts-expect-error the audio is returned asynchronously
  aacorn.soundFile(new Blob()).read()
  // @ts-expect-error there is no such effort
  registerAacornEncoder({ effort: 'most' })
  // @ts-expect-error an encoder requires an error callback
  new AudioEncoder({ output() {} })
}

export async function decode(file: File): Promise<Float32Array | undefined> {
  const decoders = await loadDecoder()
  const sound: SoundReader = await decoders.soundFile(file, { trim: false })
  const part = await sound.read(1024)
  sound.close()
  const unit = decoders.decoder({ sampleRate: 44100, channels: 2 }).decode(new Uint8Array(8))
  console.log(unit.sampleRate, unit.isConcealed)
  return part?.channels[0]
}

export async function inspect(file: Blob): Promise<Report> {
  const rows: Row[] = []
  const aacorn = await load()
  return aacorn.inspect(file, { onRows: (more) => { rows.push(...more) } })
}

export async function webCodecs(): Promise<WebCodecsName[]> {
  const names = await installWebCodecs({ always: true })
  const decoder = new AudioDecoder({ output: (data) => data.close(), error: console.error })
  const encoder = new AudioEncoder({
    output: (chunk: EncodedAudioChunk, { decoderConfig }) => {
      if (decoderConfig) decoder.configure(decoderConfig)
      decoder.decode(chunk)
    },
    error: ({ name }) => console.error(name),
  })
  encoder.configure({ codec: 'mp4a.40.2', sampleRate: 48000, numberOfChannels: 2, aac: { format: 'adts' } })
  await encoder.flush()
  registerAacornEncoder({ effort: 'best', encoder: fetch('aacorn.wasm') })
  registerAacornDecoder()
  return names
}

export function messageOf(error: unknown): string {
  if (!(error instanceof AacornError)) return String(error)
  const code: AacornErrorCode = error.code
  return code === 'not-loaded' ? `${error.message}` : code
}
