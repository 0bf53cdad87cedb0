// Leads the name “mediabunny” to the package itself, if MEDIABUNNY names its module, or else to
// what stands in for it here.

import { pathToFileURL } from 'node:url'

const standIn = new URL('./mediabunny-interface.mjs', import.meta.url).href
const url = process.env.MEDIABUNNY ? pathToFileURL(process.env.MEDIABUNNY).href : standIn

/** Called by node for every import. */
export function resolve(specifier, context, next) {
  return specifier === 'mediabunny' ? { url, shortCircuit: true } : next(specifier, context)
}
