/**
 * Runs the dashboard as a conversation of lines until it is closed: the same model, keys and actions, without a screen.
 */
import type { SessionApi } from '../../../core/session-api/session-api.ts'
import type { DashboardPorts } from '../effects/ports.ts'
import { withoutChanges } from '../model/changes.ts'
import type { KeyOutcome } from '../model/message.ts'
import { initialModel, type Model } from '../model/model.ts'
import { querySession } from '../model/query.ts'
import { completionsFor, meaningOf, type PlainMeaning } from '../plain/interpret.ts'
import { createModelStore, performInto } from './store.ts'
import type { ExitReason } from './show.tsx'
import { promptSpans } from '../view/footer.ts'
import { isListOverlay, listTitle, openListLines } from '../view/overlays/catalogue.ts'
import { overlayRows, overlayTitle } from '../view/detail.ts'
import { sanitise } from '../view/text/cells.ts'
import { wordGlyphs } from '../view/text/glyphs.ts'
import { plainText } from '../view/text/row.ts'
import { isTextPrompt } from '../update/prompt.ts'
import { chosenOrderSentence, paneSentences } from '../plain/rows.ts'

/** Wider than any text, so that nothing is wrapped or cut. */
const plainColumns = 1000
/** Decides how many rows of each list are loaded. */
const plainRows = 120

/** A row without the gaps between its columns; the indentation of a document stays. */
const lineOf = (text: string): string => {
  const trimmed = sanitise(text).trimEnd()
  const indent = /^ */.exec(trimmed)?.[0] ?? ''
  return indent + trimmed.slice(indent.length).replaceAll(/ {2,}/g, '  ')
}

function overlayText(model: Model): readonly string[] {
  const { overlay } = model
  if (!overlay) return []
  const rows = isListOverlay(overlay)
    ? openListLines(model, wordGlyphs).map(({ row }) => row)
    : overlayRows(model, plainColumns)
  const title = isListOverlay(overlay) ? listTitle(overlay, model) : overlayTitle(model)
  return [title, ...rows.map((row) => lineOf(plainText(row))).filter((line) => line.trim() !== '')]
}

/** The question that is open, and how it is answered. */
function questionText(model: Model): string | undefined {
  const { prompt } = model
  if (!prompt) return undefined
  const text = plainText({ spans: promptSpans(model, prompt) })
    .replace(/_(?=\s|$)/, '')
    .trim()
  if (prompt.kind === 'fault-form')
    return `Type the fault as one line; the form so far is ${text}. An empty line leaves it.`
  const how = isTextPrompt(prompt.kind) ? ' Type the text; an empty line leaves it.' : ''
  return lineOf(`${text}.${how}`)
}

/** Everything by which another pane or another part of it is shown. */
const placeOf = ({ recent, tab, only, filter, search, at, recording, everything }: Model): string =>
  JSON.stringify([
    recent[0],
    tab,
    only,
    filter.draft,
    filter.idle,
    search,
    at,
    recording,
    everything,
  ])

/** The open list or text, or the pane, when it is another one; else the order that was chosen. */
function shownText(before: Model, after: Model, readsPane: boolean): readonly string[] {
  if (after.overlay) return after.overlay === before.overlay ? [] : overlayText(after)
  if (readsPane || placeOf(before) !== placeOf(after)) return paneSentences(after)
  return before.orderId === after.orderId ? [] : chosenOrderSentence(after)
}

/** The lines that answer a command. */
function answerOf(before: Model, after: Model, readsPane: boolean): readonly string[] {
  const last = before.notices.at(-1)
  const from = last ? after.notices.lastIndexOf(last) + 1 : 0
  const notices = after.notices.slice(from).map(({ text }) => lineOf(text))
  const shown = shownText(before, after, readsPane)
  const question = questionText(after)
  const lines = [...shown, ...notices, ...(question === undefined ? [] : [question])]
  return lines.length > 0 ? lines : ['Done.']
}

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
      store.send({ kind: 'snapshot', snapshot: await querySession(session, store.get()) })
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
