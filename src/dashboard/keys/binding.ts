/** One row of the table of keys: where it holds, what it is called, when it does nothing and why, what it does. */
import { paneIds } from '../model/layout.ts'
import type { Outcome } from '../model/message.ts'
import { focusOf, type Model } from '../model/model.ts'
import type { Press } from '../runtime/key-press.ts'
import { isTyped } from '../update/prompt.ts'

/** Where the keys go: an open prompt first, then what covers the panes, then the focused pane. */
export const contexts = [
  ...paneIds,
  'tape',
  'detail',
  'help',
  'faults',
  'verdicts',
  'verdict',
  'story',
  'beside',
  'message',
  'filter',
  'new-order',
  'move',
  'force',
  'quit',
  'fault',
  'save',
  'overwrite',
  'mend',
  'fork',
  'seek',
  'export',
  'ignore',
] as const
export type Context = (typeof contexts)[number]

/** In the order in which the help prints them. */
export const groups = [
  'time',
  'orders',
  'agenda',
  'recording',
  'chaos and verdicts',
  'look around',
  'filter',
  'leave',
] as const
export type Group = (typeof groups)[number]

export interface Binding {
  readonly id: string
  /** The first is the one that help and footer name. */
  readonly keys: readonly string[]
  /** What the help prints for the keys, where that is not their first. */
  readonly label?: string
  readonly contexts: readonly Context[]
  readonly group: Group
  /** What it does, for the help. */
  readonly title: string
  /** The same in a word or two, where the footer of its context shows it. */
  readonly footer?: string
  /** Where the footer shows it, when not everywhere. */
  readonly footerIn?: readonly Context[]
  /** The footer shows it always, at its right end. */
  readonly always?: true
  /** Why it can do nothing now; undefined when it can. */
  readonly disabled?: (model: Model) => string | undefined
  readonly does: (model: Model, press: Press) => Outcome
}

/** Pane 2 has keys of its own where it shows a recording. */
const paneContext = (model: Model): Context => {
  const pane = focusOf(model)
  return pane === 'traffic' && model.seen?.playback ? 'tape' : pane
}

const contextOf = (model: Model): Context =>
  model.prompt?.kind ?? model.overlay?.kind ?? paneContext(model)

const labels: Readonly<Record<string, string>> = { ' ': 'space' }

export const labelOf = ({ label, keys }: Binding): string => {
  const first = keys[0] ?? ''
  return label ?? labels[first] ?? first
}

/** The binding of a key in a context. */
export const bindingOf = (
  table: readonly Binding[],
  context: Context,
  key: string,
): Binding | undefined =>
  table.find(({ contexts: own, keys }) => own.includes(context) && keys.includes(key))

/** What a key comes to: its binding's doing, or the reason why not; typed text where text is asked for. */
export function respond(table: readonly Binding[], model: Model, press: Press): Outcome {
  const context = contextOf(model)
  const binding = bindingOf(table, context, press.key)
  if (!binding) {
    const isText = isTyped(model.prompt?.kind) && press.text !== undefined
    return isText ? { messages: [{ kind: 'typed', text: press.text }] } : {}
  }
  const reason = binding.disabled?.(model)
  if (reason === undefined) return binding.does(model, press)
  return { messages: [{ kind: 'told', notice: { text: reason, tone: 'muted' } }] }
}

/** What the footer of a context shows, what belongs to it alone first. */
export function footerOf(table: readonly Binding[], model: Model): readonly Binding[] {
  const context = contextOf(model)
  const shown = table.filter(
    ({ contexts: own, footer, footerIn = own, disabled }) =>
      footer !== undefined && footerIn.includes(context) && disabled?.(model) === undefined,
  )
  const isSpecific = ({ contexts: own }: Binding): boolean => own.length < paneIds.length - 1
  return [...shown.filter(isSpecific), ...shown.filter((binding) => !isSpecific(binding))]
}
