/** Key bindings: type, lookup by context, and execution. */
import { paneIds } from '../model/layout.ts'
import type { Outcome } from '../model/message.ts'
import { focusOf, type Model } from '../model/model.ts'
import type { Press } from '../runtime/key-press.ts'
import { isTyped } from '../update/prompt.ts'

/** Contexts of keys, by precedence: an open prompt, then an overlay, then the focused pane. */
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

/** In the order of the help. */
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
  /** Help and footer show the first one. */
  readonly keys: readonly string[]
  /** Label in help and footer, when it is not the first key. */
  readonly label?: string
  readonly contexts: readonly Context[]
  readonly group: Group
  /** Description in the help. */
  readonly title: string
  /** Short description in the footer; without it the footer omits the key. */
  readonly footer?: string
  /** Contexts in which the footer shows it; all of `contexts` when absent. */
  readonly footerIn?: readonly Context[]
  /** Shown permanently, at the right of the footer. */
  readonly always?: true
  /** Why the key is disabled now; undefined when it is enabled. */
  readonly disabled?: (model: Model) => string | undefined
  readonly does: (model: Model, press: Press) => Outcome
}

/** Pane 2 has its own keys when it shows a recording. */
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

/** Finds the binding of a key in a context. */
export const bindingOf = (
  table: readonly Binding[],
  context: Context,
  key: string,
): Binding | undefined =>
  table.find(({ contexts: own, keys }) => own.includes(context) && keys.includes(key))

/** Runs the binding of a key, or reports why it is disabled; text prompts take unbound keys as text. */
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

/** Bindings in the footer of the current context, the most specific first. */
export function footerOf(table: readonly Binding[], model: Model): readonly Binding[] {
  const context = contextOf(model)
  const shown = table.filter(
    ({ contexts: own, footer, footerIn = own, disabled }) =>
      footer !== undefined && footerIn.includes(context) && disabled?.(model) === undefined,
  )
  const isSpecific = ({ contexts: own }: Binding): boolean => own.length < paneIds.length - 1
  return [...shown.filter(isSpecific), ...shown.filter((binding) => !isSpecific(binding))]
}
