// Requests to the studio's server, by the page and its workers.

const unreachable = 'Cannot reach the studio. Check that “aacorn studio” is running.'

/**
 * The error of a failed request; the message is a human-readable sentence, `field` the affected form field, if
 * any.
 */
class StudioError extends Error {
  constructor(message, status = 0, field = null) {
    super(message)
    this.name = 'StudioError'
    this.status = status
    this.field = field
  }
}

/**
 * Sends a request with the header that the server requires. Returns JSON as an object, other content as an
 * ArrayBuffer, and null for 202 and 204; throws a StudioError.
 */
export async function request(path, options) {
  let response
  try {
    response = await fetch(path, { ...options, headers: { 'X-Aacorn': 'studio' } })
  } catch (error) {
    if (error.name === 'AbortError') throw error
    throw new StudioError(unreachable)
  }
  if (!response.ok) throw await errorOf(response)
  if (response.status === 202 || response.status === 204) return null
  try {
    return isJSON(response) ? await response.json() : await response.arrayBuffer()
  } catch {
    throw new StudioError(unreachable)
  }
}

/** Returns the error of a response that is not a success, with the server's message. */
export async function errorOf(response) {
  const answer = isJSON(response) ? await response.json().catch(() => null) : null
  return new StudioError(
    answer?.error ?? `The studio rejected the request (status ${response.status}).`,
    response.status, answer?.field)
}

const isJSON = ({ headers }) => headers.get('Content-Type')?.startsWith('application/json')
