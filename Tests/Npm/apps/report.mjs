// Reports the results of a program to its runner: node, a page, or the page that started a worker.

/**
 * Writes the results. Under node, files among them are also written into the folder of the first argument.
 */
export async function report(promise) {
  let outcome
  try {
    const { results, made } = await promise
    outcome = { results }
    const folder = globalThis.process?.argv?.[2]
    if (folder) await keep(folder, made)
  } catch (error) {
    outcome = { error: `${error}\n${error?.stack}` }
  }
  const text = JSON.stringify(outcome)
  if (globalThis.document) document.querySelector('output').textContent = text
  else if (globalThis.postMessage && !globalThis.process) postMessage(text)
  else console.log(text)
}

async function keep(folder, made) {
  const { writeFileSync } = await import(['node', 'fs'].join(':'))
  for (const [name, bytes] of Object.entries(made)) {
    if (/^[\w-]+\.\w+$/.test(name)) writeFileSync(`${folder}/${name}`, bytes)
  }
}
