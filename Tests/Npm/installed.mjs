// The package in the folder of a user, as npm has installed it there, with his programs beside it.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Where the tarball is. */
export const tarball = process.env.AACORN_TARBALL
if (!tarball) throw new Error('AACORN_TARBALL does not name the tarball. Run Scripts/check-npm.')

/** A folder that goes when the tests have ended. */
export function temporaryFolder() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aacorn-npm-'))
  after(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Installs the package into a fresh folder, without a network and without anybody's settings. */
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

/** What stands in for mediabunny, under its name, which can tell nothing about a browser. */
function putMediabunny(folder) {
  const place = path.join(folder, 'node_modules/mediabunny')
  const text = fs.readFileSync(path.join(root, 'Tests/Wasm/mediabunny-interface.mjs'), 'utf8')
  const own = "'../../Sources/AacornStudioPage/Public/aacorn/webcodecs.js'"
  assert.ok(text.includes(own))
  fs.mkdirSync(place)
  fs.writeFileSync(path.join(place, 'index.mjs'), `${text.replace(own, "'aacorn/webcodecs.js'")}
export const canDecodeAudio = async () => false
export const canEncodeAudio = async () => false
`)
  fs.writeFileSync(path.join(place, 'package.json'),
    '{ "name": "mediabunny", "exports": "./index.mjs" }')
}

/** Runs a program in node and returns what it printed; a failure fails with what it said. */
export function runNode(folder, ...words) {
  return String(execFileSync('node', words, { cwd: folder, maxBuffer: 1 << 26 }))
}

/** The results of one of the programs of this folder, run by node. */
export function resultsInNode(folder, ...words) {
  return resultsOf(runNode(folder, ...words))
}

/** The results in what a program told. */
export function resultsOf(told) {
  const { error, results } = JSON.parse(told)
  assert.equal(error, undefined)
  return results
}
