// The package as npm gets it: the same bytes every time, and the lines of its README, as a user would
// run them.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { install, root, runNode, tarball, temporaryFolder } from './installed.mjs'

const folder = install()

/** Runs a module in the user's folder; `samples` are there, and what the lines before have made. */
function run(lines) {
  fs.writeFileSync(path.join(folder, 'user.mjs'), `
    const samples = Float32Array.from({ length: 96000 }, (_, index) => Math.sin(index / 40) / 2)
    ${lines}`)
  return JSON.parse(runNode(folder, 'user.mjs'))
}

/** The lines of JavaScript below a heading of the README. */
function linesBelow(heading) {
  const text = fs.readFileSync(path.join(folder, 'node_modules/aacorn/README.md'), 'utf8')
  const part = text.split(`\n## ${heading}\n`)[1].split('\n## ')[0]
  return [...part.matchAll(/^```js\n([^]*?)^```/gm)].map(([, code]) => code).join('\n')
}

test('the same files make the same tarball', () => {
  const script = path.join(root, 'Scripts/build-npm-package')
  const again = String(execFileSync(script, [temporaryFolder()])).trim()
  assert.deepEqual(fs.readFileSync(again), fs.readFileSync(tarball))
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
    import { make } from 'mediabunny'
    const config = { codec: 'mp4a.40.2', sampleRate: 48000, numberOfChannels: 2 }
    console.log(JSON.stringify(['encode', 'decode'].map((kind) => (
      make(kind, 'aac', config)?.constructor.name))))`
  assert.deepEqual(run(lines), ['AacornEncoder', 'AacornDecoder'])
})
