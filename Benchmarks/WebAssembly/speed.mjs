// Encodes one file with the command, and with the module in node and in browsers, in the same run.
// Prints medians of wall time, because browsers do not report processor time.

import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { load } from '../../Npm/aacorn.js'
import { Chromium } from '../../Tests/Studio/chromium.mjs'
import { Firefox } from '../../Tests/Studio/firefox.mjs'
import { aacorn, runAacorn, Studio } from '../../Tests/Studio/studio-process.mjs'

const efforts = ['fast', 'balanced', 'best']
const rounds = 3

/** Encodes WAV bytes once with every effort; returns milliseconds. Runs in node and in pages. */
async function encodeAll(engine, blob, efforts) {
  const times = {}
  for (const effort of efforts) {
    const begin = performance.now()
    const file = await engine.soundFile(blob)
    const made = await file.convert(
      { container: 'm4a', rateControl: { constant: 128_000 }, effort })
    file.close()
    times[effort] = { milliseconds: performance.now() - begin, bytes: made.size }
  }
  return times
}

const studio = await Studio.start()
const opened = []
try {
  const source = studio.file('source.wav')
  if (process.argv[2]) fs.copyFileSync(path.resolve(process.argv[2]), source)
  else runAacorn('record', '-q', '--device', 'speech', '--unpaced', '-d', '600s', source)
  const blob = new Blob([fs.readFileSync(source)])
  const engine = await load()
  const { frameCount, sampleRate } = await engine.soundFile(blob)
  const seconds = frameCount / sampleRate

  const environments = {
    'the command, one thread': () => Object.fromEntries(efforts.map((effort) => {
      const made = path.join(studio.folder, 'made.m4a')
      const begin = performance.now()
      execFileSync(aacorn, ['encode', '-q', '-f', '-b', '128k', '--effort', effort, '--jobs', '1',
        source, '-o', made])
      return [effort, { milliseconds: performance.now() - begin, bytes: fs.statSync(made).size }]
    })),
  }
  environments.node = () => encodeAll(engine, blob, efforts)
  for (const [name, Kind] of Object.entries({ Chromium, Firefox })) {
    const browser = await Kind.open()
    opened.push(browser)
    await browser.go(studio.url)
    environments[name] = () => browser.evaluate(`
      const { load } = await import('/aacorn/aacorn.js')
      window.engine ??= await load()
      window.sound ??= await (await fetch('/recordings/source.wav')).blob()
      return (${encodeAll})(window.engine, window.sound, ${JSON.stringify(efforts)})`)
  }

  const results = {}
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(environments)) (results[name] ??= []).push(await run())
  }
  console.log(`${seconds.toFixed(0)} s of sound, constant 128 kb/s, median of ${rounds}`)
  for (const [name, times] of Object.entries(results)) {
    const columns = efforts.map((effort) => {
      const sorted = times.map((time) => time[effort].milliseconds).sort((a, b) => a - b)
      return `${effort} ${(seconds * 1000 / sorted[rounds >> 1]).toFixed(0).padStart(5)}×`
    })
    console.log(`${name.padEnd(24)} ${columns.join('   ')}`)
  }
} finally {
  for (const browser of opened) await browser.close()
  await studio.close()
}
