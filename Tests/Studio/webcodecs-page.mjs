// Runs in a page without the studio: encodes AAC with Aacorn's WebCodecs next to the browser's own, decodes
// it with both, and stores the results in the document.

const natives = {
  AudioData: globalThis.AudioData, AudioDecoder: globalThis.AudioDecoder,
  AudioEncoder: globalThis.AudioEncoder, EncodedAudioChunk: globalThis.EncodedAudioChunk,
}
const { installWebCodecs } = await import('/Npm/webcodecs.js')
const rate = 48000
const length = 24000

/** Half a second of a tone in two channels. */
function tone() {
  const data = new Float32Array(2 * length)
  for (let index = 0; index < 2 * length; index++) data[index] = Math.sin((index >> 1) / 16) / 2
  return new AudioData({ format: 'f32', sampleRate: rate, numberOfFrames: length,
    numberOfChannels: 2, timestamp: 0, data })
}

/** Returns the outputs of a codec and its decoder configuration, after a flush. */
async function outputs(Type, config, feed) {
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
  feed(codec)
  await codec.flush()
  codec.close()
  return { results, decoderConfig }
}

/** Returns the number of frames, and the level of the second channel during the tone. */
function measured(parts) {
  let [frames, sum, count] = [0, 0, 0]
  for (const part of parts) {
    const samples = new Float32Array(part.numberOfFrames)
    part.copyTo(samples, { planeIndex: 1, format: 'f32-planar' })
    frames += samples.length
    const isInside = part.timestamp > 1e5 && part.timestamp < 4e5
    if (isInside) sum += samples.reduce((total, value) => total + value * value, 0)
    if (isInside) count += samples.length
    part.close()
  }
  return { frames, level: Math.sqrt(sum / count) }
}

async function encodesOpus(Type) {
  const opus = { codec: 'opus', sampleRate: rate, numberOfChannels: 2 }
  return Type ? (await Type.isConfigSupported(opus)).supported : false
}

async function all() {
  const installed = await installWebCodecs({ always: true })
  const config = { codec: 'mp4a.40.2', sampleRate: rate, numberOfChannels: 2 }
  const data = tone()
  const { results: chunks, decoderConfig } = await outputs(
    AudioEncoder, config, (encoder) => encoder.encode(data))
  const decoded = []
  for (const Decoder of [AudioDecoder, natives.AudioDecoder]) {
    const { results } = await outputs(Decoder, decoderConfig, (decoder) => {
      for (const chunk of chunks) decoder.decode(chunk)
    })
    decoded.push(measured(results))
  }
  return { installed, decoded,
    isOwnData: !natives.AudioData || data instanceof natives.AudioData,
    isOwnChunk: !natives.EncodedAudioChunk || chunks[0] instanceof natives.EncodedAudioChunk,
    opus: [await encodesOpus(natives.AudioEncoder), await encodesOpus(AudioEncoder)] }
}

let result
try {
  result = await all()
} catch (error) {
  result = { error: `${error}\n${error.stack}` }
}
document.querySelector('output').textContent = JSON.stringify(result)
