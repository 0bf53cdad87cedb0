// The package as npm gets it: what is in it, and the lines of its README, as a user would run them.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aacorn-npm-'))
const modules = path.join(folder, 'node_modules')
const standIn = JSON.stringify(new URL('./mediabunny-interface.mjs', import.meta.url))
after(() => fs.rmSync(folder, { recursive: true }))

/** Packs it into a folder and returns where the tarball is. */
function pack(name) {
  const script = path.join(root, 'Scripts/build-npm-package')
  return String(execFileSync(script, [path.join(folder, name)])).trim()
}

fs.mkdirSync(path.join(modules, 'aacorn'), { recursive: true })
execFileSync('tar', ['-xzf', pack('once'), '-C', path.join(modules, 'aacorn'),
  '--strip-components=1'])
// What stands in for mediabunny can tell nothing about a browser.
fs.mkdirSync(path.join(modules, 'mediabunny'))
fs.writeFileSync(path.join(modules, 'mediabunny/index.mjs'), `export * from ${standIn}
  export const canDecodeAudio = async () => false
  export const canEncodeAudio = async () => false`)
fs.writeFileSync(path.join(modules, 'mediabunny/package.json'),
  '{ "name": "mediabunny", "exports": "./index.mjs" }')

/** Runs a module in the user's folder; `samples` are there, and what the lines before have made. */
function run(lines) {
  fs.writeFileSync(path.join(folder, 'user.mjs'), `
    const samples = Float32Array.from({ length: 96000 }, (_, index) => Math.sin(index / 40) / 2)
    ${lines}`)
  return JSON.parse(String(execFileSync('node', ['user.mjs'], { cwd: folder })))
}

/** The lines of JavaScript below a heading of the README. */
function linesBelow(heading) {
  const text = fs.readFileSync(path.join(modules, 'aacorn/README.md'), 'utf8')
  const part = text.split(`\n## ${heading}\n`)[1].split('\n## ')[0]
  return [...part.matchAll(/^```js\n([^]*?)^```/gm)].map(([, code]) => code).join('\n')
}

test('the same files make the same tarball', () => {
  assert.deepEqual(fs.readFileSync(pack('again')), fs.readFileSync(pack('and-again')))
})

test('all that is published is in it, and can be imported', () => {
  const published = path.join(root, 'Sources/AacornStudioPage/Public/aacorn')
  const files = (place) => fs.readdirSync(place, { recursive: true }).filter((name) => (
    fs.statSync(path.join(place, name)).isFile())).sort()
  assert.deepEqual(files(path.join(modules, 'aacorn')),
    [...files(published), 'LICENSE', 'README.md'].sort())
  const { exports } = JSON.parse(fs.readFileSync(path.join(published, 'package.json')))
  const names = Object.keys(exports).filter((name) => name === '.' || name.endsWith('.js'))
  const found = run(names.map((name) => `await import('${path.posix.join('aacorn', name)}')`)
    .join('\n') + '\nconsole.log(1)')
  assert.equal(found, 1)
})

test('the lines of the README encode and decode', () => {
  const lines = ['Encode', 'Decode, and read sound files'].map(linesBelow).join('\n')
  const { size, frames, rate } = run(`${lines}
    console.log(JSON.stringify({ size: blob.size, frames: channels[0].length, rate: sampleRate }))`)
  assert.ok(size > 5000)
  assert.deepEqual([frames, rate], [48000, 48000])
})

test('the lines of the README bring WebCodecs', () => {
  const { count, times } = run(`${linesBelow('WebCodecs')}
    console.log(JSON.stringify({ count: chunks.length, times: chunks.map((c) => c.timestamp) }))`)
  assert.ok(count >= 48)
  assert.equal(times[0], 0)
})

test('the lines of the README register with mediabunny', () => {
  const lines = `${linesBelow('mediabunny')}
    import { make } from ${standIn}
    const config = { codec: 'mp4a.40.2', sampleRate: 48000, numberOfChannels: 2 }
    console.log(JSON.stringify(['encode', 'decode'].map((kind) => (
      make(kind, 'aac', config)?.constructor.name))))`
  assert.deepEqual(run(lines), ['AacornEncoder', 'AacornDecoder'])
})
