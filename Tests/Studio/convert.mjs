// Files for “Convert”, and the results of their conversion.

import fs from 'node:fs'
import path from 'node:path'

/** Forgets what has been downloaded. */
export function emptyDownloads({ browser: { downloads } }) {
  for (const name of fs.readdirSync(downloads)) fs.rmSync(path.join(downloads, name))
}

/** Gives the page a file to convert. */
export async function choose({ page, browser }, file) {
  await browser.type(await page.element('file', ''), file)
}

/** Has the page convert a file, and returns the path of what it makes of it. */
export async function convert(fixture, file, suffix = 'm4a') {
  const { page, browser } = fixture
  emptyDownloads(fixture)
  await choose(fixture, file)
  const name = `${path.basename(file, path.extname(file))}.${suffix}`
  await page.click('button', `^Download ${name}$`)
  return browser.downloaded(new RegExp(`^${name}$`))
}
