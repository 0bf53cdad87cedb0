// Resolves the name “mediabunny” to the stub in this folder.

const url = new URL('./mediabunny-interface.mjs', import.meta.url).href

/** Called by node for every import. */
export function resolve(specifier, context, next) {
  return specifier === 'mediabunny' ? { url, shortCircuit: true } : next(specifier, context)
}
