// The encoder's worker, so that encoding does not block the page.

import { FileAssembler, load } from './aacorn/aacorn.js'

// Not awaited here: a message received before the end of this script would be lost.
const loading = load()
let encoder = null
let file = null
/** Fulfilled when all samples of the recording have arrived. */
let end = null

const actions = {
  /** Starts a recording. */
  async start({ sampleRate, channels }) {
    encoder?.close()
    encoder = (await loading).fileEncoder({ container: 'm4a', sampleRate, channels })
    file = new FileAssembler()
  },

  /** Ends the recording and returns its file. */
  async finish() {
    await end
    file.write(encoder.finish())
    encoder.close()
    encoder = null
    return file.blob()
  },

  /** Converts an audio file to M4A. */
  async convert({ file, port }) {
    const sound = await (await loading).soundFile(file)
    try {
      return await sound.convert({
        container: 'm4a', onProgress: (progress) => port.postMessage({ progress }),
      })
    } finally {
      sound.close()
    }
  },

  /** Encodes decoded samples to M4A. */
  async encode({ sampleRate, channels, port }) {
    const { length } = channels[0]
    const encoder = (await loading).fileEncoder({
      container: 'm4a', sampleRate, channels: channels.length, frameCount: length,
    })
    const file = new FileAssembler()
    for (let start = 0; start < length; start += sampleRate) {
      const second = channels.map((samples) => samples.subarray(start, start + sampleRate))
      file.write(encoder.encodePlanar(second))
      port.postMessage({ progress: start / length })
    }
    file.write(encoder.finish())
    encoder.close()
    return file.blob()
  },
}

self.onmessage = async ({ data }) => {
  if (data.kind === 'samples') {
    end = new Promise((resolve, reject) => {
      data.port.onmessage = ({ data }) => {
        try {
          if (data === 'end') resolve()
          else file.write(encoder.encodePlanar(data))
        } catch (error) {
          reject(error)
        }
      }
    })
    return
  }
  try {
    data.port.postMessage({ result: await actions[data.kind](data) })
  } catch (error) {
    data.port.postMessage({ error: error.message })
  }
}
