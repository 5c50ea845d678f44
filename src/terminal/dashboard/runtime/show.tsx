/**
 * Runs the dashboard on a terminal until it is closed. The command line imports this file lazily, after the servers
 * have started, since Ink and React take longer to load than everything else.
 */
import { render } from 'ink'
import { err } from '../../../core/protocol/result.ts'
import type { SessionApi } from '../../../core/session-api/session-api.ts'
import type { Appearance } from '../view/appearance.ts'
import { Dashboard } from '../view/dashboard.tsx'
import type { Action } from '../model/message.ts'
import { initialModel } from '../model/model.ts'
import type { DashboardPorts } from '../effects/ports.ts'
import { fullScreenOptions, type TerminalStreams } from './full-screen.ts'
import type { KeyPress } from './key-press.ts'
import { createPointer } from './pointer.ts'
import type { MouseReport } from '../../../core/runtime/mouse-input.ts'
import { createModelStore, performInto, pressKey } from './store.ts'
import { watchSession } from './watch.ts'

/** Terminal as the dashboard uses it; created in `edge`. */
interface DashboardTerminal extends TerminalStreams {
  /** Calls back with each event of the mouse; returns an unsubscribe function. */
  readonly onMouse: (listener: (event: MouseReport) => void) => () => void
  /** Suspends to the shell that started the process, until resumed. */
  readonly suspend: () => Promise<void>
}

export interface ShowOptions {
  readonly session: SessionApi
  readonly terminal: DashboardTerminal
  readonly appearance: Appearance
  /** Functions of the host system. */
  readonly ports?: DashboardPorts
  /** Closes the dashboard, after a signal. */
  readonly signal?: AbortSignal
}

/** Actions that take minutes, or as long as a service does to answer: they must not block the keys after them. */
const slowActions: ReadonlySet<Action['kind']> = new Set(['minimise', 'resend'])

export type ExitReason = 'quit' | 'interrupted'

export async function showDashboard(options: ShowOptions): Promise<ExitReason> {
  const { session, terminal, appearance, signal, ports = {} } = options
  const { output } = terminal
  const store = createModelStore(initialModel(output.columns, output.rows))
  // Registered before Ink's listener: the first frame after a resize already has the new size.
  const resized = (): void =>
    store.send({ kind: 'resized', columns: output.columns, rows: output.rows })
  output.on('resize', resized)

  const closed = Promise.withResolvers<ExitReason>()
  const watcher = watchSession({ session, store, isDrained: () => output.writableLength === 0 })
  // Serialised: a burst of keys must come to the session in the order in which it was typed.
  let queue = Promise.resolve()
  const reportError = (error: unknown): void => {
    const text = error instanceof Error ? error.message : String(error)
    store.send({ kind: 'notice', notice: { text, tone: 'err' } })
  }
  const act = (action: Action, suspendTerminal: SuspendTerminal): void => {
    if (action.kind === 'quit') return closed.resolve('quit')
    const work = async (): Promise<void> => {
      if (action.kind === 'suspend') return suspendTerminal(terminal.suspend)
      await performInto(store, session, action, withTerminalForEditor(ports, suspendTerminal))
      watcher.refresh()
    }
    if (slowActions.has(action.kind)) return void work().catch(reportError)
    // Suspending may fail, as on systems without such signals; keys must keep working.
    queue = queue.then(work).catch(reportError)
  }
  const press = (each: KeyPress, suspendTerminal: SuspendTerminal): void => {
    const action = pressKey(store, each)
    if (action) act(action, suspendTerminal)
  }

  const respondToMouse = createPointer(appearance.glyphs)
  const point = (event: MouseReport, suspendTerminal: SuspendTerminal): void => {
    const { messages = [], press: key } = respondToMouse(store.get(), event, performance.now())
    store.send(...messages)
    if (key) press(key, suspendTerminal)
  }

  const app = render(
    <Dashboard {...{ store, appearance, press, point, onMouse: terminal.onMouse }} />,
    fullScreenOptions(terminal),
  )
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

/** Suspends the dashboard while the editor runs, and redraws it afterwards. */
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
      return edited ?? err('the editor was not reached')
    },
  }
}

type SuspendTerminal = (during: () => Promise<void>) => Promise<void>
