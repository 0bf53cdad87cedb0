// Decodes a file in its own worker: decodes all of it once, computes pictures of visible parts, and provides
// samples for playback.

import { Engine } from '../../../aacorn/engine.js'
import { compile } from '../../../aacorn/module.js'
import { SoundReader } from '../../../aacorn/sound-reader.js'
import { Overview, Picture, PictureMaker } from './picture.js'
import { mixdown, SampleSeeker } from './sample-seeker.js'

/** The number of samples to decode at a time, small enough that urgent requests need not wait. */
const pieceLength = 1 << 15
/** Milliseconds between two progress reports. */
const pause = 200
/** The maximum seconds to decode for a picture; longer parts use the overview. */
const longest = 1200
/** The maximum number of listed ranges. */
const rangeLimit = 1000

class FileSound {
  #engine
  #blob
  #index
  #expected
  #rate = 0
  #channelCount = 0
  #overview = null
  #isComplete = false
  #pictures
  #playback
  /** The last requested picture; earlier requests are obsolete. */
  #request = null
  #isDrawing = false
  #urgentCount = 0
  #reportedAt = 0
  #concealed = { count: 0, frameCount: 0, list: [] }

  /** `expected` is the probable duration in seconds. */
  constructor(engine, blob, index, expected) {
    this.#engine = engine
    this.#blob = blob
    this.#index = index
    this.#expected = expected
  }

  async run() {
    const reader = await SoundReader.open(this.#engine, this.#blob, SampleSeeker.options)
    const { sampleRate, channels, layout, container, frameCount } = reader
    this.#rate = sampleRate
    this.#channelCount = channels
    this.#overview = new Overview(channels, frameCount ?? this.#expected * sampleRate)
    this.#pictures = new SampleSeeker(this.#engine, this.#blob, this.#index, sampleRate)
    this.#playback = new SampleSeeker(this.#engine, this.#blob, this.#index, sampleRate)
    self.postMessage({ type: 'opened', sampleRate, channels, layout, container, frameCount })
    let length = 0
    for (let part; (part = await reader.read(pieceLength));) {
      this.#overview.append(part.channels, mixdown(part.channels, part.layout))
      length = part.position + part.channels[0].length
      this.#recordConcealed(part.concealed)
      if (performance.now() - this.#reportedAt > pause) this.#report(reader.fraction, length)
      // Urgent requests take precedence.
      do await turn()
      while (this.#urgentCount > 0)
    }
    this.#overview.finish()
    reader.close()
    this.#isComplete = true
    this.#report(1, length)
  }

  /** Sends a picture of a part: first from the overview, then from samples decoded for it. */
  requestPicture(request) {
    this.#request = request
    if (this.#overview) this.#show()
  }

  /** Sends samples from index `position` on, for playback. */
  async read({ position, count }) {
    this.#urgentCount += 1
    try {
      const part = await this.#playback.read(position, count)
      // Copy the samples, since a reader's arrays may share memory.
      const channels = part
        ? mixdown(part.channels, part.layout).map(samples => samples.slice())
        : []
      self.postMessage(
        { type: 'samples', position, channels, sampleRate: part?.sampleRate ?? 0 },
        channels.map(samples => samples.buffer))
    } finally {
      this.#urgentCount -= 1
    }
  }

  #recordConcealed(ranges) {
    const concealed = this.#concealed
    for (const { position, frameCount } of ranges) {
      concealed.frameCount += frameCount
      const last = concealed.list.at(-1)
      // A range may continue in the next piece.
      if (last && last.position + last.frameCount === position) last.frameCount += frameCount
      else {
        concealed.count += 1
        if (concealed.list.length < rangeLimit) concealed.list.push({ position, frameCount })
      }
    }
  }

  #report(fraction, length) {
    this.#reportedAt = performance.now()
    self.postMessage({
      type: 'progress', fraction, length, isComplete: this.#isComplete, concealed: this.#concealed
    })
    if (this.#request && !this.#request.isExact) this.#show()
  }

  #show() {
    const request = this.#request
    const { start, end, columns } = request
    const isDrawn = this.#isDrawn(request)
    this.#send(request, this.#overview.picture(start, end, columns), this.#isComplete && !isDrawn)
    if (isDrawn && !this.#isDrawing) this.#draw()
  }

  /** Whether a picture is decoded separately: it is short, with a finer resolution than the overview. */
  #isDrawn({ start, end, columns }) {
    return (end - start) / columns < this.#overview.span && end - start <= longest * this.#rate
  }

  #send(request, picture, isExact) {
    request.isExact ||= isExact
    self.postMessage({ type: 'picture', number: request.number, picture, isExact },
      picture.transferables)
  }

  /** Decodes the requested picture, until no further request is pending. */
  async #draw() {
    this.#isDrawing = true
    this.#urgentCount += 1
    try {
      for (let request; (request = this.#request) && !request.isExact;) {
        const { start, end, columns } = request
        if (!this.#isDrawn(request)) return
        const picture = new Picture(start, end, columns, this.#channelCount)
        if (await this.#fill(picture, request)) {
          this.#send(request, picture, true)
        }
      }
    } catch (error) {
      fail(error)
    } finally {
      this.#isDrawing = false
      this.#urgentCount -= 1
    }
  }

  /** Fills a picture; returns whether it was still requested at the end. */
  async #fill(picture, request) {
    const maker = new PictureMaker(picture)
    while (!maker.isComplete) {
      const part = await this.#pictures.read(maker.position, pieceLength)
      if (!part) {
        maker.finish()
        return true
      }
      maker.append(part.channels, mixdown(part.channels, part.layout))
      await turn()
      if (this.#request !== request) return false
    }
    return true
  }
}

const channel = new MessageChannel()
const waiting = []
channel.port1.onmessage = () => waiting.shift()()

/** Yields to incoming messages. */
function turn() {
  return new Promise(resolve => {
    waiting.push(resolve)
    channel.port2.postMessage(null)
  })
}

function fail(error) {
  self.postMessage({ type: 'failed', message: error?.message ?? String(error), code: error?.code })
}

let sound = null

const actions = {
  async open({ blob, index, expected }) {
    const module = await compile(new URL('../../../aacorn/aacorn-sound.wasm', import.meta.url))
    sound = new FileSound(new Engine(module), blob, index, expected)
    await sound.run()
  },
  picture: request => sound.requestPicture(request),
  read: request => sound.read(request)
}

self.onmessage = async ({ data }) => {
  try {
    await actions[data.type](data)
  } catch (error) {
    fail(error)
  }
}
