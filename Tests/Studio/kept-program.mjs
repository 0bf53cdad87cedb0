// A program that runs until it is ended, and never longer than the process that started it.

import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { until } from './waiting.mjs'

// The watcher takes the whole session along: a browser's processes make groups of their own.
const script = `
  setsid "$@" </dev/null >>"$LOG" 2>&1 &
  program=$!
  echo $program
  everything() { ps -s $program -o pid=; }
  { while kill -0 $PPID && kill -0 $$; do sleep 0.3; done; kill -9 $program $(everything)
    kill -0 $PPID || rm -rf "$FOLDER"; } \\
    </dev/null >/dev/null 2>&1 &
  watcher=$!
  wait $program
  status=$?
  kill -9 $(everything) 2>/dev/null
  kill $watcher 2>/dev/null
  exit $status`

/** A program, whose output goes into a file; see `start`. */
export class KeptProgram {
  #shell
  #log
  #ended

  /**
   * Starts a command, an array, in a folder that goes with it if this process is killed; its output
   * is appended to the file `log`.
   */
  static async start(command, { environment = process.env, log, folder }) {
    const program = new KeptProgram()
    program.#log = log
    fs.appendFileSync(log, '')
    const shell = spawn('/bin/sh', ['-c', script, 'sh', ...command], {
      env: { ...environment, LOG: log, FOLDER: folder }, cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
      // A signal to the group of the tests must not take the watcher away before its work.
      detached: true,
    })
    program.#shell = shell
    program.#ended = new Promise((resolve) => {
      shell.on('exit', (status, signal) => resolve(status ?? signal))
    })
    program.number = await new Promise((resolve, reject) => {
      shell.on('error', reject)
      shell.on('exit', () => reject(new Error(`${command[0]} did not start`)))
      shell.stdout.once('data', (text) => resolve(Number(text)))
    })
    return program
  }

  get isRunning() { return this.#shell.exitCode === null && this.#shell.signalCode === null }

  /** What it has printed so far. */
  get output() { return fs.readFileSync(this.#log, 'utf8') }

  /** Its status, once it has ended; 128 and more stand for a signal. */
  get ended() { return this.#ended }

  signal(name) { if (this.isRunning) process.kill(this.number, name) }

  /** Waits until its output has a pattern, and returns the match. */
  async printed(pattern) {
    const found = () => {
      const match = pattern.exec(this.output)
      if (match) return match
      if (!this.isRunning) throw new Error('The program has ended')
      return null
    }
    try {
      return await until(found, `output like ${pattern}`)
    } catch (error) {
      throw new Error(`${error.message}; it printed:\n${this.output.slice(-2000)}`)
    }
  }

  /** Ends it with a signal, by force if that does not help, and returns its status. */
  async end(signal = 'SIGKILL', seconds = 30) {
    this.signal(signal)
    const force = setTimeout(() => this.signal('SIGKILL'), seconds * 1000)
    const status = await this.#ended
    clearTimeout(force)
    return status
  }
}
