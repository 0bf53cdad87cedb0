// The package for browsers in a foreign page, without the studio: WebCodecs next to the browser's own, and
// the adapter for mediabunny.

import assert from 'node:assert/strict'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openBrowser } from './browsers.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' }
const page = `<!doctype html><html lang="en"><title>WebCodecs</title><link rel="icon" href="data:,">
<script type="importmap">
{ "imports": { "mediabunny": "/Tests/Wasm/mediabunny-interface.mjs" } }
</script>
<output></output><script type="module" src="/Tests/Studio/webcodecs-page.mjs"></script>`

const server = http.createServer((request, response) => {
  if (request.url === '/') {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)
    return
  }
  const file = path.join(root, path.normalize(request.url))
  if (!fs.existsSync(file)) {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, { 'Content-Type': types[path.extname(file)] ?? 'text/plain' })
  response.end(fs.readFileSync(file))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const browser = await openBrowser()
after(async () => {
  await browser.close()
  server.close()
}, { timeout: 120000 })

await browser.go(`http://127.0.0.1:${server.address().port}/`)
const result = JSON.parse(await browser.until(() => document.querySelector('output').textContent, {
  what: 'the results' }))
assert.equal(result.error, undefined)

test('AAC is installed, and the data types remain those of the browser', () => {
  assert.ok(result.installed.includes('AudioEncoder'))
  assert.ok(result.installed.includes('AudioDecoder'))
  for (const { isOwnData, isOwnChunk } of result.trips) assert.ok(isOwnData && isOwnChunk)
})

test('every profile keeps the level in both formats', () => {
  assert.equal(result.trips.length, 7)
  for (const { codec, format, samples, chunkCount, frames, level } of result.trips) {
    const what = `${codec} as ${format} of ${samples}`
    assert.equal(frames, chunkCount * (codec === 'mp4a.40.2' ? 1024 : 2048), what)
    assert.ok(frames >= 24000, what)
    assert.ok(Math.abs(level / Math.sqrt(1 / 8) - 1) < 0.1, `${what}: ${level}`)
  }
})

test('the browser itself decodes the chunks', () => {
  assert.ok(result.byBrowser, 'the browser reports no support for AAC')
  const { frames, level } = result.byBrowser
  assert.ok(frames >= 24000, `${frames} frames`)
  assert.ok(Math.abs(level / Math.sqrt(1 / 8) - 1) < 0.1, `${level}`)
})

test('the support of other codecs is unchanged', () => {
  const [before, now] = result.opus
  assert.equal(now, before)
})

test('the adapter for mediabunny encodes and decodes', () => {
  assert.ok(result.adapterFrames >= 24000)
})
