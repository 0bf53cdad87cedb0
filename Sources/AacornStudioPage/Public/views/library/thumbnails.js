/** The maximum number of simultaneous requests; the server computes the waveforms one after the other. */
const parallel = 3
/** Milliseconds between two requests for a waveform that is still being computed. */
const pause = 1000
/** The maximum number of requests for a waveform. */
const maxTries = 60

/**
 * Fetches the waveforms of visible recordings, the most recently visible first, and caches them until the file
 * changes.
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

  constructor(studio) { this.#studio = studio }

  /** Calls `show(levels)` once the waveform is known; it is requested when `element` becomes visible. */
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

  /** Keeps the waveform of a renamed recording. */
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
    // The studio rejects all requests until the user logs in again, so wait.
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
        // Do not request it again: a row works without a waveform, and the status shows the file's problem.
        this.#observer.unobserve(element)
        return
      }
      // Without a connection, request it again later.
      answer = null
    }
    if (answer === null) {
      if (job.tries < maxTries) setTimeout(() => this.#again(job, element), pause)
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
