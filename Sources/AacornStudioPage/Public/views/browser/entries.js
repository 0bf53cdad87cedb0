// The recordings that this browser stores: for each recording the audio file, and a file with its metadata.

import { recordingsFolder } from './store.js'
import { adtsFrameAt, adtsHeader, mediaStart, unitLength } from './units.js'

/** The maximum number of bytes of an interrupted recording in memory at a time. */
const batchSize = 4 << 20

const lockName = id => `aacorn-microphone-${id}`

/**
 * Locks an ID during a recording, so that other tabs ignore it; returns the function that releases the lock.
 * The browser also releases it when the page closes.
 */
function claim(id) {
  if (!navigator.locks) return () => {}
  return new Promise(granted => {
    navigator.locks.request(lockName(id), () => new Promise(release => granted(release)))
  })
}

async function writeText(folder, name, text) {
  const file = await folder.getFileHandle(name, { create: true })
  const bytes = new TextEncoder().encode(text)
  const access = await file.createSyncAccessHandle()
  try {
    access.truncate(0)
    access.write(bytes, { at: 0 })
    access.flush()
  } finally {
    access.close()
  }
}

const fileNamed = async (folder, name) => (await folder.getFileHandle(name)).getFile()
const fileIfThere = (folder, name) => fileNamed(folder, name).catch(() => null)

/**
 * Creates an entry, in the worker. `folder` is null if the browser has no file system for pages, or denies
 * access to it, as in private windows.
 */
export async function openEntry(options) {
  const { id, name, container, sampleRate, channels, keepsSamples, startedAt } = options
  let facts = { id, name, container, sampleRate, channels, keepsSamples, startedAt }
  let folder = await recordingsFolder({ create: true })
  const release = await claim(id)
  try {
    if (folder) await writeText(folder, `${id}.json`, JSON.stringify(facts))
  } catch (error) {
    if (error?.name === 'QuotaExceededError') {
      release()
      throw error
    }
    folder = null
  }
  return {
    folder,
    release,
    /** Adds metadata to the entry. */
    async note(more) {
      facts = { ...facts, ...more }
      if (folder) await writeText(folder, `${id}.json`, JSON.stringify(facts))
    },
    /** Marks the recording as complete, and returns the data that the page shows. */
    async complete(file, samples, results) {
      const whole = { ...facts, ...results, isComplete: true }
      if (folder) {
        await writeText(folder, `${id}.json`, JSON.stringify(whole))
        await folder.removeEntry(`${id}.lengths`).catch(() => {})
      }
      return { ...whole, isLasting: folder !== null, file, samples }
    }
  }
}

/**
 * Returns the stored recordings, newest first, except for IDs with `known(id)`; recordings in progress in any
 * tab are omitted.
 */
export async function storedEntries(known) {
  const folder = await recordingsFolder()
  if (!folder) return []
  const locks = await navigator.locks?.query()
  const held = new Set((locks?.held ?? []).map(lock => lock.name))
  const entries = []
  for await (const name of folder.keys()) {
    if (!name.endsWith('.json')) continue
    const id = name.slice(0, -'.json'.length)
    if (held.has(lockName(id)) || known(id)) continue
    const entry = await readEntry(folder, id).catch(() => null)
    if (entry) entries.push(entry)
  }
  return entries.sort((one, other) => other.startedAt - one.startedAt)
}

async function readEntry(folder, id) {
  const facts = JSON.parse(await (await fileNamed(folder, `${id}.json`)).text())
  const file = await fileIfThere(folder, `${id}.part`)
  // The page closed before any data was written, so there is nothing to offer.
  if (!file?.size) {
    await removeEntry(id)
    return null
  }
  const samples = facts.keepsSamples ? await fileIfThere(folder, `${id}.samples`) : null
  if (facts.isComplete) return { ...facts, isLasting: true, file, samples }
  return { ...await recovered(folder, facts, file, samples), isLasting: true, isRecovered: true }
}

export async function removeEntry(id) {
  const folder = await recordingsFolder()
  if (!folder) return
  for (const ending of ['part', 'lengths', 'samples', 'json']) {
    await folder.removeEntry(`${id}.${ending}`).catch(() => {})
  }
}

/** Creates a playable file from an interrupted recording. */
async function recovered(folder, facts, file, samples) {
  // If no core is stored, the core has the recording's own rate and channels.
  const core = facts.core ?? facts
  const sound = facts.container === 'adts'
    ? await wholeFrames(file)
    : await framesOfMovie(core, file, await fileIfThere(folder, `${facts.id}.lengths`))
  return {
    ...facts,
    name: sound.isStream ? facts.name.replace(/\.m4a$/, '.aac') : facts.name,
    seconds: sound.count * unitLength(core, facts.sampleRate) / facts.sampleRate,
    file: sound.blob,
    samples: samples?.size > waveHeaderSize ? completedWave(facts, samples) : null
  }
}

/** Returns a stream up to its last complete frame. */
async function wholeFrames(file) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let at = 0
  let count = 0
  for (let found; (found = adtsFrameAt(bytes, at)) && at + found.length <= bytes.length;) {
    at += found.length
    count += 1
  }
  return { blob: file.slice(0, at, 'audio/aac'), count }
}

/** Converts the frames of a movie file without tables to a stream that every player supports. */
async function framesOfMovie(core, file, lengths) {
  const list = new Uint8Array(lengths ? await lengths.arrayBuffer() : 0)
  const head = new Uint8Array(await file.slice(0, 4096).arrayBuffer())
  const parts = []
  let at = mediaStart(head)
  let count = 0
  while (at > 0 && 2 * count + 2 <= list.length) {
    const batch = []
    let size = 0
    for (; size < batchSize && 2 * count + 2 <= list.length; count += 1) {
      const length = list[2 * count] | (list[2 * count + 1] << 8)
      if (!length || at + size + length > file.size) break
      batch.push(length)
      size += length
    }
    if (!batch.length) break
    parts.push(await streamOf(core, batch, file.slice(at, at + size)))
    at += size
  }
  return { blob: new Blob(parts, { type: 'audio/aac' }), count, isStream: true }
}

/** Prepends a header to each of the consecutive frames in `blob`. */
async function streamOf(core, lengths, blob) {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const stream = new Uint8Array(bytes.length + 7 * lengths.length)
  let from = 0
  let to = 0
  for (const length of lengths) {
    stream.set(adtsHeader(core, length), to)
    stream.set(bytes.subarray(from, from + length), to + 7)
    from += length
    to += length + 7
  }
  return new Blob([stream])
}

function completedWave({ sampleRate, channels }, samples) {
  const whole = 4 * channels
  const byteCount = Math.floor((samples.size - waveHeaderSize) / whole) * whole
  return new Blob([
    waveHeader({ sampleRate, channels, byteCount }),
    samples.slice(waveHeaderSize, waveHeaderSize + byteCount)
  ], { type: 'audio/wav' })
}

/** The number of bytes before the first sample. */
export const waveHeaderSize = 94

/**
 * Returns the header of a WAV file with `byteCount` bytes of 32-bit floating-point samples. Beyond 4 GiB it
 * becomes RF64 (EBU Tech 3306). The 64-bit sizes then replace the “JUNK” chunk, so that the samples never have to
 * move.
 */
export function waveHeader({ sampleRate, channels, byteCount }) {
  const bytes = new Uint8Array(waveHeaderSize)
  const view = new DataView(bytes.buffer)
  let at = 0
  const text = word => { for (const letter of word) bytes[at++] = letter.charCodeAt(0) }
  const u16 = value => { view.setUint16(at, value, true); at += 2 }
  const u32 = value => { view.setUint32(at, Math.min(value, 0xffffffff), true); at += 4 }
  const u64 = value => { view.setBigUint64(at, BigInt(value), true); at += 8 }
  const whole = byteCount + waveHeaderSize - 8
  const isLong = whole > 0xffffffff
  const frameCount = byteCount / (4 * channels)

  text(isLong ? 'RF64' : 'RIFF'); u32(isLong ? 0xffffffff : whole); text('WAVE')
  text(isLong ? 'ds64' : 'JUNK'); u32(28)
  if (isLong) {
    u64(whole); u64(byteCount); u64(Math.floor(frameCount))
  }
  at = 12 + 8 + 28
  // Format 3, IEEE floating point, requires the length of an extension and a “fact” chunk.
  text('fmt '); u32(18); u16(3); u16(channels); u32(sampleRate)
  u32(sampleRate * channels * 4); u16(channels * 4); u16(32); u16(0)
  text('fact'); u32(4); u32(isLong ? 0xffffffff : frameCount)
  text('data'); u32(isLong ? 0xffffffff : byteCount)
  return bytes
}
