import { asBlob, read } from './file-bytes.js'
import { checkNames } from './options.js'

/** The size of a row in bytes, with the layout of `RowBytes` in Sources/AacornWasm/InspectorSession.swift. */
const rowLength = 48
const windows = ['long', 'start', 'short', 'stop']
/** The number of levels in the waveform. */
const levelCount = 400

/** Inspects a whole file, and reports its rows in batches during the inspection. */
export async function inspect(engine, file, options) {
  checkNames(options, ['onRows', 'onProgress', 'signal'])
  const { onRows, onProgress, signal } = options ?? {}
  const blob = asBlob(file)
  const handle = engine.run('inspector_create', blob.size)
  try {
    const profiles = new Map()
    for (let step; (step = engine.run('inspector_step', handle)) > 0;) {
      if (step === 2) {
        if (onRows) onRows(readRows(engine, handle, profiles))
        continue
      }
      signal?.throwIfAborted()
      const offset = engine.call('inspector_offset', handle)
      const bytes = await read(blob, offset, engine.call('inspector_wanted', handle))
      engine.write(handle, bytes)
      engine.run('inspector_supply', handle, bytes.length)
      onProgress?.(Math.min(1, (offset + bytes.length) / Math.max(1, blob.size)))
    }
    onProgress?.(1)
    return readReport(engine, handle)
  } finally {
    engine.call('close', handle)
  }
}

function readRows(engine, handle, profiles) {
  const count = engine.run('inspector_rows', handle)
  const bytes = engine.read(handle, count * rowLength)
  const view = new DataView(bytes.buffer)
  const profile = (type) => {
    if (!profiles.has(type)) {
      const length = engine.run('inspector_profile', handle, type)
      profiles.set(type, engine.readText(handle, length))
    }
    return profiles.get(type)
  }
  return Array.from({ length: count }, (_, index) => readRow(view, index * rowLength, profile))
}

function readRow(view, at, profile) {
  const sampleRate = view.getInt32(at + 36, true)
  const usedBits = view.getInt32(at + 28, true)
  const reservoirBits = view.getInt32(at + 32, true)
  const faults = view.getUint16(at + 46, true)
  return {
    number: view.getFloat64(at, true),
    offset: view.getFloat64(at + 8, true),
    time: sampleRate > 0 ? view.getFloat64(at + 16, true) / sampleRate : 0,
    bytes: view.getInt32(at + 24, true),
    block: block(windows[view.getUint8(at + 42)], windows[view.getUint8(at + 43)], faults),
    profile: profile(view.getUint8(at + 40)),
    sampleRate,
    channels: view.getUint8(at + 41),
    usedBits: usedBits < 0 ? null : usedBits,
    reservoirBits: reservoirBits < 0 ? null : reservoirBits,
    faults,
  }
}

/** The window sequences of the first two channels, or a single one if they are equal. */
function block(first, second, faults) {
  if (!first) return faults > 0 ? 'damaged' : '-'
  return second && second !== first ? `${first}/${second}` : first
}

function readReport(engine, handle) {
  const report = JSON.parse(engine.readText(handle, engine.run('inspector_report', handle)))
  report.waveform = engine.read(handle, engine.run('inspector_levels', handle, levelCount))
  return report
}
