// Tells what came of some work, to whoever runs it: node, a page, or the page that has a worker.

/** Writes the results; `files` of them go into the folder that a program of node is told. */
export async function tell(promise) {
  let told
  try {
    const { results, made } = await promise
    told = { results }
    const folder = globalThis.process?.argv?.[2]
    if (folder) await keep(folder, made)
  } catch (error) {
    told = { error: `${error}\n${error?.stack}` }
  }
  const text = JSON.stringify(told)
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
