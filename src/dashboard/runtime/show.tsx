/**
 * Opens the dashboard on a terminal and answers when it is closed. The command line imports this file lazily, after the
 * servers are up, since Ink and React take longer to load than everything else.
 */
import { render } from 'ink'
import { no } from '../../protocol/result.ts'
import type { SessionApi } from '../../session-api/session-api.ts'
import type { Appearance } from '../view/appearance.ts'
import { respond } from '../keys/binding.ts'
import { Dashboard } from '../view/dashboard.tsx'
import { keys } from '../keys/catalogue.ts'
import type { Action } from '../model/message.ts'
import { initialModel } from '../model/model.ts'
import { perform } from '../effects/perform.ts'
import type { DashboardPorts } from '../effects/ports.ts'
import type { Press } from './key-press.ts'
import { createStore } from './store.ts'
import { watch } from './watch.ts'

/** The terminal as the dashboard uses it; the edge makes one. */
interface DashboardTerminal {
  readonly input: NodeJS.ReadableStream
  /** A stream that never blocks the process, with the size of the terminal on it. */
  readonly output: NodeJS.WritableStream & {
    readonly columns: number
    readonly rows: number
    readonly writableLength: number
  }
  /** Hands the terminal to the shell that started us, until it is given back. */
  readonly suspend: () => Promise<void>
}

export interface ShowOptions {
  readonly face: SessionApi
  readonly terminal: DashboardTerminal
  readonly appearance: Appearance
  /** The machine, as far as the dashboard may ask it for something. */
  readonly ports?: DashboardPorts
  /** Closes the dashboard from outside: a signal came. */
  readonly signal?: AbortSignal
}

export type ExitReason = 'quit' | 'interrupted'

export async function showDashboard(options: ShowOptions): Promise<ExitReason> {
  const { face: session, terminal, appearance, signal, ports = {} } = options
  const { input, output } = terminal
  const store = createStore(initialModel(output.columns, output.rows))
  // Before Ink listens: the first frame after a change of size is then already one of the new size.
  const resized = (): void =>
    store.send({ kind: 'resized', columns: output.columns, rows: output.rows })
  output.on('resize', resized)

  const closed = Promise.withResolvers<ExitReason>()
  const watcher = watch({ face: session, store, drained: () => output.writableLength === 0 })
  // One after the other: a burst of keys must reach the session in the order in which it was typed.
  let queue = Promise.resolve()
  const reportError = (error: unknown): void => {
    const text = error instanceof Error ? error.message : String(error)
    store.send({ kind: 'told', notice: { text, tone: 'err' } })
  }
  const act = (action: Action, suspendTerminal: SuspendTerminal): void => {
    if (action.kind === 'quit') return closed.resolve('quit')
    const work = async (): Promise<void> => {
      if (action.kind === 'suspend') return suspendTerminal(terminal.suspend)
      store.send(
        ...(await perform(
          session,
          action,
          withTerminalForEditor(ports, suspendTerminal),
          (message) => store.send(message),
        )),
      )
      watcher.now()
    }
    // What takes minutes holds up no keys.
    if (action.kind === 'minimise') return void work().catch(reportError)
    // A terminal that cannot be handed over, as on systems without such signals, is no reason to stop listening.
    queue = queue.then(work).catch(reportError)
  }
  const press = (each: Press, suspendTerminal: SuspendTerminal): void => {
    store.send({ kind: 'pressed', key: each.key })
    const { messages = [], action } = respond(keys, store.get(), each)
    store.send(...messages)
    if (action) act(action, suspendTerminal)
  }

  const app = render(<Dashboard store={store} appearance={appearance} press={press} />, {
    stdin: input,
    stdout: output,
    alternateScreen: true,
    incrementalRendering: true,
    maxFps: 60,
    exitOnCtrlC: false,
    // Nothing may print while the dashboard is there, and Ink must not take over what is printed at the end.
    patchConsole: false,
    // Ink takes any CI variable for a sign that nobody is watching; the caller knows better.
    interactive: true,
  })
  const interrupted = (): void => closed.resolve('interrupted')
  if (signal?.aborted === true) interrupted()
  signal?.addEventListener('abort', interrupted, { once: true })
  try {
    return await Promise.race([
      closed.promise,
      app.waitUntilExit().then((): ExitReason => 'interrupted'),
    ])
  } finally {
    signal?.removeEventListener('abort', interrupted)
    output.off('resize', resized)
    watcher.stop()
    app.unmount()
    await app.waitUntilExit().catch(() => undefined)
  }
}

/** The editor gets the terminal for as long as it runs, and the dashboard comes back whole. */
function withTerminalForEditor(
  ports: DashboardPorts,
  suspendTerminal: SuspendTerminal,
): DashboardPorts {
  const { editText } = ports
  if (!editText) return ports
  return {
    ...ports,
    async editText(text, name) {
      let edited: Awaited<ReturnType<typeof editText>> | undefined
      await suspendTerminal(async () => {
        edited = await editText(text, name)
      })
      return edited ?? no('the editor was not reached')
    },
  }
}

type SuspendTerminal = (during: () => Promise<void>) => Promise<void>
