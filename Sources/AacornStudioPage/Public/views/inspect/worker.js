// Inspects a file in its own worker; nothing is uploaded.

import { load } from '../../aacorn/aacorn.js'
import { errorOf } from '../../request.js'
import { RowPacker } from './rows.js'

/** The number of bytes to collect before they become part of a Blob, which browsers store on disk. */
const pieceSize = 4 << 20

self.onmessage = async ({ data }) => {
  try {
    const blob = data.blob ?? (await fetchWhole(data.address, data.bytes))
    await inspect(blob)
  } catch (error) {
    self.postMessage({ type: 'failed', message: error?.message ?? String(error) })
  }
}

async function inspect(blob) {
  const aacorn = await load()
  const packer = new RowPacker()
  const report = await aacorn.inspect(blob, {
    onRows(rows) {
      const batch = packer.pack(rows)
      self.postMessage({ type: 'rows', batch }, RowPacker.transferables(batch))
    },
    onProgress(fraction) { self.postMessage({ type: 'progress', phase: 'inspecting', fraction }) }
  })
  self.postMessage({ type: 'report', report, blob })
}

/** Fetches a file in pieces, so that a large file never has to fit in memory. */
async function fetchWhole(address, expected) {
  const response = await fetch(address)
  if (!response.ok) throw await errorOf(response)
  const total = Number(response.headers.get('Content-Length')) || expected || 0
  const reader = response.body.getReader()
  const pieces = []
  let gathered = []
  let gatheredSize = 0
  let received = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (value) {
      gathered.push(value)
      gatheredSize += value.length
      received += value.length
    }
    if (gatheredSize >= pieceSize || (done && gatheredSize > 0)) {
      pieces.push(new Blob(gathered))
      gathered = []
      gatheredSize = 0
      const fraction = total > 0 ? Math.min(1, received / total) : 0
      self.postMessage({ type: 'progress', phase: 'fetching', fraction })
    }
    if (done) return new Blob(pieces)
  }
}
