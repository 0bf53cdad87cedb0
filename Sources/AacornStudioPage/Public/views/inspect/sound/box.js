import { announce, h, icon, setText, showText } from '../../../dom.js'
import { clock, tenths } from '../../../format.js'
import { moveByKey, playButton, showPlayButton, SpokenPosition } from '../../playback.js'
import { listenToPointers, PositionLine, ZoomButtons, zoomByKey } from '../timeplot.js'
import { Decoding, Player } from './decoding.js'
import { channelNames, readout, SpectrumSurface, WaveSurface } from './surfaces.js'

/** The maximum number of columns in a picture. */
const widest = 2048

/**
 * The audio of a file: a player, and the waveform and the spectrogram of the same period.
 *
 * `actions`: `view(first, count)` requests a period, which `show` then shows; `moved(seconds)` is called when
 * the playhead moves, `picked(seconds)` when the user moves it, `played()` when playback starts, and
 * `changed()` when more is known about the audio.
 */
export class SoundBox {
  /** The visible period in seconds. */
  view = { first: 0, count: 0 }
  /** The minimum visible period in seconds. */
  closest = 0.25
  showsAll = true
  selection = null
  cursor = null
  /** The ranges of samples that the file marks for trimming. */
  cuts = []
  decoding = null
  player = null
  #length = 0
  #isSound = false
  #parts = {}
  #surfaces
  #buttons = new ZoomButtons(this, 'sound')
  #heads = [new PositionLine('playhead'), new PositionLine('playhead')]
  #cursors = [new PositionLine('cursor'), new PositionLine('cursor')]
  #frame = 0
  #requested = ''
  #spoken
  #lastPosition = 0
  #announcedProblem = ''

  constructor(name, actions) {
    this.name = name
    this.actions = actions
    this.element = this.#build()
    const { wave, waveStage, spectrum, spectrumStage } = this.#parts
    this.#surfaces = [new WaveSurface(wave, this), new SpectrumSurface(spectrum, this)]
    this.#spoken = new SpokenPosition(waveStage)
    listenToPointers(this, waveStage, this.#surfaces[0])
    listenToPointers(this, spectrumStage, this.#surfaces[1])
    this.sizes = new ResizeObserver(() => this.#requestPicture())
    this.sizes.observe(wave)
  }

  get isReady() { return this.decoding?.isOpen ?? false }
  // The properties that the surfaces draw.
  get picture() { return this.decoding?.picture ?? null }
  get rate() { return this.decoding?.sampleRate ?? 0 }
  get concealedRanges() { return this.decoding?.concealed.list ?? [] }
  get names() { return channelNames(this.decoding?.channels ?? 0, this.decoding?.layout) }

  #build() {
    const parts = this.#parts
    parts.readout = h('output', { class: 'rate-readout', 'aria-live': 'off' })
    parts.play = playButton(() => this.player?.toggle())
    showPlayButton(parts.play, false, this.name)
    parts.time = h('span', { class: 'sound-time' })
    parts.volume = h('input', {
      type: 'range', min: '0', max: '1', step: '0.01', value: '1',
      'aria-label': `Volume of ${this.name}`, oninput: () => this.#setVolume()
    })
    parts.progress = h('progress', {
      max: '1', 'aria-label': `Analyzing the audio of ${this.name}`
    })
    parts.problem = h('p', { class: 'problem', hidden: true })
    parts.wave = h('canvas', { 'aria-hidden': 'true' })
    parts.waveStage = h('div', {
      class: 'rate-stage wave-stage', role: 'slider', tabindex: '0',
      'aria-label': `Position in ${this.name}`, 'aria-valuemin': '0', 'aria-valuenow': '0',
      onkeydown: event => this.#key(event)
    }, parts.wave, this.#cursors[0].element, this.#heads[0].element)
    parts.spectrum = h('canvas', { 'aria-hidden': 'true' })
    parts.spectrumStage = h('div', {
      class: 'rate-stage spectrum-stage', role: 'img', 'aria-label': `Spectrogram of ${this.name}`
    }, parts.spectrum, this.#cursors[1].element, this.#heads[1].element)
    parts.content = h('div', { class: 'sound-content' },
      h('div', { class: 'sound-player' }, parts.play, parts.time, parts.progress,
        h('label', { class: 'sound-volume' }, icon('volume'), parts.volume)),
      parts.waveStage, parts.spectrumStage)
    return h('div', { class: 'sound-box', hidden: true },
      h('div', { class: 'rate-header' }, h('h4', 'Sound'), parts.readout, this.#buttons.element),
      parts.problem, parts.content)
  }

  /** Starts to decode an inspected file; `isSound` means that decoding should be possible. */
  open(inspection, isSound) {
    this.#isSound = isSound
    const { samples, priming, trimRate } = inspection.report
    this.decoding = new Decoding(inspection)
    this.player = new Player(this.decoding)
    if (samples !== null && trimRate > 0) {
      this.player.first = priming / trimRate
      this.player.last = (priming + samples) / trimRate
      this.player.seek(this.player.first)
    }
    this.decoding.addEventListener('change', () => this.#changed())
    this.decoding.addEventListener('picture', () => this.#redraw())
    this.player.addEventListener('change', () => this.#showPlayer())
  }

  /** Shows a period of a file with `length` seconds. */
  show(first, count, length) {
    this.view = { first, count }
    this.#length = length
    this.showsAll = count >= length * (1 - 1e-9)
    this.#buttons.update(this)
    this.#requestPicture()
    this.#redraw()
    this.#showHead()
    this.#showCursor()
  }

  /** The center for zooming: the playhead if it is in view, or the middle. */
  get center() {
    const { first, count } = this.view
    const head = this.player?.position ?? -1
    return head > first && head < first + count ? head : first + count / 2
  }

  showWhole() { this.setView(0, this.#length) }
  setView(first, count) { this.actions.view(first, count) }

  select(range) {
    this.selection = range
    this.#redraw()
  }

  setCursor(second, event) {
    this.cursor = second === null ? null : Math.max(0, Math.min(this.#length, second))
    this.#showCursor()
    setText(this.#parts.readout, this.cursor === null ? '' : this.#words(event))
  }

  /** Moves the playhead to a position selected by the user. */
  pick(second) {
    this.seek(second)
    this.actions.picked(second)
  }

  seek(second) {
    this.#spoken.reset()
    this.player?.seek(second)
    this.#reveal()
  }

  dispose() {
    cancelAnimationFrame(this.#frame)
    this.sizes.disconnect()
    this.player?.dispose()
    this.decoding?.dispose()
    for (const surface of this.#surfaces) surface.close()
  }

  #changed() {
    const { decoding } = this
    const parts = this.#parts
    const isFailed = decoding.phase === 'failed'
    this.element.hidden = decoding.phase === 'opening' || (isFailed && !this.#isSound)
    parts.content.hidden = isFailed && !decoding.picture
    this.#buttons.element.hidden = parts.content.hidden
    if (isFailed) {
      this.player.pause()
      parts.play.disabled = true
    }
    parts.progress.hidden = decoding.phase !== 'reading'
    parts.progress.value = decoding.fraction
    parts.waveStage.style.setProperty('--lanes', String(Math.max(1, decoding.channels)))
    parts.waveStage.toggleAttribute('data-ready', decoding.phase === 'done')
    this.cuts = this.#findCuts()
    this.actions.changed()
    this.#requestPicture()
    this.#redraw()
    this.#showPlayer()
  }

  #findCuts() {
    const { first, last } = this.player
    const { sampleRate, length } = this.decoding
    const cuts = [[0, first * sampleRate], [last * sampleRate, length]]
    return cuts.filter(([start, end]) => start < end)
  }

  #redraw() { for (const surface of this.#surfaces) surface.invalidate() }

  /** Requests a picture of the visible period, if it differs from the previous request. */
  #requestPicture() {
    if (!this.isReady || !(this.view.count > 0)) return
    const [surface] = this.#surfaces
    const columns = Math.min(widest, Math.round(surface.plotWidth * surface.scale))
    const { first, count } = this.view
    const request = `${first} ${count} ${columns}`
    if (request === this.#requested || columns < 2) return
    this.#requested = request
    this.decoding.requestPicture(first, first + count, columns)
  }

  #showPlayer() {
    const { player } = this
    showPlayButton(this.#parts.play, player.isPlaying, this.name)
    this.#showProblem()
    this.#showHead()
    if (!player.isPlaying) return
    this.actions.played()
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => this.#follow())
  }

  /** Shows the problem of the decoder or the player while there is one. */
  #showProblem() {
    const { decoding, player } = this
    const { problem } = this.#parts
    showText(problem, decoding.problem
      ? `The sound cannot be decoded: ${decoding.problem}` : player.problem)
    if (player.problem && player.problem !== this.#announcedProblem) {
      announce(player.problem, 'assertive')
    }
    this.#announcedProblem = player.problem
  }

  #follow() {
    const { player } = this
    if (!player.isPlaying) return
    const { position } = player
    const { first, count } = this.view
    const wasInView = this.#lastPosition >= first && this.#lastPosition <= first + count
    // Scroll to the next page, unless the user has scrolled elsewhere.
    if (wasInView && position > first + count) this.setView(position - count / 20, count)
    this.#showHead()
    this.#frame = requestAnimationFrame(() => this.#follow())
  }

  #reveal() {
    const { first, count } = this.view
    const position = this.player?.position ?? 0
    if (position < first || position > first + count) this.setView(position - count / 2, count)
    this.#showHead()
  }

  #showHead() {
    if (!this.player || !this.isReady) return
    const { position, end } = this.player
    this.#lastPosition = position
    for (const head of this.#heads) head.put(position, this.view)
    this.actions.moved(position)
    setText(this.#parts.time, `${tenths(position)} / ${clock(end)}`)
    this.#spoken.show(position, end, this.player.isPlaying)
  }

  #showCursor() { for (const cursor of this.#cursors) cursor.put(this.cursor, this.view) }

  /** Describes the audio at the cursor. */
  #words(event) {
    const { spectrumStage } = this.#parts
    const hertz = event.currentTarget === spectrumStage
      ? this.#surfaces[1].frequencyAt(event.clientY - spectrumStage.getBoundingClientRect().top)
      : null
    return readout(this.cursor, this.picture, this.rate, hertz)
  }

  #setVolume() {
    // Perceived loudness is closer to the square of the slider's value.
    if (this.player) this.player.volume = Number(this.#parts.volume.value) ** 2
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.isReady) return
    const { player } = this
    const { position, first: start, end } = player
    const isHandled = moveByKey(event, {
      position, start, end, toggle: () => player.toggle(), seek: second => this.seek(second)
    })
    if (!isHandled && !zoomByKey(this, event.key)) return
    event.preventDefault()
  }
}
