// A stub of mediabunny: the parts of its interface that custom encoders and decoders need, with its checks.

import { AudioData } from '../../Npm/webcodecs.js'

const encoders = []
const decoders = []

export class CustomAudioEncoder {
  static supports() {
    return false
  }
}

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
  if (!(type.prototype instanceof base)) throw new TypeError('The class has no known base class.')
  if (list.includes(type)) throw new Error('The class is already registered.')
  list.push(type)
}

/** Encoded audio, with its time in seconds. */
export class EncodedPacket {
  constructor(data, type, timestamp, duration) {
    const isValid = data instanceof Uint8Array && type === 'key' && Number.isFinite(timestamp) &&
      Number.isFinite(duration) && duration >= 0
    if (!isValid) throw new TypeError('The packet is invalid.')
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

  /** Prevents further copies: mediabunny calls this as soon as `encode` returns. */
  close() {
    this.#data.close()
  }
}

/** Creates an encoder or decoder as mediabunny does; undefined if none supports the configuration. */
export function make(kind, codec, config, { onPacket, onSample, onError } = {}) {
  const list = kind === 'encode' ? encoders : decoders
  const Type = list.find((type) => type.supports(codec, config))
  return Type && Object.assign(new Type(), { codec, config, onError }, kind === 'encode' ? {
    onPacket(packet, metadata) {
      const isValid = packet instanceof EncodedPacket &&
        (metadata === undefined || metadata && typeof metadata === 'object')
      if (!isValid) throw new TypeError('The output is not a packet, or has invalid metadata.')
      onPacket(packet, metadata)
    },
  } : {
    onSample(sample) {
      if (!(sample instanceof AudioSample)) throw new TypeError('The output is not a sample.')
      onSample(sample)
    },
  })
}
