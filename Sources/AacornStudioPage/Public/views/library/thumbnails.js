/** Requests that are under way at once; the server computes the waveforms one after the other. */
const parallel = 3
/** Milliseconds between two questions for a waveform that is still being computed. */
const pause = 1000
/** Questions after which it is given up. */
const patience = 60

/**
 * Fetches the waveforms of recordings that come into view, the latest first, and keeps them as long
 * as the file stays the same.
 */
export class Thumbnails {
  #studio
  #known = new Map()
  #waiting = new Map()
  #running = 0
  #watched = new WeakMap()
  #observer = new IntersectionObserver(entries => {
    for (const entry of entries) this.#see(entry.target, entry.isIntersecting)
  }, { rootMargin: '200px' })

  constructor(studio) {
    this.#studio = studio
  }

  /** Calls `show(levels)` once the waveform is known, which is asked for when `element` is seen. */
  watch(element, recording, show) {
    const key = `${recording.name}\n${recording.modified}\n${recording.bytes}`
    const before = this.#watched.get(element)
    if (before?.key === key) return
    this.unwatch(element)
    if (this.#known.has(key)) {
      show(this.#known.get(key))
      this.#watched.set(element, { key })
      return
    }
    this.#watched.set(element, { key, name: recording.name, show, tries: 0 })
    this.#observer.observe(element)
  }

  unwatch(element) {
    this.#observer.unobserve(element)
    const job = this.#watched.get(element)
    if (job) this.#waiting.delete(job)
    this.#watched.delete(element)
  }

  /** Keeps what is known about a recording that got another name. */
  renamed(recording, name) {
    const rest = `\n${recording.modified}\n${recording.bytes}`
    const levels = this.#known.get(recording.name + rest)
    if (levels) this.#known.set(name + rest, levels)
  }

  #see(element, isSeen) {
    const job = this.#watched.get(element)
    if (!job?.show) return
    job.isSeen = isSeen
    if (!isSeen) {
      this.#waiting.delete(job)
      return
    }
    this.#waiting.set(job, element)
    this.#next()
  }

  #next() {
    while (this.#running < parallel && this.#waiting.size > 0) {
      const [job, element] = [...this.#waiting].at(-1)
      this.#waiting.delete(job)
      this.#running += 1
      this.#ask(job, element).finally(() => {
        this.#running -= 1
        this.#next()
      })
    }
  }

  async #ask(job, element) {
    // Nothing is answered before somebody has let this browser in again.
    if (this.#studio.isUnknown) {
      setTimeout(() => this.#again(job, element), pause)
      return
    }
    job.tries += 1
    const path = `/api/recordings/${encodeURIComponent(job.name)}/waveform`
    let answer
    try {
      answer = await this.#studio.get(path)
    } catch (error) {
      if (error.status && error.status !== 401) {
        // A row without a picture is still a row; the status says what is wrong with the file.
        this.#observer.unobserve(element)
        return
      }
      // Without a connection it is asked for again later, as if it were not ready yet.
      answer = null
    }
    if (answer === null) {
      if (job.tries < patience) setTimeout(() => this.#again(job, element), pause)
      return
    }
    const levels = new Uint8Array(answer)
    this.#known.set(job.key, levels)
    if (this.#watched.get(element) !== job) return
    this.#observer.unobserve(element)
    job.show(levels)
  }

  #again(job, element) {
    if (!job.isSeen || this.#watched.get(element) !== job) return
    this.#waiting.set(job, element)
    this.#next()
  }
}
