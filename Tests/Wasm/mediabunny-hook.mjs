// Leads the name “mediabunny” to what stands in for it here.

const url = new URL('./mediabunny-interface.mjs', import.meta.url).href

/** Called by node for every import. */
export function resolve(specifier, context, next) {
  return specifier === 'mediabunny' ? { url, shortCircuit: true } : next(specifier, context)
}
