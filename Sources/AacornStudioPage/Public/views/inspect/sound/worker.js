/**
 * Decodes a file in its own worker: decodes all of it once, computes pictures of visible parts, and provides
 * samples for playback.
 */
import { Engine } from '../../../aacorn/engine.js'
import { compile } from '../../../aacorn/module.js'
import { SoundReader } from '../../../aacorn/sound-reader.js'
import { mixdown } from './mixdown.js'
import { Overview } from './overview.js'
import { Picture, PictureMaker } from './picture.js'
import { Reach } from './reach.js'

/** The number of samples to decode at a time, small enough that urgent requests need not wait. */
const pieceLength = 1 << 15
/** Milliseconds between two progress reports. */
const pause = 200
/** The maximum seconds to decode for a picture; longer parts use the overview. */
const longest = 1200
/** The maximum number of listed ranges. */
const placeLimit = 1000

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
  #look = null
  #isDrawing = false
  #urgentCount = 0
  #toldAt = 0
  #places = { count: 0, frameCount: 0, list: [] }

  /** `expected` is the probable duration in seconds. */
  constructor(engine, blob, index, expected) {
    this.#engine = engine
    this.#blob = blob
    this.#index = index
    this.#expected = expected
  }

  /** Decodes the whole file once. */
  async run() {
    const reader = await SoundReader.open(this.#engine, this.#blob, Reach.options)
    const { sampleRate, channels, layout, container, frameCount } = reader
    this.#rate = sampleRate
    this.#channelCount = channels
    this.#overview = new Overview(channels, frameCount ?? this.#expected * sampleRate)
    this.#pictures = new Reach(this.#engine, this.#blob, this.#index, sampleRate)
    this.#playback = new Reach(this.#engine, this.#blob, this.#index, sampleRate)
    self.postMessage({ type: 'opened', sampleRate, channels, layout, container, frameCount })
    let length = 0
    for (let part; (part = await reader.read(pieceLength));) {
      this.#overview.append(part.channels, mixdown(part.channels, part.layout))
      length = part.position + part.channels[0].length
      this.#note(part.concealed)
      if (performance.now() - this.#toldAt > pause) this.#tell(reader.fraction, length)
      // Urgent requests take precedence.
      do await turn()
      while (this.#urgentCount > 0)
    }
    this.#overview.finish()
    reader.close()
    this.#isComplete = true
    this.#tell(1, length)
  }

  /** Sends a picture of a part: first from the overview, then from samples decoded for it. */
  look(wish) {
    this.#look = wish
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

  #note(ranges) {
    const places = this.#places
    for (const { position, frameCount } of ranges) {
      places.frameCount += frameCount
      const last = places.list.at(-1)
      // A range may continue in the next piece.
      if (last && last.position + last.frameCount === position) last.frameCount += frameCount
      else {
        places.count += 1
        if (places.list.length < placeLimit) places.list.push({ position, frameCount })
      }
    }
  }

  #tell(fraction, length) {
    this.#toldAt = performance.now()
    self.postMessage({
      type: 'progress', fraction, length, isComplete: this.#isComplete, places: this.#places
    })
    if (this.#look && !this.#look.isExact) this.#show()
  }

  #show() {
    const look = this.#look
    const { start, end, columns } = look
    const isDrawn = this.#isDrawn(look)
    this.#send(look, this.#overview.picture(start, end, columns), this.#isComplete && !isDrawn)
    if (isDrawn && !this.#isDrawing) this.#draw()
  }

  /** Whether a picture is decoded separately. */
  #isDrawn(look) {
    return this.#isClose(look) && this.#isShort(look)
  }

  /** Whether the picture has a finer resolution than the overview. */
  #isClose({ start, end, columns }) {
    return (end - start) / columns < this.#overview.span
  }

  #isShort({ start, end }) {
    return end - start <= longest * this.#rate
  }

  #send(look, picture, isExact) {
    look.isExact ||= isExact
    self.postMessage({ type: 'picture', look: look.number, picture, isExact },
      picture.transferables)
  }

  /** Decodes the requested picture, until no further request is pending. */
  async #draw() {
    this.#isDrawing = true
    this.#urgentCount += 1
    try {
      for (let look; (look = this.#look) && !look.isExact;) {
        const { start, end, columns } = look
        if (!this.#isDrawn(look)) return
        const picture = new Picture(start, end, columns, this.#channelCount)
        if (await this.#fill(picture, look)) {
          this.#send(look, picture, true)
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
  async #fill(picture, look) {
    const maker = new PictureMaker(picture)
    while (!maker.isComplete) {
      const part = await this.#pictures.read(maker.position, pieceLength)
      if (!part) {
        maker.finish()
        return true
      }
      maker.append(part.channels, mixdown(part.channels, part.layout))
      await turn()
      if (this.#look !== look) return false
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
  look: wish => sound.look(wish),
  read: wish => sound.read(wish)
}

self.onmessage = async ({ data }) => {
  try {
    await actions[data.type](data)
  } catch (error) {
    fail(error)
  }
}
