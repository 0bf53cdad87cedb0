// A program that runs at most as long as the process that started it.

import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { until } from './waiting.mjs'

// The watcher kills all processes of the session: a browser's processes form separate process groups, so a
// signal to one group is not enough.
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

/** A program whose output is appended to a file; see `start`. */
export class KeptProgram {
  #shell
  #log
  #ended

  /**
   * Starts a command, an array. If this process is killed, the program is ended and `folder` is deleted. Its
   * output is appended to the file `log`.
   */
  static async start(command, { environment = process.env, log, folder }) {
    const program = new KeptProgram()
    program.#log = log
    fs.appendFileSync(log, '')
    const shell = spawn('/bin/sh', ['-c', script, 'sh', ...command], {
      env: { ...environment, LOG: log, FOLDER: folder }, cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
      // A signal to the tests' group must not end the watcher before its work.
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

  /** The output up to now. */
  get output() { return fs.readFileSync(this.#log, 'utf8') }

  /** The exit status of an ended program; 128 and more represent a signal. */
  get ended() { return this.#ended }

  signal(name) { if (this.isRunning) process.kill(this.number, name) }

  /** Waits until the output matches a pattern, and returns the match. */
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

  /** Ends the program with a signal, by force if necessary, and returns its status. */
  async end(signal = 'SIGKILL', seconds = 30) {
    this.signal(signal)
    const force = setTimeout(() => this.signal('SIGKILL'), seconds * 1000)
    const status = await this.#ended
    clearTimeout(force)
    return status
  }
}
