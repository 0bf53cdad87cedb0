/**
 * Decodes one file, in a worker of its own: looks through all of it once, makes pictures of the
 * parts that are looked at, and gives samples to play.
 */
import { Engine } from '../../../aacorn/engine.js'
import { compile } from '../../../aacorn/module.js'
import { SoundReader } from '../../../aacorn/sound-reader.js'
import { mixdown } from './mixdown.js'
import { Overview } from './overview.js'
import { Picture, PictureMaker } from './picture.js'
import { Reach } from './reach.js'

/** Samples that are decoded at once: little enough that what is urgent need not wait. */
const pieceLength = 1 << 15
/** Milliseconds between two pictures of what has been looked through. */
const pause = 200
/** Seconds that are decoded for a picture; longer parts are shown as the overview has them. */
const longest = 1200
/** Places that are told one by one. */
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
  /** What is looked at; the newest is the only one that counts. */
  #look = null
  #isDrawing = false
  #urgentCount = 0
  #toldAt = 0
  #places = { count: 0, frameCount: 0, list: [] }

  /** `expected` is how many seconds there probably are. */
  constructor(engine, blob, index, expected) {
    this.#engine = engine
    this.#blob = blob
    this.#index = index
    this.#expected = expected
  }

  /** Looks through the whole file. */
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
      // What somebody waits for goes first.
      do await turn()
      while (this.#urgentCount > 0)
    }
    this.#overview.finish()
    reader.close()
    this.#isComplete = true
    this.#tell(1, length)
  }

  /** Makes a picture of a part: at once of what is known, then of what is decoded for it. */
  look(wish) {
    this.#look = wish
    if (this.#overview) this.#show()
  }

  /** Sends samples from number `position` on, for the play of this number. */
  async read({ position, count }) {
    this.#urgentCount += 1
    try {
      const part = await this.#playback.read(position, count)
      // A copy, since what a reader gives may share its memory.
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
      // Pieces may end within a place.
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

  /** Whether it is decoded for a picture of its own. */
  #isDrawn(look) {
    return this.#isClose(look) && this.#isShort(look)
  }

  /** Whether more is to be seen than the overview has kept. */
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

  /** Decodes what is looked at, until nothing else is. */
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

  /** Whether the picture was wanted to its end. */
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

/** Lets messages come in. */
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
