// As much of mediabunny's interface as its custom encoders and decoders need, with its checks.

import { AudioData } from '../../Sources/AacornStudioPage/Public/aacorn/webcodecs.js'

const encoders = []
const decoders = []

/** What an encoder of one's own is derived from. */
export class CustomAudioEncoder {
  static supports() {
    return false
  }
}

/** What a decoder of one's own is derived from. */
export class CustomAudioDecoder {
  static supports() {
    return false
  }
}

export function registerEncoder(type) {
  register(encoders, type, CustomAudioEncoder)
}

export function registerDecoder(type) {
  register(decoders, type, CustomAudioDecoder)
}

function register(list, type, base) {
  if (!(type.prototype instanceof base)) throw new TypeError('This is derived from nothing known.')
  if (list.includes(type)) throw new Error('This is registered already.')
  list.push(type)
}

/** An encoded piece of sound, with its time in seconds. */
export class EncodedPacket {
  constructor(data, type, timestamp, duration) {
    const isRight = data instanceof Uint8Array && type === 'key' && Number.isFinite(timestamp) &&
      Number.isFinite(duration) && duration >= 0
    if (!isRight) throw new TypeError('The packet is wrong.')
    Object.assign(this, { data, type, timestamp, duration })
  }
}

/** Samples, with their time in seconds. */
export class AudioSample {
  #data

  constructor({ data, format, numberOfChannels, sampleRate, timestamp }) {
    const size = { u8: 1, s16: 2, s32: 4, f32: 4 }[format.split('-')[0]]
    const numberOfFrames = data.byteLength / size / numberOfChannels
    this.#data = new AudioData({
      data, format, numberOfChannels, numberOfFrames, sampleRate, timestamp: 0 })
    Object.assign(this, { format, numberOfChannels, numberOfFrames, sampleRate, timestamp })
  }

  copyTo(destination, options) {
    this.#data.copyTo(destination, options)
  }

  /** Nothing can be copied afterwards: mediabunny does this as soon as `encode` is done. */
  close() {
    this.#data.close()
  }
}

/** An encoder or decoder as mediabunny would make it; undefined if none supports this. */
export function make(kind, codec, config, { onPacket, onSample, onError } = {}) {
  const list = kind === 'encode' ? encoders : decoders
  const Type = list.find((type) => type.supports(codec, config))
  return Type && Object.assign(new Type(), { codec, config, onError }, kind === 'encode' ? {
    onPacket(packet, metadata) {
      const isRight = packet instanceof EncodedPacket &&
        (metadata === undefined || metadata && typeof metadata === 'object')
      if (!isRight) throw new TypeError('What is no packet, or no metadata, was put out.')
      onPacket(packet, metadata)
    },
  } : {
    onSample(sample) {
      if (!(sample instanceof AudioSample)) throw new TypeError('What is no sample was put out.')
      onSample(sample)
    },
  })
}
