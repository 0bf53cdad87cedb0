// Logs in with the token that a user types. The token is neither in an address nor in the history.

const form = document.getElementById('form')
const field = document.getElementById('token')
const button = document.getElementById('enter')
const problem = document.getElementById('problem')

form.addEventListener('submit', async event => {
  event.preventDefault()
  button.disabled = true
  problem.textContent = ''
  problem.textContent = await loginError(field.value.trim())
  button.disabled = false
  if (problem.textContent) {
    field.setAttribute('aria-invalid', 'true')
    field.select()
  } else {
    // Removes a rejected code from the address, and keeps the requested view.
    history.replaceState(null, '', `/${location.hash}`)
    location.reload()
  }
})

/** Returns the error message for a token; empty if it is accepted. */
async function loginError(token) {
  try {
    const response = await fetch('/api/login', {
      method: 'POST', headers: { 'X-Aacorn': 'studio' }, body: new URLSearchParams({ token })
    })
    if (response.ok) return ''
    if (response.status === 401) return 'That is not the token of this studio.'
    const answer = await response.json().catch(() => ({}))
    return answer.error ?? `The studio rejected the request (status ${response.status}).`
  } catch {
    return 'Cannot reach the studio. Check that “aacorn studio” is running.'
  }
}
