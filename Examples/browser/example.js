// The page: controls the microphone, and a worker that runs the encoder.

const byId = (id) => document.getElementById(id)
const worker = new Worker('worker.js', { type: 'module' })

/** Sends a request to the worker and waits for its result. */
function ask(message, transfer = []) {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => {
      if (data.progress !== undefined) byId('progress').value = data.progress
      else if (data.error) reject(new Error(data.error))
      else resolve(data.result)
    }
    worker.postMessage({ ...message, port: port2 }, [port2, ...transfer])
  })
}

function offer(blob, name) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.textContent = `${name}, ${Math.ceil(blob.size / 1000)} kB`
  const item = document.createElement('li')
  item.append(link)
  byId('done').prepend(item)
}

/** Runs an action of the user and shows its errors. */
const shown = (action) => async (event) => {
  byId('error').textContent = ''
  try {
    await action(event)
  } catch (error) {
    byId('error').textContent = error.message
  }
}

let recording = null

byId('record').onclick = shown(async () => {
  byId('record').disabled = true
  try {
    await (recording ? stop() : start())
  } finally {
    byId('record').textContent = recording ? 'Stop' : 'Record'
    byId('record').disabled = false
  }
})

async function start() {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
  })
  const context = new AudioContext()
  recording = { context, stream }
  try {
    await context.audioWorklet.addModule('microphone.js')
    const channels = stream.getAudioTracks()[0].getSettings().channelCount ?? 1
    recording.node = new AudioWorkletNode(context, 'microphone', {
      channelCount: channels, channelCountMode: 'explicit',
    })
    await ask({ kind: 'start', sampleRate: context.sampleRate, channels })
    // The audio thread sends the samples directly to the worker.
    const { port1, port2 } = new MessageChannel()
    worker.postMessage({ kind: 'samples', port: port1 }, [port1])
    recording.node.port.postMessage(port2, [port2])
    context.createMediaStreamSource(stream).connect(recording.node)
    // The output is silence, but some browsers do not run a node without a destination.
    recording.node.connect(context.destination)
  } catch (error) {
    await release()
    throw error
  }
}

async function stop() {
  // The worker completes the file after the audio thread has sent the last samples.
  const file = ask({ kind: 'finish' })
  recording.node.port.postMessage('end')
  try {
    offer(await file, 'recording.m4a')
  } finally {
    await release()
  }
}

/** Stops the microphone. */
async function release() {
  const { context, stream } = recording
  recording = null
  for (const track of stream.getTracks()) track.stop()
  await context.close()
}

setInterval(() => {
  byId('time').value = recording ? `${recording.context.currentTime.toFixed(1)} s` : ''
}, 100)

byId('file').onchange = shown(async ({ target }) => {
  const [file] = target.files
  if (!file) return
  byId('progress').hidden = false
  try {
    const name = file.name.replace(/\.[^.]*$/, '') + '.m4a'
    try {
      // The encoder reads WAV, AIFF and CAF directly, without rounding samples. The library decodes
      // AAC files, and the browser all others.
      offer(await ask({ kind: 'convert', file }), name)
    } catch {
      const context = new OfflineAudioContext(2, 1, 48000)
      const sound = await context.decodeAudioData(await file.arrayBuffer())
      const channels = Array.from({ length: sound.numberOfChannels }, (_, index) => (
        sound.getChannelData(index)))
      offer(await ask({ kind: 'encode', sampleRate: sound.sampleRate, channels }), name)
    }
  } finally {
    byId('progress').hidden = true
    target.value = ''
  }
})
