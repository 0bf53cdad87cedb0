// Encodes one file after another; the page runs as many of these as there are files and cores.

import { load } from '../../aacorn/aacorn.js'
import { openStore } from './store.js'

let aacorn = null
let job = null
let toldAt = 0

const tell = (message, transfer = []) => self.postMessage(message, transfer)

/** Progress, at most ten times a second. */
function progress(fraction) {
  const now = performance.now()
  if (now - toldAt < 100) return
  toldAt = now
  tell({ type: 'progress', fraction })
}

const requests = {
  async load({ module }) { aacorn = await load(module) },

  /** A file of samples: read, converted and encoded here, exactly as the command does it. */
  async file({ file, options }) {
    const sound = await aacorn.soundFile(file)
    try {
      const { sampleRate, channels, frameCount } = sound
      tell({ type: 'began', sampleRate, channels, seconds: frameCount / sampleRate })
      done(await sound.convert({ ...options, onProgress: progress }))
    } finally {
      sound.close()
    }
  },

  /** Samples that the browser decoded follow, in pieces. */
  async begin({ options, isStretched }) {
    const encoder = aacorn.fileEncoder(options)
    const { frameCount } = options
    job = { encoder, store: await openStore(null), frameCount, isStretched, taken: 0 }
  },

  async samples({ channels }) {
    if (job.isStretched) channels.forEach(setRight)
    for (const { offset, bytes } of job.encoder.encodePlanar(channels)) {
      job.store.write(offset, bytes)
    }
    job.taken += channels[0].length
    tell({ type: 'taken', channels }, channels.map(samples => samples.buffer))
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

/** Gives 16-bit samples the values that they had before the browser stretched them. */
function setRight(samples) {
  for (let index = 0; index < samples.length; index += 1) {
    if (samples[index] > 0) samples[index] = Math.round(samples[index] * 32_767) / 32_768
  }
}

function done(blob) { tell({ type: 'done', blob }) }

let work = Promise.resolve()
self.onmessage = ({ data }) => {
  work = work.then(() => requests[data.type](data)).catch(error => {
    job?.encoder.close()
    job = null
    tell({ type: 'failed', message: error?.message ?? String(error) })
  })
}
