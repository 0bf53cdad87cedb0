// Typical uses of the package. Only digests of the results are reported: they are equal on every platform and
// after every bundler.

const sampleRate = 44100
const frameCount = 66150

/**
 * Returns tones and noise in two channels, computed with integers, so that every engine returns the same
 * samples.
 */
function sound() {
  const samples = new Int16Array(2 * frameCount)
  let state = 1
  for (let index = 0; index < frameCount; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    const noise = state >> 19
    samples[2 * index] = ((index * 437) % 32768 - 16384 >> 1) + noise
    samples[2 * index + 1] = (Math.abs((index * 1201) % 40000 - 20000) - 10000 >> 1) - noise
  }
  return samples
}

function wav(samples) {
  const bytes = new Uint8Array(44 + samples.byteLength)
  const view = new DataView(bytes.buffer)
  for (const [at, text] of [[0, 'RIFF'], [8, 'WAVE'], [12, 'fmt '], [36, 'data']]) {
    bytes.set(new TextEncoder().encode(text), at)
  }
  for (const [at, number] of [[4, bytes.length - 8], [16, 16], [24, sampleRate],
    [28, 4 * sampleRate], [40, samples.byteLength]]) view.setUint32(at, number, true)
  for (const [at, number] of [[20, 1], [22, 2], [32, 4], [34, 16]]) view.setUint16(at, number, true)
  for (const [index, sample] of samples.entries()) view.setInt16(44 + 2 * index, sample, true)
  return new Blob([bytes])
}

/** Joins many arrays, of bytes or of samples, to one array of bytes. */
async function joined(parts) {
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

/** Uses the encoder, the decoder, the file reader and the inspector. */
async function withEngine({ aacorn: { FileAssembler, load }, decoder: { loadDecoder } }, sources) {
  const samples = sound()
  const aacorn = await load(sources?.encoder, sources)
  const made = {}
  for (const [name, options] of Object.entries({
    'lc.m4a': { container: 'm4a', tags: { title: 'A sound' } },
    'he.m4a': { container: 'm4a', profile: 'he', rateControl: { constant: 48000 } },
    'he2.aac': { container: 'adts', profile: 'he2', rateControl: { constant: 32000 } },
    'best.aac': { container: 'adts', effort: 'best', rateControl: { variable: 4 } },
  })) {
    const encoder = aacorn.fileEncoder({ sampleRate, channels: 2, frameCount, ...options })
    const file = new FileAssembler()
    for (let at = 0; at < samples.length; at += 20000) {
      file.write(encoder.encode(samples.subarray(at, at + 20000)))
    }
    file.write(encoder.finish())
    encoder.close()
    made[name] = await joined([file.blob()])
  }

  const encoder = aacorn.encoder({ sampleRate, channels: 2 })
  const units = [...encoder.encode(samples), ...encoder.finish().units]
  const decoder = await aacorn.decoder(encoder.audioSpecificConfig)
  made['units decoded'] = await joined(units.flatMap((unit) => decoder.decode(unit).channels))

  const file = await aacorn.soundFile(wav(samples))
  made['wav.m4a'] = await joined([await file.convert({ container: 'm4a' })])
  made['wav read'] = await joined((await file.read()).channels)
  const decoders = await loadDecoder(sources?.decoder, sources)
  for (const name of ['lc.m4a', 'he.m4a', 'he2.aac']) {
    const sound = await decoders.soundFile(made[name])
    made[`${name} read`] = await joined((await sound.read()).channels)
  }
  made['columns'] = (await aacorn.columns(sampleRate, 2)).append(Float32Array.from(samples))
  const report = await aacorn.inspect(new Blob([made['lc.m4a']]))
  made['report'] = new TextEncoder().encode(JSON.stringify({ ...report, waveform: null }))
  return made
}

/** Returns the outputs of a WebCodecs codec and its decoder configuration. */
async function outputs(Type, config, inputs) {
  const results = []
  let decoderConfig
  const codec = new Type({
    output(result, metadata) {
      results.push(result)
      decoderConfig ??= metadata?.decoderConfig
    },
    error(error) { throw error },
  })
  codec.configure(config)
  for (const input of inputs) 'encode' in codec ? codec.encode(input) : codec.decode(input)
  await codec.flush()
  codec.close()
  return { results, decoderConfig }
}

async function withWebCodecs({ webcodecs: { installWebCodecs } }, sources) {
  await installWebCodecs({ always: true, ...sources })
  const made = {}
  for (const codec of ['mp4a.40.2', 'mp4a.40.5', 'mp4a.40.29']) {
    const config = { codec, sampleRate, numberOfChannels: 2, bitrate: 48000 }
    const data = new AudioData({ format: 's16', sampleRate, numberOfFrames: frameCount,
      numberOfChannels: 2, timestamp: 0, data: sound() })
    const { results: chunks, decoderConfig } = await outputs(AudioEncoder, config, [data])
    const bytes = chunks.map((chunk) => {
      const copy = new Uint8Array(chunk.byteLength)
      chunk.copyTo(copy)
      return copy
    })
    made[`chunks of ${codec}`] = await joined([decoderConfig.description, ...bytes])
    const { results: parts } = await outputs(AudioDecoder, decoderConfig, chunks)
    made[`samples of ${codec}`] = await joined(parts.flatMap((part) => [0, 1].map((planeIndex) => {
      const plane = new Float32Array(part.numberOfFrames)
      part.copyTo(plane, { planeIndex, format: 'f32-planar' })
      return plane
    })))
  }
  return made
}

/** Uses the adapter, with the stub of mediabunny. */
async function withAdapter({ adapter, mediabunny: { AudioSample, make } }, sources) {
  adapter.registerAacornEncoder(sources)
  adapter.registerAacornDecoder(sources)
  const made = {}
  for (const codec of ['mp4a.40.2', 'mp4a.40.5', 'mp4a.40.29']) {
    const [packets, samples] = [[], []]
    let decoderConfig
    const config = { codec, sampleRate, numberOfChannels: 2, bitrate: 48000 }
    const encoder = make('encode', 'aac', config, { onPacket(packet, metadata) {
      packets.push(packet)
      decoderConfig ??= metadata?.decoderConfig
    } })
    await encoder.init()
    const sample = new AudioSample({ format: 's16', sampleRate, numberOfChannels: 2, timestamp: 0,
      data: sound() })
    await encoder.encode(sample)
    sample.close()
    await encoder.flush()
    await encoder.close()
    made[`packets of ${codec}`] = await joined([decoderConfig.description, ...packets.map(({ data }) => data)])
    const decoder = make('decode', 'aac', decoderConfig, { onSample: (sample) => samples.push(sample) })
    await decoder.init()
    for (const packet of packets) await decoder.decode(packet)
    await decoder.flush()
    await decoder.close()
    if (samples.some(({ numberOfChannels }) => numberOfChannels !== 2)) throw new Error('not stereo')
    if (samples.length !== packets.length) throw new Error('packets without samples')
  }
  return made
}

/** Uses all functions of the given parts of the package: returns a digest of each result, and its length. */
export async function work(parts, sources) {
  const made = {
    ...await withEngine(parts, sources), ...await withWebCodecs(parts, sources),
    ...parts.adapter && await withAdapter(parts, sources),
  }
  const results = {}
  // `crypto` is a global in browsers, and in Node since version 19.
  const { subtle } = globalThis.crypto ?? (await import(['node', 'crypto'].join(':'))).webcrypto
  for (const [name, bytes] of Object.entries(made)) {
    const digest = new Uint8Array(await subtle.digest('SHA-256', bytes))
    const hex = Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0'))
    results[name] = `${bytes.length} bytes, ${hex.join('')}`
  }
  return { results, made }
}
