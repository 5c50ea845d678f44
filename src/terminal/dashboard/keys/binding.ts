/** Key bindings: type, contexts, lookup by context, and execution. */
import { paneIds } from '../model/layout.ts'
import { readOnlyReason, withoutChanges } from '../model/changes.ts'
import type { KeyOutcome } from '../model/message.ts'
import { focusOf, type Model } from '../model/model.ts'
import type { KeyPress } from '../runtime/key-press.ts'
import type { DocumentedKey } from './documented-key.ts'
import { isTextPrompt, textPrompts } from '../update/prompt.ts'

/** Contexts of keys, by precedence: an open prompt, then an overlay, then the focused pane. */
export const keyContexts = [
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
  'contact',
  'filter',
  'search',
  'copy',
  'new-order',
  'move',
  'force',
  'quit',
  'fault',
  'fault-form',
  'save',
  'note',
  'overwrite',
  'mend',
  'fork',
  'palette',
  'export',
  'ignore',
] as const
export type KeyContext = (typeof keyContexts)[number]

/** In the order of the help. */
export const keyGroups = [
  'time',
  'orders',
  'agenda',
  'recording',
  'chaos and verdicts',
  'look around',
  'filter',
  'leave',
] as const
export type KeyGroup = (typeof keyGroups)[number]

export interface KeyBinding extends DocumentedKey {
  readonly id: string
  readonly contexts: readonly KeyContext[]
  readonly group: KeyGroup
  /** What the key means, in every context the same; by default the id. */
  readonly meaning?: string
  /** Contexts in which the footer shows it; all of `contexts` when absent. */
  readonly footerIn?: readonly KeyContext[]
  /** Titles by key in the palette, where each key does something of its own; none for an empty table. */
  readonly titles?: Readonly<Record<string, string>>
  /** It needs nothing that only its contexts have: the palette runs it from anywhere. */
  readonly anywhere?: true
  /** It changes the session: disabled where the session is only looked at. */
  readonly changes?: true
  /** Why the key is disabled now; undefined when it is enabled. */
  readonly disabledReason?: (model: Model) => string | undefined
  readonly run: (model: Model, press: KeyPress, table: readonly KeyBinding[]) => KeyOutcome
}

/** Why a key is disabled now, in a viewer that only looks too; undefined when it is enabled. */
export const disabledReasonOf = (
  { changes, disabledReason }: Pick<KeyBinding, 'changes' | 'disabledReason'>,
  model: Model,
): string | undefined => (changes ? readOnlyReason(model) : undefined) ?? disabledReason?.(model)

type SharedMembers = Pick<KeyBinding, 'group' | 'contexts'>

/** Bindings of one group, most of them in the same contexts. */
export const bindingsOf = (
  shared: SharedMembers & Pick<KeyBinding, 'disabledReason' | 'changes'>,
  bindings: readonly (Omit<KeyBinding, keyof SharedMembers> & Partial<SharedMembers>)[],
): readonly KeyBinding[] => bindings.map((binding) => ({ ...shared, ...binding }))

/** Pane 2 has its own keys when it shows a recording. */
export const paneContext = (model: Model): KeyContext => {
  const pane = focusOf(model)
  return pane === 'traffic' && model.snapshot?.playback ? 'tape' : pane
}

export const contextOf = (model: Model): KeyContext =>
  model.prompt?.kind ?? model.overlay?.kind ?? paneContext(model)

/** Finds the binding of a key in a context. */
export const findBinding = <
  Context,
  Binding extends Pick<DocumentedKey, 'keys'> & { readonly contexts: readonly Context[] },
>(
  table: readonly Binding[],
  context: Context,
  key: string,
): Binding | undefined =>
  table.find(({ contexts: own, keys }) => own.includes(context) && keys.includes(key))

/** What an unbound key is answered with; a question says how to leave it. */
function unknownKeyText(key: string, { prompt }: Model): string {
  return prompt === undefined
    ? `${key}: no such key here; ? lists them`
    : `${key}: no answer to this; esc leaves it as it is`
}

/** Runs the binding of a key, or reports why it is disabled; text prompts take unbound keys as text. */
export function respondToKey(
  table: readonly KeyBinding[],
  model: Model,
  press: KeyPress,
): KeyOutcome {
  const context = contextOf(model)
  const binding = findBinding(table, context, press.key)
  if (!binding && isTextPrompt(model.prompt?.kind))
    return press.text === undefined ? {} : { messages: [{ kind: 'typed', text: press.text }] }
  const reason = binding ? disabledReasonOf(binding, model) : unknownKeyText(press.key, model)
  if (binding && reason === undefined)
    return withoutChanges(model, binding.run(model, press, table))
  return { messages: [{ kind: 'notice', notice: { text: reason ?? '', tone: 'muted' } }] }
}

/** Bindings in the footer of the current context, the most specific first. */
export function footerBindings(table: readonly KeyBinding[], model: Model): readonly KeyBinding[] {
  const context = contextOf(model)
  const shown = table.filter(
    (binding) =>
      binding.footer !== undefined &&
      (binding.footerIn ?? binding.contexts).includes(context) &&
      disabledReasonOf(binding, model) === undefined,
  )
  const isSpecific = ({ contexts: own }: KeyBinding): boolean => own.length < paneIds.length - 1
  return [...shown.filter(isSpecific), ...shown.filter((binding) => !isSpecific(binding))]
}

export const paneContexts: readonly KeyContext[] = [...paneIds, 'tape']

/** For keys of what a recording does not have. */
export const paneContextsExceptRecording: readonly KeyContext[] = paneIds

/** List overlays with a cursor. */
export const listContexts: readonly KeyContext[] = [
  'faults',
  'verdicts',
  'verdict',
  'story',
  'contact',
  'beside',
]

/** All overlays. */
export const overlayContexts: readonly KeyContext[] = ['detail', 'help', 'message', ...listContexts]

export const promptContexts: readonly KeyContext[] = [
  ...textPrompts,
  'copy',
  'new-order',
  'move',
  'force',
  'quit',
  'overwrite',
  'mend',
  'fork',
  'ignore',
]

export const digitKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
