// The course of a listening test, without the page: the order of trials, their sounds, and the result.

export const trialsPerAbx = 10

// Returns a copy of a list in random order; random() returns numbers from 0 up to 1.
export function shuffled(list, random = Math.random) {
  const copy = [...list]
  for (let n = copy.length - 1; n > 0; n--) {
    const other = Math.floor(random() * (n + 1))
    ;[copy[n], copy[other]] = [copy[other], copy[n]]
  }
  return copy
}

export class Session {
  // `test` is the content of test.json; `stored` is what `state` was before the page was closed.
  constructor(test, random = Math.random, stored = null) {
    this.test = test
    this.random = random
    this.state = stored?.test === test.test ? stored : {
      test: test.test, mode: test.mode, listener: newName(random),
      trials: shuffled(test.trials, random).map(trial => this.#prepared(trial)), position: 0,
    }
  }

  #prepared(trial) {
    const sounds = shuffled(trial.stimuli, this.random)
    const prepared = { sample: trial.sample, reference: trial.reference, sounds, grades: {} }
    if (this.test.mode === "abchr") {
      // Each sound is beside a hidden reference; the listener grades both.
      prepared.references = {}
      prepared.hiddenFirst = Object.fromEntries(sounds.map(token => [token, this.random() < 0.5]))
    }
    if (this.test.mode === "abx") {
      prepared.answers = Object.fromEntries(sounds.map(token => [token, []]))
      prepared.isReference = this.random() < 0.5
    }
    return prepared
  }

  get trial() { return this.state.trials[this.state.position] }
  get isFinished() { return this.state.position >= this.state.trials.length }

  // The sounds to grade, in order: { file, token, isHidden }, one for each slider.
  get slots() {
    const { sounds, reference, hiddenFirst } = this.trial
    if (this.test.mode !== "abchr") return sounds.map(token => ({ file: token, token }))
    return sounds.flatMap(token => {
      const pair = [{ file: token, token }, { file: reference, token, isHidden: true }]
      return hiddenFirst[token] ? pair.reverse() : pair
    })
  }

  grade(slot, value) {
    const list = slot.isHidden ? this.trial.references : this.trial.grades
    list[slot.token] = value
  }

  gradeOf(slot) { return (slot.isHidden ? this.trial.references : this.trial.grades)[slot.token] }

  // In an ABX trial, X is the reference or the sound; returns the file.
  get hidden() { return this.trial.isReference ? this.trial.reference : this.abxSound }
  get abxSound() {
    return this.trial.sounds.find(token => this.trial.answers[token].length < trialsPerAbx)
  }

  // The listener says that X is the reference, or not.
  answer(isReference) {
    this.trial.answers[this.abxSound].push(isReference === this.trial.isReference)
    this.trial.isReference = this.random() < 0.5
  }

  get isComplete() {
    if (this.test.mode === "abx") return this.abxSound === undefined
    return this.slots.every(slot => this.gradeOf(slot) !== undefined)
  }

  advance() { if (this.isComplete) this.state.position++ }

  // The file that the listener sends.
  get result() {
    const { test, mode, listener, trials, position } = this.state
    return {
      test, mode, listener,
      trials: trials.slice(0, position).map(({ sample, grades, references, answers }) =>
        ({ sample, grades, references, answers })),
    }
  }
}

function newName(random) {
  return Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16)).join("")
}
