// Runs in a page without the studio: encodes and decodes with Aacorn's WebCodecs next to the browser's own,
// and with the adapter for mediabunny, and stores the results in the document.

const natives = {
  AudioData: globalThis.AudioData, AudioDecoder: globalThis.AudioDecoder,
  AudioEncoder: globalThis.AudioEncoder, EncodedAudioChunk: globalThis.EncodedAudioChunk,
}
const { installWebCodecs } = await import('/Npm/webcodecs.js')
const rate = 48000
const length = 24000

/** Half a second of a tone in two channels. */
function tone(format) {
  const scale = format.startsWith('s16') ? 16384 : 0.5
  const values = Float32Array.from({ length }, (_, index) => scale * Math.sin(index / 16))
  const data = new (format.startsWith('s16') ? Int16Array : Float32Array)(2 * length)
  for (const [index, value] of values.entries()) {
    const indexes = format.endsWith('planar') ? [index, length + index] : [2 * index, 2 * index + 1]
    for (const target of indexes) data[target] = value
  }
  return new AudioData({ format, sampleRate: rate, numberOfFrames: length, numberOfChannels: 2,
    timestamp: 0, data })
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

/** Returns the level of the second channel during the tone. */
function level(parts) {
  let [sum, count] = [0, 0]
  for (const part of parts) {
    const samples = new Float32Array(part.numberOfFrames)
    part.copyTo(samples, { planeIndex: 1, format: 'f32-planar' })
    const isInside = part.timestamp > 1e5 && part.timestamp < 4e5
    if (isInside) sum += samples.reduce((total, value) => total + value * value, 0)
    if (isInside) count += samples.length
    part.close()
  }
  return Math.sqrt(sum / count)
}

async function roundTrip(codec, format, samples, Decoder) {
  const config = { codec, sampleRate: rate, numberOfChannels: 2, aac: { format } }
  const { results: chunks, decoderConfig } = await outputs(AudioEncoder, config, (encoder) => (
    encoder.encode(tone(samples))))
  const { results: parts } = await outputs(Decoder, decoderConfig, (decoder) => {
    for (const chunk of chunks) decoder.decode(chunk)
  })
  const frames = parts.reduce((sum, part) => sum + part.numberOfFrames, 0)
  return { codec, format, samples, chunkCount: chunks.length, frames, level: level(parts),
    isOwnData: !natives.AudioData || tone(samples) instanceof natives.AudioData,
    isOwnChunk: !natives.EncodedAudioChunk || chunks[0] instanceof natives.EncodedAudioChunk }
}

/** A round trip with codecs that mediabunny would create. */
async function byAdapter() {
  const { registerAacornDecoder, registerAacornEncoder } =
    await import('/Npm/mediabunny.js')
  const { AudioSample, make } = await import('mediabunny')
  registerAacornEncoder()
  registerAacornDecoder()
  const [packets, parts] = [[], []]
  let decoderConfig
  const config = { codec: 'mp4a.40.2', sampleRate: rate, numberOfChannels: 2, bitrate: 128000 }
  const encoder = make('encode', 'aac', config, { onPacket(packet, metadata) {
    packets.push(packet)
    decoderConfig ??= metadata.decoderConfig
  } })
  await encoder.init()
  await encoder.encode(new AudioSample({ format: 'f32', sampleRate: rate, numberOfChannels: 2,
    timestamp: 0, data: new Float32Array(2 * length) }))
  await encoder.flush()
  const decoder = make('decode', 'aac', decoderConfig, { onSample: (part) => parts.push(part) })
  await decoder.init()
  for (const packet of packets) await decoder.decode(packet)
  return parts.reduce((sum, part) => sum + part.numberOfFrames, 0)
}

/** Returns whether the browser itself decodes AAC. */
async function decodesAAC() {
  try {
    const config = { codec: 'mp4a.40.2', sampleRate: rate, numberOfChannels: 2 }
    return (await natives.AudioDecoder.isConfigSupported(config)).supported
  } catch {
    return false
  }
}

async function all() {
  const installed = await installWebCodecs({ always: true })
  const trips = []
  for (const codec of ['mp4a.40.2', 'mp4a.40.5', 'mp4a.40.29']) {
    for (const format of ['aac', 'adts']) {
      trips.push(await roundTrip(codec, format, 'f32-planar', AudioDecoder))
    }
  }
  trips.push(await roundTrip('mp4a.40.2', 'aac', 's16', AudioDecoder))
  const isNative = await decodesAAC()
  const byBrowser = isNative
    ? await roundTrip('mp4a.40.2', 'aac', 'f32', natives.AudioDecoder) : null
  const opus = { codec: 'opus', sampleRate: rate, numberOfChannels: 2 }
  const encodesOpus = async (Type) => (
    Type ? (await Type.isConfigSupported(opus)).supported : false)
  return { installed, trips, byBrowser, adapterFrames: await byAdapter(),
    opus: [await encodesOpus(natives.AudioEncoder), await encodesOpus(AudioEncoder)] }
}

let result
try {
  result = await all()
} catch (error) {
  result = { error: `${error}\n${error.stack}` }
}
document.querySelector('output').textContent = JSON.stringify(result)
