// The worker that encodes one file after another; the page runs several workers, up to the number of files and
// cores.

import { load } from '../../aacorn/aacorn.js'
import { Damage } from './notes.js'
import { encoderOptions } from './rate.js'
import { openStore } from './store.js'

/** The types of AAC that the decoder supports, as named by an inspection. */
const decoded = ['LC', 'Main', 'LTP', 'HE-AAC', 'HE-AAC v2']

let aacorn = null
let job = null
let reportedAt = 0

const post = (message, transfer = []) => self.postMessage(message, transfer)

/** Reports progress, at most ten times a second. */
function progress(fraction) {
  const now = performance.now()
  if (now - reportedAt < 100) return
  reportedAt = now
  post({ type: 'progress', fraction })
}

const requests = {
  /** Loads the modules. `samples` and `sound` are the modules for uncompressed audio and for AAC, if needed. */
  async load({ module, samples, sound }) { aacorn = await load(module, { samples, sound }) },

  /** Converts a file of samples or with AAC completely in the worker, like the command. */
  async file({ file, options }) {
    const sound = await open(file)
    try {
      const { sampleRate, channels, container } = sound
      post({ type: 'began', sampleRate, channels, container, seconds: secondsOf(sound) })
      const damage = new Damage()
      const blob = await sound.convert({
        ...encoderOptions(aacorn, options, sound), onProgress: progress, onConcealed: ranges => damage.add(ranges)
      })
      if (damage.frameCount && damage.frameCount === sound.frameCount) {
        throw new Error('None of its frames can be decoded: all are damaged.')
      }
      done(blob, { damage, seconds: secondsOf(sound) })
    } finally {
      sound.close()
    }
  },

  /** Starts to encode samples that the browser has decoded; the samples follow in pieces. */
  async begin({ file, options, isStretched }) {
    const inputTags = options.container === 'm4a' ? await tagsOf(file) : undefined
    const encoder = aacorn.fileEncoder({ ...encoderOptions(aacorn, options, options), inputTags })
    const { frameCount } = options
    job = { encoder, store: await openStore(null), frameCount, isStretched, taken: 0 }
  },

  async samples({ channels }) {
    if (job.isStretched) channels.forEach(undoStretching)
    for (const { offset, bytes } of job.encoder.encodePlanar(channels)) {
      job.store.write(offset, bytes)
    }
    job.taken += channels[0].length
    post({ type: 'taken', channels }, channels.map(samples => samples.buffer))
    progress(job.taken / job.frameCount)
  },

  async end() {
    for (const { offset, bytes } of job.encoder.finish()) job.store.write(offset, bytes)
    job.encoder.close()
    const { store } = job
    job = null
    done(await store.close())
  }
}

/** Opens a file; the error for an unsupported type of AAC names the type. */
async function open(file) {
  try {
    return await aacorn.soundFile(file)
  } catch (error) {
    if (error.code === 'object-type') {
      const { profile } = await aacorn.inspect(file)
      // A damaged file may appear to have a supported type.
      const isOther = profile && !decoded.includes(profile)
      if (isOther) error.message = `The file holds AAC of the type ${profile}, which is not decoded.`
    }
    throw error
  }
}

/** Returns the tags of a file that the browser has decoded; undefined if they cannot be read. */
const tagsOf = file => aacorn.fileTags(file).catch(() => undefined)

/** Returns the duration in seconds; null while unknown. */
const secondsOf = ({ frameCount, sampleRate }) =>
  (frameCount === null ? null : frameCount / sampleRate)

/** Restores the values that 16-bit samples had before the browser stretched them. */
function undoStretching(samples) {
  for (let index = 0; index < samples.length; index += 1) {
    if (samples[index] > 0) samples[index] = Math.round(samples[index] * 32_767) / 32_768
  }
}

function done(blob, facts) { post({ type: 'done', blob, ...facts }) }

let work = Promise.resolve()
self.onmessage = ({ data }) => {
  work = work.then(() => requests[data.type](data)).catch(error => {
    job?.encoder.close()
    job = null
    post({ type: 'failed', message: error?.message ?? String(error), code: error?.code })
  })
}
