// The worker that encodes the microphone. Blocks of samples arrive directly from the audio thread; the page
// only receives data to show.

import { load } from '../../aacorn/aacorn.js'
import { Capture } from './capture.js'
import { openEntry } from './entries.js'
import { encoderOptions } from './rate.js'
import { messageOf } from './store.js'

let aacorn = null
let capture = null
let work = Promise.resolve()

const post = (message, transfer = []) => self.postMessage(message, transfer)

/** The requests of the page. Responses are messages of the same type. */
const requests = {
  async open({ module, samples, port, sampleRate, channels }) {
    aacorn = await load(module, { samples })
    capture = await Capture.open(aacorn, { port, sampleRate, channels, post })
  },

  async start({ options }) {
    await capture.start(await openEntry(options), {
      ...encoderOptions(aacorn, options, options), onUpload: ({ state, sent, size, problem, finalName }) =>
        post({ type: 'upload', id: options.id, state, sent, size, problem, finalName })
    })
    return { id: options.id, isLasting: capture.recording.isLasting }
  },

  async pause({ isPaused }) { capture.pause(isPaused) },

  async stop() { return capture.stop() },

  async cancelUpload() { capture.upload?.cancel() },

  async close() {
    await capture?.close()
    self.close()
  }
}

// Requests run in sequence, so that a stop right after a start finds the recording started.
self.onmessage = ({ data }) => {
  work = work.then(async () => {
    try {
      post({ type: data.type, number: data.number, answer: await requests[data.type](data) })
    } catch (error) {
      post({ type: 'failed', number: data.number, message: messageOf(error) })
    }
  })
}
