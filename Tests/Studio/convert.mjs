// Files for “Convert”, and the results of their conversion.

import fs from 'node:fs'
import path from 'node:path'

/** Deletes the previous downloads. */
export function emptyDownloads({ browser: { downloads } }) {
  for (const name of fs.readdirSync(downloads)) fs.rmSync(path.join(downloads, name))
}

/** Passes a file to the page for conversion. */
export async function choose({ page, browser }, file) {
  await browser.type(await page.element('file', ''), file)
}

/** Converts a file in the page, and returns the path of the result. */
export async function convert(fixture, file, suffix = 'm4a') {
  const { page, browser } = fixture
  emptyDownloads(fixture)
  await choose(fixture, file)
  const name = `${path.basename(file, path.extname(file))}.${suffix}`
  await page.click('button', `^Download ${name}$`)
  return browser.downloaded(new RegExp(`^${name}$`))
}
