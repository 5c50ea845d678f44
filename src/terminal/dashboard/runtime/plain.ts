/** Runs the dashboard as a conversation of lines until it is closed: the same model, keys and actions, without a screen. */
import type { SessionApi } from '../../../core/session-api/session-api.ts'
import type { DashboardPorts } from '../effects/ports.ts'
import { withoutChanges } from '../model/changes.ts'
import type { KeyOutcome } from '../model/message.ts'
import { initialModel, type Model } from '../model/model.ts'
import { querySession } from '../model/query.ts'
import { answerOf, plainColumns, plainRows } from '../plain/answer.ts'
import { completionsFor, meaningOf, type PlainMeaning } from '../plain/interpret.ts'
import { createModelStore, performInto } from './store.ts'
import type { ExitReason } from './show.tsx'

interface PlainTerminal {
  readonly ports: DashboardPorts
  /** The next line that was typed; undefined when there is no more. */
  readonly read: () => Promise<string | undefined>
  readonly print: (lines: readonly string[]) => Promise<void>
  readonly signal: AbortSignal
}

interface PlainDashboard {
  /** Whole lines that begin with the text. */
  readonly complete: (text: string) => readonly string[]
  readonly run: (terminal: PlainTerminal) => Promise<ExitReason>
}

export function createPlainDashboard(session: SessionApi): PlainDashboard {
  const store = createModelStore(initialModel(plainColumns, plainRows))

  /** Twice: what is chosen may change by the first look. */
  async function refresh(): Promise<void> {
    for (let round = 0; round < 2; round++)
      store.send({ kind: 'seen', seen: await querySession(session, store.get()) })
  }

  /** Returns whether it quits. */
  async function apply(outcome: KeyOutcome, ports: DashboardPorts): Promise<boolean> {
    const { messages = [], action } = withoutChanges(store.get(), outcome)
    store.send(...messages)
    if (action?.kind === 'quit') return true
    if (action && action.kind !== 'suspend') await performInto(store, session, action, ports)
    await refresh()
    return false
  }

  async function take(
    { steps, readsPane }: Extract<PlainMeaning, { readonly kind: 'steps' }>,
    { ports, print }: Pick<PlainTerminal, 'ports' | 'print'>,
  ): Promise<boolean> {
    const before: Model = store.get()
    for (const step of steps) if (await apply(step(store.get()), ports)) return true
    await print(answerOf(before, store.get(), readsPane === true))
    return false
  }

  async function converse({ ports, read, print }: PlainTerminal): Promise<void> {
    let choices: readonly string[] = []
    await refresh()
    for (;;) {
      const line = await read()
      if (line === undefined) return
      try {
        await refresh()
        const meaning = meaningOf(store.get(), line, choices)
        choices = meaning.kind === 'choices' ? meaning.ids : []
        if (meaning.kind !== 'steps') await print(meaning.lines)
        else if (await take(meaning, { ports, print })) return
      } catch (error) {
        await print([error instanceof Error ? error.message : String(error)])
      }
    }
  }

  return {
    complete: (text) => completionsFor(store.get(), text),
    async run(options) {
      const { signal } = options
      const stopped = Promise.withResolvers<ExitReason>()
      const stop = (): void => stopped.resolve('interrupted')
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop, { once: true })
      try {
        return await Promise.race([
          stopped.promise,
          converse(options).then((): ExitReason => 'quit'),
        ])
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
  }
}
