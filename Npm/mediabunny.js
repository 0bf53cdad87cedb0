// AAC for mediabunny, which reads and writes media files in browsers: Aacorn's encoder and decoder replace
// WebCodecs.
//
//    import { registerAacornEncoder } from './mediabunny.js'
//    registerAacornEncoder()
//
// The module name “mediabunny” must resolve to that package, through node_modules or the page's import map.

import {
  AudioSample, CustomAudioDecoder, CustomAudioEncoder, EncodedPacket, registerDecoder,
  registerEncoder,
} from 'mediabunny'
import { AacornError } from './errors.js'
import { checkNames, moduleNames } from './options.js'
import { AACDecoding, decoderModule } from './webcodecs/aac-decoding.js'
import { AACEncoding, encoderModule } from './webcodecs/aac-encoding.js'
import { decodedProfile, encodedProfile } from './webcodecs/codec-strings.js'

/** The sampling rates of AAC in hertz. */
const rates = [
  7350, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000,
]
const channelCounts = [1, 2, 3, 4, 5, 6, 8]

let encoderOptions
let decoderOptions

/** Makes mediabunny use Aacorn to encode AAC. */
export function registerAacornEncoder(options) {
  checkNames(options, [...moduleNames, 'effort'])
  const isNew = !encoderOptions
  encoderOptions = { module: encoderModule(options?.encoder), effort: options?.effort }
  if (isNew) registerEncoder(AacornEncoder)
}

/** Makes mediabunny use Aacorn to decode AAC. */
export function registerAacornDecoder(options) {
  checkNames(options, moduleNames)
  const isNew = !decoderOptions
  decoderOptions = { module: decoderModule(options?.decoder) }
  if (isNew) registerDecoder(AacornDecoder)
}

class AacornEncoder extends CustomAudioEncoder {
  #options = encoderOptions
  #encoding
  /** The requested settings, as far as the encoder supports them. */
  #settings
  #isConfigurationReported = false
  /** The time of the first sample in seconds, and the number of units since then. */
  #start
  #unitCount = 0

  static supports(codec, { codec: string, sampleRate, numberOfChannels }) {
    return codec === 'aac' && encodedProfile(string) !== undefined &&
      rates.includes(sampleRate) && channelCounts.includes(numberOfChannels)
  }

  async init() {
    for (const settings of possibleSettings(this.config)) {
      this.#settings = settings
      try {
        this.#encoding = await this.#begin()
        return
      } catch (error) {
        const isOfSettings = error instanceof AacornError &&
          ['bitrate', 'channels', 'sample-rate'].includes(error.code)
        if (!isOfSettings || settings.isLast) throw error
      }
    }
  }

  async encode(sample) {
    this.#encoding ??= await this.#begin()
    this.#start ??= sample.timestamp
    this.#put(await this.#encoding.encode(sample))
  }

  async flush() {
    if (this.#start === undefined) return
    this.#put(await this.#encoding.finish())
    this.#encoding = undefined
    this.#start = undefined
    this.#unitCount = 0
  }

  close() {
    this.#encoding?.close()
  }

  #begin() {
    return AACEncoding.open(this.#options.module, this.#settings, this.#options.effort)
  }

  #put(units) {
    const { decoderConfig, unitFrames } = this.#encoding
    const duration = unitFrames / this.config.sampleRate
    for (const unit of units) {
      const packet = new EncodedPacket(
        unit, 'key', this.#start + this.#unitCount * duration, duration)
      this.#unitCount += 1
      this.onPacket(packet, this.#isConfigurationReported ? {} : { decoderConfig })
      this.#isConfigurationReported = true
    }
  }
}

class AacornDecoder extends CustomAudioDecoder {
  #options = decoderOptions
  #decoding

  static supports(codec, { codec: string }) {
    return codec === 'aac' && decodedProfile(string) !== undefined
  }

  async init() {
    this.#decoding = await AACDecoding.open(this.#options.module, this.config)
  }

  async decode({ data: unit, timestamp: start }) {
    const parts = await this.#decoding.decode(unit)
    if (!parts) throw new Error(`The packet at ${start} s is damaged, or not AAC.`)
    let timestamp = start
    for (const { channels, sampleRate } of parts) {
      // All channels are in one buffer, one after the other.
      const { buffer: data } = channels[0]
      this.onSample(new AudioSample({
        format: 'f32-planar', sampleRate, numberOfChannels: channels.length, timestamp, data,
      }))
      timestamp += channels[0].length / sampleRate
    }
  }

  flush() {
    this.#decoding.reset()
  }

  close() {
    this.#decoding?.close()
  }
}

/**
 * Returns the settings to try, in order: the requested settings, and AAC-LC at the nearest supported bitrate in
 * case the encoder rejects them. Up to 24 kHz, mediabunny requests HE-AAC at any bitrate. AAC-LC sounds better
 * at these sampling rates, so it replaces HE-AAC there.
 */
function possibleSettings(config) {
  const { sampleRate, numberOfChannels, bitrate } = config
  // 0.3 bits per sample is the minimum. 5.9 bits are a little less than the decoder's buffer holds (6144 bits
  // for the 1024 samples of a channel); the buffer does not grow with the low-frequency channel.
  const least = 0.3 * sampleRate * numberOfChannels
  const most = 5.9 * sampleRate * (numberOfChannels > 5 ? numberOfChannels - 1 : numberOfChannels)
  const plain = {
    ...config, codec: 'mp4a.40.2', isLast: true,
    bitrate: bitrate === undefined ? undefined : Math.min(most, Math.max(least, bitrate)),
  }
  const asked = sampleRate > 24000 ? config : { ...config, codec: plain.codec }
  return [asked, plain]
}
