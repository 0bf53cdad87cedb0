// Code that the tests run in Firefox's own context. Each function is sent as text, so it must be
// self-contained.

/** Records messages about pages from now on; the argument is the text of `listenInPages`. */
export function listen(listenInPages) {
  const said = []
  globalThis.aacornSaid = said
  Services.ppmm.addMessageListener('aacorn:said', ({ data }) => said.push(data))
  Services.ppmm.loadProcessScript(
    `data:text/javascript;charset=utf-8,${encodeURIComponent(`(${listenInPages})()`)}`, true)

  const recordRequest = (subject) => {
    const channel = subject.QueryInterface(Ci.nsIHttpChannel)
    // Requests of workers belong to the page's origin, not to a page.
    const { loadInfo } = channel
    if (!loadInfo.browsingContextID && !loadInfo.triggeringPrincipal?.isContentPrincipal) return
    let status = 0
    try {
      status = channel.responseStatus
    } catch {
      // The request was ended before a response arrived.
    }
    // A redirect is not a failure, nor is a request that the page or its end cancels.
    const { NS_BINDING_ABORTED, NS_BINDING_REDIRECTED } = Cr
    const hasFailed = !Components.isSuccessCode(channel.status) &&
      ![NS_BINDING_ABORTED, NS_BINDING_REDIRECTED].includes(channel.status)
    if (!hasFailed && status < 400) return
    const error = Object.keys(Cr).find((name) => Cr[name] === channel.status) ?? channel.status
    // A channel's number begins with the number of the requesting process; the browser's own is 0. A process
    // is removed from the list before it receives the order to end, and then its requests fail because no
    // process accepts the response. A status from the server counts nevertheless.
    const process = Math.floor(channel.channelId / 2 ** 31)
    const isRunning = ChromeUtils.getAllDOMProcesses().some(({ childID }) => childID === process)
    said.push({
      kind: 'network', level: 'SEVERE', window: loadInfo.innerWindowID,
      message: `${channel.URI.spec} failed: ${status < 400 ? error : `status ${status}`}`,
      endedProcess: isRunning || status >= 400 ? null : process,
    })
  }
  Services.obs.addObserver(recordRequest, 'http-on-stop-request')

  // Ends a script that exceeds the limit, as a user would, so that it is reported.
  Services.obs.addObserver((report) => {
    report.QueryInterface(Ci.nsIHangReport).terminateScript()
  }, 'process-hang-report')
}

/** Reports the messages of pages and their workers. Runs in every process that has pages. */
export function listenInPages() {
  const report = (message) => sendAsyncMessage('aacorn:said', message)
  const kindOf = (category) => {
    if (category === 'content javascript') return 'exception'
    if (category === 'Event Source') return 'network'
    return category.startsWith('CSP') ? 'security' : category
  }
  const recordError = (message) => {
    if (!(message instanceof Ci.nsIScriptError) || message.isFromChromeContext) return
    const { sourceName: source, innerWindowID: window, flags } = message
    if (!window || !/^(https?:|$)/.test(source)) return
    const level = flags & Ci.nsIScriptError.infoFlag ? 'INFO'
      : flags & Ci.nsIScriptError.warningFlag ? 'WARNING' : 'SEVERE'
    report({
      kind: kindOf(message.category), level, window,
      message: `${source}:${message.lineNumber} ${message.errorMessage}`,
      // The engine's own name of the error when a script is ended from outside.
      isBrokenOff: message.errorMessageName === 'JSMSG_TERMINATED',
    })
  }
  Services.console.registerListener({
    observe: recordError, QueryInterface: ChromeUtils.generateQI(['nsIConsoleListener']),
  })

  const levels = { error: 'SEVERE', assert: 'SEVERE', warn: 'WARNING' }
  const recordCall = (event) => {
    if (event.chromeContext) return
    report({
      kind: 'console', level: levels[event.level] ?? 'INFO', window: Number(event.innerID),
      message: `${event.filename}:${event.lineNumber} ${[...event.arguments].map(String).join(' ')}`,
    })
  }
  Cc['@mozilla.org/consoleAPI-storage;1'].getService(Ci.nsIConsoleAPIStorage)
    .addLogEventListener(recordCall, Services.scriptSecurityManager.getSystemPrincipal())
}

/** Sets the page's size (also sizes that windows do not support), theme, motion preference and focus. */
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
