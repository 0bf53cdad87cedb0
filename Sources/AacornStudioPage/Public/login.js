// Shows the token that somebody types. It goes neither into an address nor into the history.

const form = document.getElementById('form')
const field = document.getElementById('token')
const button = document.getElementById('enter')
const problem = document.getElementById('problem')

form.addEventListener('submit', async event => {
  event.preventDefault()
  button.disabled = true
  problem.textContent = ''
  problem.textContent = await refusal(field.value.trim())
  button.disabled = false
  if (problem.textContent) {
    field.setAttribute('aria-invalid', 'true')
    field.select()
  } else {
    // A code that was refused is not to stay in the address; the view that was wanted is.
    history.replaceState(null, '', `/${location.hash}`)
    location.reload()
  }
})

/** Why a token does not let in, as a sentence; empty if it does. */
async function refusal(token) {
  try {
    const response = await fetch('/api/login', {
      method: 'POST', headers: { 'X-Aacorn': 'studio' }, body: new URLSearchParams({ token })
    })
    if (response.ok) return ''
    if (response.status === 401) return 'That is not the token of this studio.'
    const answer = await response.json().catch(() => ({}))
    return answer.error ?? `The studio refused this, with status ${response.status}.`
  } catch {
    return 'The studio cannot be reached. Is “aacorn studio” still running?'
  }
}
