import { Session, trialsPerAbx } from "./session.mjs"

const find = id => document.getElementById(id)
const audio = new AudioContext()
let session, buffers = new Map(), source = null, gain = null, begun = 0, current = null

const scales = {
  abchr: { min: 1, max: 5, step: 0.1, marks: "1 very annoying · 2 annoying · 3 slightly annoying · " +
    "4 perceptible, not annoying · 5 imperceptible" },
  mushra: { min: 0, max: 100, step: 1, marks: "0–20 bad · 20–40 poor · 40–60 fair · 60–80 good · 80–100 excellent" },
}

// Loads all sounds of a trial before the first one plays: the pause of a load would distinguish a sound from the
// hidden reference, which is loaded already.
async function load(trial) {
  const tokens = [trial.reference, ...trial.sounds].filter(token => !buffers.has(token))
  const loaded = await Promise.all(tokens.map(async token => {
    const answer = await fetch(`${token}.wav`)
    if (!answer.ok) throw new Error(`The sound ${token} cannot be loaded. Reload the page.`)
    return [token, await audio.decodeAudioData(await answer.arrayBuffer())]
  }))
  if (loaded.length > 0) buffers = new Map(loaded)
}

// Switches to a sound at the same moment of its time, with a fade of 10 ms.
function play(token, button) {
  audio.resume()
  const buffer = buffers.get(token), now = audio.currentTime
  const offset = source ? (now - begun) % buffer.duration : 0
  stop()
  gain = new GainNode(audio, { gain: 0 })
  gain.gain.linearRampToValueAtTime(1, now + 0.01)
  source = new AudioBufferSourceNode(audio, { buffer, loop: true })
  source.connect(gain).connect(audio.destination)
  source.start(now, offset)
  begun = now - offset
  current = button
  button.setAttribute("aria-pressed", "true")
}

function stop() {
  if (!source) return
  gain.gain.setTargetAtTime(0, audio.currentTime, 0.003)
  source.stop(audio.currentTime + 0.02)
  source = null
  current?.setAttribute("aria-pressed", "false")
}

function button(label, action) {
  const made = document.createElement("button")
  made.textContent = label
  made.addEventListener("click", () => action(made))
  return made
}

const player = (label, token) => {
  const made = button(label, made => play(token, made))
  made.setAttribute("aria-pressed", "false")
  return made
}

const storageKey = test => `listening-${test.test}`
const save = () => localStorage.setItem(storageKey(session.test), JSON.stringify(session.state))

async function show() {
  stop()
  save()
  const { position, trials } = session.state
  find("progress").textContent = session.isFinished ? "" : `Sample ${position + 1} of ${trials.length}`
  find("sounds").replaceChildren()
  find("finish").hidden = position === 0
  find("next").hidden = session.isFinished || session.test.mode === "abx"
  if (session.isFinished) {
    find("message").textContent = "Thank you. Save the result and send it to the person who invited you."
    find("again").hidden = false
    return
  }
  find("message").textContent = "The sounds are being loaded."
  find("next").disabled = true
  try {
    await load(session.trial)
  } catch (error) {
    find("message").textContent = error.message
    return
  }
  find("message").textContent = ""
  if (session.test.mode === "abx") showAbx()
  else showGrades()
}

function showGrades() {
  const { min, max, step, marks } = scales[session.test.mode]
  find("help").textContent = `Grade each sound against the reference: ${marks}. ` +
    (session.test.mode === "abchr" ? "One sound of each pair is the reference itself: it gets 5." :
      "One of the sounds is the reference itself: it gets 100.")
  find("sounds").append(player("Reference", session.trial.reference))
  session.slots.forEach((slot, index) => {
    const row = document.createElement("div"), slider = document.createElement("input")
    const output = document.createElement("output"), label = `Sound ${index + 1}`
    if (session.test.mode === "abchr" && index % 2 === 0) row.className = "pair"
    Object.assign(slider, { type: "range", min, max, step, value: session.gradeOf(slot) ?? max })
    slider.setAttribute("aria-label", `Grade of sound ${index + 1}`)
    output.textContent = session.gradeOf(slot) ?? "not graded"
    const grade = () => {
      session.grade(slot, Number(slider.value))
      save()
      output.textContent = slider.value
      find("next").disabled = !session.isComplete
    }
    slider.addEventListener("input", grade)
    // A click on the knob is a grade as well, even if it does not move.
    slider.addEventListener("change", grade)
    slider.addEventListener("pointerup", grade)
    row.append(player(label, slot.file), slider, output)
    find("sounds").append(row)
  })
  find("next").disabled = !session.isComplete
}

function showAbx() {
  const sound = session.abxSound
  if (sound === undefined) {
    session.advance()
    return show()
  }
  const count = session.trial.answers[sound].length
  find("help").textContent = `Is X sound A or sound B? Answer ${count + 1} of ${trialsPerAbx}.`
  const answer = isA => () => {
    session.answer(isA)
    show()
  }
  find("sounds").append(
    player("A", session.trial.reference), player("B", sound), player("X", session.hidden),
    button("X is A", answer(true)), button("X is B", answer(false)))
}

find("stop").addEventListener("click", stop)
find("again").addEventListener("click", () => {
  localStorage.removeItem(storageKey(session.test))
  location.reload()
})
find("next").addEventListener("click", () => {
  session.advance()
  show()
})
find("finish").addEventListener("click", () => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([JSON.stringify(session.result, null, 1)]))
  link.download = `${session.state.listener}.json`
  link.click()
})

try {
  const answer = await fetch("test.json")
  if (!answer.ok) throw new Error("test.json is missing. Serve the folder with a web server.")
  const test = await answer.json()
  let stored = null
  try {
    stored = JSON.parse(localStorage.getItem(storageKey(test)))
  } catch {
    // A damaged state is ignored.
  }
  session = new Session(test, Math.random, stored)
  await show()
} catch (error) {
  find("message").textContent = error.message
}
