// Makes the picture of the page that the documents show, from the page while it records:
//
//     node Tests/Studio/make-picture.mjs Documentation/Studio/record.png

import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { openBrowser } from './browsers.mjs'
import { Page } from './page.mjs'
import { PulseServer } from './pulse.mjs'
import { decode } from './sound.mjs'
import { runAacorn, Studio } from './studio-process.mjs'

const file = path.resolve(process.argv[2])
const pulse = await PulseServer.start()
let studio
let browser
try {
  await pulse.plug('voice', 'Simulated microphone', { rate: 48000, channels: 1 })
  studio = await Studio.start({ environment: pulse.environment })
  const voice = path.join(studio.folder, 'voice.wav')
  runAacorn('record', '-q', '--device', 'speech', '--unpaced', '-d', '30s', '--rate', '48000',
    '--channels', '1', voice)
  const samples = Int16Array.from(decode(voice), (sample) => Math.round(sample * 32767))
  const feed = pulse.feed('voice', samples, { channels: 1 })
  browser = await openBrowser()
  const page = new Page(browser, studio.url, studio.token)
  await page.show('record')
  await page.record()
  await page.hasRecorded(17)
  const picture = path.join(studio.folder, 'picture.png')
  await browser.screenshot(picture)
  // The upper part of the page leaves room for text on a reader's first screen. A palette of 256 colors is
  // enough, and halves the size.
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', picture, '-vf',
    'crop=iw:720:0:0,split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none', file])
  await page.click('button', /^Stop$/)
  await page.element('button', /^Start$/)
  feed.stop()
} finally {
  await browser?.close()
  await studio?.close()
  await pulse.close()
}
