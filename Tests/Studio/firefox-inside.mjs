// What the tests run in Firefox's own context. Each function goes there as text, so it stands alone.

/** Notes what pages say and ask for, from now on; `listen` is the text of `listenInPages`. */
export function listen(listenInPages) {
  const noted = { said: [], requests: [] }
  globalThis.aacornNoted = noted
  Services.ppmm.addMessageListener('aacorn:said', ({ data }) => noted.said.push(data))
  Services.ppmm.loadProcessScript(
    `data:text/javascript;charset=utf-8,${encodeURIComponent(`(${listenInPages})()`)}`, true)

  const noteRequest = (subject) => {
    const channel = subject.QueryInterface(Ci.nsIHttpChannel)
    // Those of workers belong to no page, but to the page's origin.
    const { loadInfo } = channel
    if (!loadInfo.browsingContextID && !loadInfo.triggeringPrincipal?.isContentPrincipal) return
    let [status, type] = [0, '']
    try {
      status = channel.responseStatus
      type = channel.contentType
    } catch {
      // It was ended before an answer came.
    }
    const { requestMethod: method, URI: { spec: url } } = channel
    noted.requests.push({ url, method, status, type })
    // One that leads to another is no failure, nor one that the page, or who leaves it, breaks off.
    const { NS_BINDING_ABORTED, NS_BINDING_REDIRECTED } = Cr
    const hasFailed = !Components.isSuccessCode(channel.status) &&
      ![NS_BINDING_ABORTED, NS_BINDING_REDIRECTED].includes(channel.status)
    if (!hasFailed && status < 400) return
    const error = Object.keys(Cr).find((name) => Cr[name] === channel.status) ?? channel.status
    // A channel's number begins with that of the process that asks, the browser's own being 0. A
    // process is off the list before it is told to end, and what it asked for fails with nobody
    // there to take it. What the server says is its word nevertheless.
    const process = Math.floor(channel.channelId / 2 ** 31)
    const isThere = ChromeUtils.getAllDOMProcesses().some(({ childID }) => childID === process)
    noted.said.push({
      kind: 'network', level: 'SEVERE', window: loadInfo.innerWindowID,
      message: `${url} failed: ${status < 400 ? error : `status ${status}`}`,
      endedProcess: isThere || status >= 400 ? null : process,
    })
  }
  Services.obs.addObserver(noteRequest, 'http-on-stop-request')

  // What runs for longer than a script may is ended, as a person would, so that it is told about.
  Services.obs.addObserver((report) => {
    report.QueryInterface(Ci.nsIHangReport).terminateScript()
  }, 'process-hang-report')
}

/** Passes on what pages and their workers say. Runs in every process that has pages. */
export function listenInPages() {
  const tell = (message) => sendAsyncMessage('aacorn:said', message)
  const kindOf = (category) => {
    if (category === 'content javascript') return 'exception'
    if (category === 'Event Source') return 'network'
    return category.startsWith('CSP') ? 'security' : category
  }
  const note = (message) => {
    if (!(message instanceof Ci.nsIScriptError) || message.isFromChromeContext) return
    const { sourceName: source, innerWindowID: window, flags } = message
    if (!window || !/^(https?:|$)/.test(source)) return
    const level = flags & Ci.nsIScriptError.infoFlag ? 'INFO'
      : flags & Ci.nsIScriptError.warningFlag ? 'WARNING' : 'SEVERE'
    tell({
      kind: kindOf(message.category), level, window,
      message: `${source}:${message.lineNumber} ${message.errorMessage}`,
      // The engine's own name of what it says when a script is ended from outside.
      isBrokenOff: message.errorMessageName === 'JSMSG_TERMINATED',
    })
  }
  Services.console.registerListener({
    observe: note, QueryInterface: ChromeUtils.generateQI(['nsIConsoleListener']),
  })

  const levels = { error: 'SEVERE', assert: 'SEVERE', warn: 'WARNING' }
  const noteCall = (event) => {
    if (event.chromeContext) return
    tell({
      kind: 'console', level: levels[event.level] ?? 'INFO', window: Number(event.innerID),
      message: `${event.filename}:${event.lineNumber} ${[...event.arguments].map(String).join(' ')}`,
    })
  }
  Cc['@mozilla.org/consoleAPI-storage;1'].getService(Ci.nsIConsoleAPIStorage)
    .addLogEventListener(noteCall, Services.scriptSecurityManager.getSystemPrincipal())
}

/** Gives the page a size, also one that no window may have, a theme, less motion, and the focus. */
export function shape({ width, height, isDark }, isCalm) {
  const view = gBrowser.selectedBrowser
  for (const [name, length] of [['width', width], ['height', height]]) {
    view.style.setProperty(`min-${name}`, `${length}px`)
    view.style.setProperty(`max-${name}`, `${length}px`)
  }
  Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', isDark ? 0 : 1)
  Services.prefs.setIntPref('ui.prefersReducedMotion', isCalm ? 1 : 0)
  view.focus()
}
