/** The palette: every action by name, those of the key catalogue and those without a key of their own. */
import { compact } from '../../../core/base/compact.ts'
import { outcomeOf } from '../model/key-outcomes.ts'
import { paneIds } from '../model/layout.ts'
import type { KeyOutcome, Message } from '../model/message.ts'
import type { Model } from '../model/model.ts'
import { placeOutcome } from '../model/palette.ts'
import { closePromptLayer, focusPane } from '../update/layers.ts'
import {
  bindingsOf,
  contextOf,
  disabledReasonOf,
  type KeyBinding,
  type KeyContext,
  overlayContexts,
  paneContext,
  paneContexts,
  promptContexts,
} from './binding.ts'
import { bindingLabel } from './documented-key.ts'
import { entriesWithoutKeys, type PaletteEntry } from './palette-entries.ts'
import { openListTarget } from '../view/overlays/catalogue.ts'

/** How to get to a context that is neither a pane nor open. */
const overlayHints: Partial<Readonly<Record<KeyContext, string>>> = {
  tape: 'only in a recording: sparring replay opens one',
  detail: 'nothing is open: enter opens the chosen row',
  help: '? opens the keys',
  faults: 'in the list of faults: f opens it',
  verdicts: 'in the list of rules: I opens it',
  verdict: 'in a rule: I, then enter, opens one',
  story: 'in the story of an order: w opens it',
  beside: 'in a recording: enter compares an exchange',
  message: 'no text is open',
}

interface Place {
  /** The model in which the binding runs. */
  readonly model: Model
  /** How the screen gets there. */
  readonly messages: readonly Message[]
}

/** Where a binding can run: here, in the focused pane below an overlay, or in another pane; else why it cannot. */
function placeOf({ contexts, anywhere }: KeyBinding, model: Model): Place | string {
  if (anywhere || contexts.includes(contextOf(model))) return { model, messages: [] }
  const below: Model = { ...model, overlay: undefined, covered: [] }
  if (contexts.includes(paneContext(below))) return { model: below, messages: [] }
  for (const pane of paneIds) {
    const there = focusPane(below, pane)
    if (contexts.includes(paneContext(there)))
      return { model: there, messages: [{ kind: 'focused', pane }] }
  }
  const hint = contexts.map((context) => overlayHints[context]).find((text) => text !== undefined)
  return hint ?? 'not here'
}

/** The actions of one binding: one for each key that does something of its own. */
function entriesOf(
  binding: KeyBinding,
  table: readonly KeyBinding[],
  model: Model,
): readonly PaletteEntry[] {
  const { id, keys, titles, title } = binding
  const place = placeOf(binding, model)
  const reason = typeof place === 'string' ? place : disabledReasonOf(binding, place.model)
  const each = titles ? Object.entries(titles) : [[keys[0] ?? '', title] as const]
  return each.map(([key, name]) => ({
    id: `${id} ${key}`,
    title: name,
    keys: titles ? key : bindingLabel(binding),
    ...compact({ reason }),
    run() {
      if (typeof place === 'string') return {}
      const { messages = [], action } = binding.run(place.model, { key, text: key }, table)
      return { messages: [...place.messages, ...messages], ...compact({ action }) }
    },
  }))
}

/** Answers to questions are no actions of their own. */
const isAction = ({ contexts, id }: KeyBinding): boolean =>
  id !== 'palette.open' && contexts.some((context) => !promptContexts.includes(context))

/** All actions; those that can be done come first. */
export function paletteEntries(
  table: readonly KeyBinding[],
  model: Model,
): readonly PaletteEntry[] {
  const entries = [
    ...table.filter(isAction).flatMap((binding) => entriesOf(binding, table, model)),
    ...entriesWithoutKeys(model),
  ]
  return [
    ...entries.filter(({ reason }) => reason === undefined),
    ...entries.filter(({ reason }) => reason !== undefined),
  ]
}

function openPalette(model: Model, table: readonly KeyBinding[]): KeyOutcome {
  const rows = paletteEntries(table, model).map(({ run: _run, ...row }) => row)
  return outcomeOf(
    { kind: 'listed', overlay: { kind: 'palette', rows, chosen: undefined, top: 0 } },
    { kind: 'prompted', prompt: { kind: 'palette', draft: '' } },
  )
}

const notDone = (text: string): KeyOutcome =>
  outcomeOf({ kind: 'notice', notice: { text, tone: 'muted' } })

/** Runs the chosen action as if the palette had not been opened. */
function runChosen(model: Model, table: readonly KeyBinding[]): KeyOutcome {
  const target = openListTarget(model)
  if (target?.kind !== 'action') return notDone('no action is chosen')
  const below = closePromptLayer(model)
  const chosen =
    placeOutcome(target.id, below) ??
    paletteEntries(table, below).find(({ id }) => id === target.id)
  if (!chosen) return notDone('this cannot be done any more')
  if (chosen.reason !== undefined) return notDone(chosen.reason)
  const { messages = [], action } = chosen.run()
  return { messages: [{ kind: 'answered' }, ...messages], ...compact({ action }) }
}

export const paletteKeys = bindingsOf({ group: 'look around', contexts: ['palette'] }, [
  {
    id: 'palette.open',
    keys: [':'],
    contexts: [...paneContexts, ...overlayContexts],
    title: 'all actions by name; goes to 12, 12:03 …',
    footer: 'actions',
    run: (model, _, table) => openPalette(model, table),
  },
  {
    id: 'palette.run',
    keys: ['enter'],
    title: 'in the palette: do the chosen action',
    footer: 'do it',
    run: (model, _, table) => runChosen(model, table),
  },
  {
    id: 'palette.down',
    keys: ['down', 'ctrl-n', 'tab'],
    label: 'down up',
    title: 'in the palette: the next or previous one',
    footer: 'choose',
    run: () => outcomeOf({ kind: 'moved', motion: { kind: 'rows', by: 1 } }),
  },
  {
    id: 'palette.up',
    keys: ['up', 'ctrl-p', 'shift-tab'],
    title: 'in the palette: the previous action',
    run: () => outcomeOf({ kind: 'moved', motion: { kind: 'rows', by: -1 } }),
  },
])
