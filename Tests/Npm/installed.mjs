// The package in a user's folder, as installed by npm, with the user's programs next to it.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export const tarball = process.env.AACORN_TARBALL
if (!tarball) throw new Error('AACORN_TARBALL does not name the tarball. Run Scripts/check-npm.')

/** Returns a folder that is deleted at the end of the tests. */
export function temporaryFolder() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aacorn-npm-'))
  after(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Installs the package into a new folder, without a network and without user settings. */
export function install() {
  const folder = temporaryFolder()
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', tarball], {
    cwd: folder, env: { PATH: process.env.PATH, HOME: folder }, stdio: ['ignore', 'inherit', 'inherit'],
  })
  const apps = path.join(root, 'Tests/Npm/apps')
  for (const name of fs.readdirSync(apps)) {
    fs.copyFileSync(path.join(apps, name), path.join(folder, name))
  }
  putMediabunny(folder)
  return folder
}

/** The stub of mediabunny, under its name; it imports no browser classes. */
function putMediabunny(folder) {
  const target = path.join(folder, 'node_modules/mediabunny')
  const text = fs.readFileSync(path.join(root, 'Tests/Wasm/mediabunny-interface.mjs'), 'utf8')
  const own = "'../../Npm/webcodecs.js'"
  assert.ok(text.includes(own))
  fs.mkdirSync(target)
  fs.writeFileSync(path.join(target, 'index.mjs'), `${text.replace(own, "'aacorn/webcodecs.js'")}
export const canDecodeAudio = async () => false
export const canEncodeAudio = async () => false
`)
  fs.writeFileSync(path.join(target, 'package.json'),
    '{ "name": "mediabunny", "exports": "./index.mjs" }')
}

/** Runs a program in node and returns its output; throws if the program fails, with its error output. */
export function runNode(folder, ...words) {
  return String(execFileSync('node', words, { cwd: folder, maxBuffer: 1 << 26 }))
}

/** Returns the results of a program of this folder, run by node. */
export function resultsInNode(folder, ...words) {
  return resultsOf(runNode(folder, ...words))
}

/** Returns the results from a program's report. */
export function resultsOf(report) {
  const { error, results } = JSON.parse(report)
  assert.equal(error, undefined)
  return results
}

/** Returns FFmpeg's description of a file, and its decoded samples. */
export function decodedByFFmpeg(file) {
  const { streams, format } = JSON.parse(execFileSync('ffprobe', ['-v', 'error', '-of', 'json',
    '-show_entries', 'stream=profile,sample_rate,channels:format=format_name', file]))
  const bytes = execFileSync('ffmpeg', ['-v', 'error', '-xerror', '-i', file, '-f', 'f32le', '-'],
    { maxBuffer: 1 << 26 })
  return { streams: streams.map(({ profile, sample_rate: rate, channels }) => ({ profile, rate, channels })),
    container: format.format_name, samples: new Float32Array(new Uint8Array(bytes).buffer) }
}
