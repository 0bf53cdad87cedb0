// The workers of the page.

/** Starts a worker; calls `receive` with its messages, and `fail` if it cannot run or stops unexpectedly. */
export function startWorker(address, receive, fail) {
  const worker = new Worker(address, { type: 'module' })
  worker.onmessage = ({ data }) => receive(data)
  worker.onerror = event => {
    event.preventDefault()
    fail()
  }
  return worker
}
