// A PulseAudio server for a test, whose inputs deliver samples that the test writes into pipes.

import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { KeptProgram } from './kept-program.mjs'
import { until } from './waiting.mjs'

const execute = promisify(execFile)

/** A server that uses no sound card or session and leaves no files. */
export class PulseServer {
  #daemon

  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aacorn-pulse-'))
  /** The environment with which programs use only this server. */
  environment = {
    PULSE_SERVER: `unix:${this.folder}/socket`, PULSE_RUNTIME_PATH: this.folder,
    PULSE_COOKIE: `${this.folder}/cookie`,
  }

  static async start() {
    const server = new PulseServer()
    const { folder } = server
    fs.writeFileSync(path.join(folder, 'daemon.conf'),
      'default-sample-rate = 48000\navoid-resampling = yes\nflat-volumes = no\n' +
      'realtime-scheduling = no\n')
    // The server must deliver microphone samples in time on a busy machine, so raise its priority where
    // permitted.
    server.#daemon = await KeptProgram.start([
      'nice', '-n', '-11', 'pulseaudio', '-n', '--daemonize=no', '--exit-idle-time=-1',
      '--use-pid-file=no', '--disallow-exit=yes', '--log-target=stderr',
      '-L', `module-native-protocol-unix socket=${folder}/socket auth-anonymous=1`,
    ], {
      log: path.join(folder, 'log'), folder,
      environment: {
        ...server.environment, HOME: folder, XDG_RUNTIME_DIR: folder, PATH: process.env.PATH,
        LC_ALL: 'C', DBUS_SESSION_BUS_ADDRESS: 'disabled:',
        PULSE_CONFIG: path.join(folder, 'daemon.conf'),
      },
    })
    try {
      await until(async () => {
        if (!server.#daemon.isRunning) {
          throw new Error(`The sound server has ended:\n${server.#daemon.output.slice(-2000)}`)
        }
        return server.control('info').catch(() => null)
      }, 'the sound server')
      return server
    } catch (error) {
      await server.close()
      throw error
    }
  }

  /** Runs `pactl` and returns its output. */
  async control(...words) {
    const { stdout } = await execute('pactl', words, {
      env: { ...process.env, ...this.environment, HOME: this.folder, LC_ALL: 'C' }, timeout: 300000,
    })
    return stdout.trim()
  }

  /** Adds a microphone and returns its number, for `unplug`. */
  async plug(name, description = name, { rate = 48000, channels = 2 } = {}) {
    return this.control('load-module', 'module-pipe-source', `source_name=${name}`,
      `file=${this.folder}/${name}.pipe`, 'format=s16le', `rate=${rate}`, `channels=${channels}`,
      `source_properties="device.description='${description}'"`)
  }

  unplug(number) { return this.control('unload-module', number) }

  /**
   * Plays samples into a microphone in real time, in a loop, until the caller calls `stop` of the returned
   * object or unplugs the microphone.
   */
  feed(name, samples, { rate = 48000, channels = 2 } = {}) {
    const stopped = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(new URL('pulse-feed.mjs', import.meta.url), {
      workerData: {
        pipe: `${this.folder}/${name}.pipe`, bytesPerSecond: rate * channels * 2, stopped,
        bytes: new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength),
      },
    })
    worker.unref()
    return {
      stop() {
        Atomics.store(stopped, 0, 1)
        Atomics.notify(stopped, 0)
      },
    }
  }

  /** Ends the server and deletes its folder. */
  async close() {
    await this.#daemon?.end()
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}
