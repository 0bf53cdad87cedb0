// The studio and the browser of a test file, with their cleanup.

import { after, afterEach } from 'node:test'
import { openBrowser } from './browsers.mjs'
import { Page } from './page.mjs'
import { PulseServer } from './pulse.mjs'
import { Studio } from './studio-process.mjs'
import { Witness } from './witness.mjs'

/**
 * Starts the shared objects of a test file: `studio`, `browser`, `page`, and `pulse` if `pulse` is given.
 * That function receives the sound server. `prepare` fills the folder of recordings first. With `isWatched`,
 * `witness` records all requests of the page. After every test the page may have only the faults in
 * `expected`; see `checkConsole`.
 */
export async function useStudio({ pulse, prepare, browser, isWatched = false } = {}) {
  const fixture = { expected: [] }
  const end = async () => {
    await fixture.browser?.close()
    fixture.witness?.close()
    await fixture.studio?.close()
    await fixture.pulse?.close()
  }
  try {
    if (pulse) {
      fixture.pulse = await PulseServer.start()
      await pulse(fixture.pulse)
    }
    fixture.studio = await Studio.start({ environment: fixture.pulse?.environment, prepare })
    if (isWatched) fixture.witness = await Witness.start(fixture.studio.url)
    fixture.browser = await openBrowser(browser)
  } catch (error) {
    await end()
    throw error
  }
  fixture.page = new Page(fixture.browser, (fixture.witness ?? fixture.studio).url,
    fixture.studio.token)
  afterEach(async () => {
    const { expected } = fixture
    fixture.expected = []
    await fixture.page.checkConsole(...expected)
  })
  after(end, { timeout: 120000 })
  return fixture
}
