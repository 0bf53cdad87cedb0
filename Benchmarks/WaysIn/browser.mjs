// Chromium with a page that loads only the package. Every line of standard input contains a task, a
// file and a target. The response is [wall seconds, processor seconds] of all processes of the
// browser, from loading the module to the last sample. The page uploads its output to the target.
//
//     node browser.mjs FOLDER BITS-PER-SECOND

import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import readline from 'node:readline'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Chromium } from '../../Tests/Studio/chromium.mjs'

const [, , folder, bitrate] = process.argv
const root = fileURLToPath(new URL('../../Sources/AacornStudioPage/Public/', import.meta.url))
const types = { '.js': 'text/javascript', '.wasm': 'application/wasm' }
const ticks = Number(execFileSync('getconf', ['CLK_TCK']))

const server = http.createServer((request, response) => {
  const name = decodeURIComponent(new URL(request.url, 'http://localhost/').pathname)
  if (request.method === 'PUT') {
    request.pipe(fs.createWriteStream(path.join(folder, name))).on('finish', () => response.end())
  } else if (name === '/') {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>A page</title>')
  } else {
    const file = path.join(name.startsWith('/aacorn/') ? root : folder, name)
    response.setHeader('Content-Type', types[path.extname(name)] ?? 'application/octet-stream')
    fs.createReadStream(file).on('error', () => response.writeHead(404).end()).pipe(response)
  }
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))

/** Returns the user seconds of the browser: of all processes that this process has started. */
function processorSeconds() {
  const stats = new Map()
  for (const name of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const text = fs.readFileSync(`/proc/${name}/stat`, 'latin1')
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      stats.set(Number(name), { parent: Number(fields[1]), user: Number(fields[11]) })
    } catch {
      // The process has ended.
    }
  }
  const isOurs = (number) => {
    for (let at = number; stats.has(at); at = stats.get(at).parent) {
      if (at === process.pid) return true
    }
    return false
  }
  let sum = 0
  for (const [number, { user }] of stats) {
    if (number !== process.pid && isOurs(number)) sum += user
  }
  return sum / ticks
}

/** Runs in the page. */
async function encode(bitrate) {
  const { load } = await import('/aacorn/aacorn.js')
  const sound = await (await load()).soundFile(window.given)
  window.made = await sound.convert({ container: 'm4a', rateControl: { constant: bitrate } })
}

/** Runs in the page. Discards the samples, which a page would play or draw. */
async function decode() {
  const { loadDecoder } = await import('/aacorn/decoder.js')
  const sound = await (await loadDecoder()).soundFile(window.given)
  let frames = 0
  for (let part; (part = await sound.read(1 << 16)) !== null;) frames += part.channels[0].length
  window.made = new Blob([String(frames)])
}

const browser = await Chromium.open({ scriptTimeout: 3000 })
try {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [task, source, target] = JSON.parse(line)
    await browser.go(`http://127.0.0.1:${server.address().port}/`)
    const name = (file) => `/${encodeURIComponent(path.basename(file))}`
    await browser.evaluate(`window.given = await (await fetch('${name(source)}')).blob()`)
    const before = processorSeconds()
    const milliseconds = await browser.evaluate(`const begin = performance.now()
      await (${task === 'encode' ? encode : decode})(${bitrate})
      return performance.now() - begin`)
    const user = processorSeconds() - before
    await browser.evaluate(`await fetch('${name(target)}', { method: 'PUT', body: window.made })`)
    console.log(JSON.stringify([milliseconds / 1000, user]))
  }
} finally {
  await browser.close()
  server.close()
}
