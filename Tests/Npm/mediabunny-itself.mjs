// Files that mediabunny itself writes with the adapter, in node and in a page: mediabunny reads them again,
// FFmpeg decodes them, and their audio is equal in both environments. MEDIABUNNY names its module.

import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { bundle } from './bundling.mjs'
import { decodedByFFmpeg, install, resultsInNode } from './installed.mjs'
import { Pages } from './pages.mjs'

const itself = process.env.MEDIABUNNY
if (!itself) throw new Error('MEDIABUNNY does not name the module of mediabunny.')
const folder = install()
const target = path.join(folder, 'node_modules/mediabunny')
for (const platform of ['node', 'browser']) {
  bundle(folder, path.resolve(itself), `mediabunny-${platform}`, 'esm', `--platform=${platform}`,
    '--entry-names=index')
}
fs.copyFileSync(path.join(folder, 'mediabunny-node/index.mjs'), path.join(target, 'index.mjs'))
const inNode = resultsInNode(folder, 'writing.mjs')
fs.copyFileSync(path.join(folder, 'mediabunny-browser/index.mjs'), path.join(target, 'index.mjs'))
const inPage = await (await Pages.open(folder)).results('/writing.mjs', 'a module')

function decoded({ base64 }, name) {
  const file = path.join(folder, name)
  fs.writeFileSync(file, Buffer.from(base64, 'base64'))
  return decodedByFFmpeg(file)
}

assert.equal(Object.keys(inNode).length, 18)
assert.deepEqual(Object.keys(inPage), Object.keys(inNode))
const profiles = { lc: 'LC', he: 'HE-AAC', he2: 'HE-AACv2' }
for (const name of Object.keys(inNode)) {
  test(name, () => {
    const { streams, samples } = decoded(inNode[name], `node-${name}`)
    assert.deepEqual(streams,
      [{ profile: profiles[name.split('.')[0]], rate: '48000', channels: 2 }])
    const frames = samples.length / 2
    assert.ok(frames >= 96000 && frames < 96000 + 8192, `${frames} samples`)
    for (const [channel, power] of [[0, 1 / 8], [1, 1 / 18]]) {
      const sum = samples.reduce((sum, value, index) => (
        index % 2 === channel ? sum + value * value : sum), 0)
      assert.ok(Math.abs(sum / 96000 / power - 1) < 0.15, `channel ${channel}: ${sum / 96000}`)
    }
    for (const { frames, power } of [inNode[name], inPage[name]]) {
      assert.ok(frames >= 96000 && frames < 96000 + 8192, `${frames} samples are read again`)
      assert.ok(Math.abs(power * frames / 96000 * 18 - 1) < 0.15, `their power is ${power}`)
    }
    assert.deepEqual(decoded(inPage[name], `page-${name}`).samples, samples)
  })
}
