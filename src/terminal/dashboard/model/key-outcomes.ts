/** Key handlers that need more than one line, and the reasons why a key is disabled. */
import { foreignOrigin } from '../../../core/engine/orders/decide-order.ts'
import type { OrderType } from '../../../core/protocol/orders/order.ts'
import { paneIds } from './layout.ts'
import { losses, nothingToSave } from './leaving.ts'
import type { Action, BatchEdit, KeyOutcome, Message } from './message.ts'
import type { Prompt } from './prompts.ts'
import { chosenItem, type Model, tabNames } from './model.ts'
import { agendaFilterOf } from '../effects/agenda.ts'
import { chosenDetail, chosenId } from './present.ts'
import type { KeyPress } from '../runtime/key-press.ts'
import { isRewound, playbackOf } from './recording.ts'
import { selectedIds } from '../update/marks.ts'
import type { Move } from '../../../core/session-api/entities.ts'

export const outcomeOf = (...messages: readonly Message[]): KeyOutcome => ({ messages })

/** Closes the open question, and does what was asked for. */
export const answered = (action: Action): KeyOutcome => ({
  messages: [{ kind: 'answered' }],
  action,
})

type PromptOf<Kind extends Prompt['kind']> = Extract<Prompt, { readonly kind: Kind }>

/** Answers a question of this kind. */
export const answering =
  <Kind extends Prompt['kind']>(
    kind: Kind,
    actionOf: (prompt: PromptOf<Kind>, key: string) => Action | undefined,
  ) =>
  ({ prompt }: Pick<Model, 'prompt'>, { key }: Pick<KeyPress, 'key'>): KeyOutcome => {
    const isOfKind = (open: Prompt): open is PromptOf<Kind> => open.kind === kind
    const action = prompt && isOfKind(prompt) ? actionOf(prompt, key) : undefined
    return action ? answered(action) : {}
  }

export const noTargetReason =
  'nothing is sent without a target: open it with --to <url of your service>'

export function inThePast(model: Model): string | undefined {
  const playback = playbackOf(model)
  if (playback && playback.target === undefined) return noTargetReason
  return model.at === undefined && !isRewound(model)
    ? undefined
    : 'the past cannot be changed: L goes back to now'
}

/** Disabled during playback: the recording brings its own orders. */
const inPlayback = (model: Model): string | undefined =>
  playbackOf(model) ? 'the recording that is played brings its own orders' : undefined

export const withoutSession = ({ snapshot }: Model): string | undefined =>
  snapshot ? undefined : 'the session has not been seen yet'

/** Disabled where the Ordering Application is not played here: orders originate there. */
export const withoutOrigin = ({ snapshot }: Model): string | undefined =>
  snapshot &&
  foreignOrigin(
    snapshot.info.counterparts.map(({ role }) => role),
    snapshot.info.subject?.role,
  )

/** Why no order can be made here. */
export const noNewOrder = (model: Model): string | undefined =>
  withoutSession(model) ?? inThePast(model) ?? inPlayback(model) ?? withoutOrigin(model)

/** What an empty pane says about the first order. */
export const firstOrderHint = (model: Model): string =>
  withoutOrigin(model) === undefined
    ? 'N makes an order.'
    : 'Orders come from the Ordering Application.'

export const notChangeable = (model: Model): string | undefined =>
  withoutSession(model) ?? inThePast(model)

/** Disabled while there is nothing that a scenario could repeat. */
export const noAction = (model: Model): string | undefined =>
  withoutSession(model) ??
  (playbackOf(model)
    ? 'E exports a recording, as a scenario when the name ends in .yaml'
    : inThePast(model)) ??
  (model.snapshot?.info.counts.actions === 0 ? nothingToSave : undefined)

export const noOrder = (model: Model): string | undefined =>
  model.orderId === undefined
    ? `no order is chosen${withoutOrigin(model) === undefined ? ': N makes one' : ''}`
    : undefined

export const nothingChosen = (model: Model): string | undefined =>
  chosenId(model) === undefined
    ? model.tab === 'order'
      ? noOrder(model)
      : `no ${tabNames[model.tab][1].toLowerCase()} is chosen`
    : undefined

export const noItem = (model: Model): string | undefined =>
  inThePast(model) ?? (chosenItem(model) ? undefined : 'no item is chosen')

export const noMoves = (model: Model): string | undefined =>
  inThePast(model) ??
  nothingChosen(model) ??
  (movesOf(model, 'move').length > 0 ? undefined : 'no valid transition is left: ! forces one')

/** The speed applies to the real clock, and to a playback even while it is paused. */
export const noClockSpeed = (model: Model): string | undefined => {
  if (playbackOf(model)) return inThePast(model)
  return model.snapshot?.info.clock.mode === 'real' ? undefined : 'only the real clock has a speed'
}

/** Moves selected by digits: the legal ones (`move`), or those that need force (`force`). */
export const movesOf = (model: Model, kind: 'move' | 'force'): readonly Move[] =>
  (chosenDetail(model)?.moves ?? []).filter(
    ({ invalid }) => (invalid === undefined) === (kind === 'move'),
  )

export function applyMove(model: Model, press: KeyPress, kind: 'move' | 'force'): KeyOutcome {
  const index = Number(press.key) - 1
  const move = movesOf(model, kind)[index]
  if (!move)
    return outcomeOf({ kind: 'answered' }, mutedNotice(`there is no transition ${press.key}`))
  const forced = kind === 'force' ? ', forced' : ''
  return answered({ kind: 'submit', command: move.command, notice: `${move.trigger}${forced}` })
}

export const mutedNotice = (text: string): Message => ({
  kind: 'notice',
  notice: { text, tone: 'muted' },
})

/** Edits all selected items, or the chosen one when none is selected. */
export function editItems(model: Model, what: BatchEdit): KeyOutcome {
  const ids = selectedIds(model)
  const shown = agendaFilterOf(model)
  if (ids.length > 0) return { action: { kind: 'batch', what, ids, shown } }
  const item = chosenItem(model)
  if (!item) return {}
  const { id } = item
  return {
    // The cursor stays on the edited item, even if the item was chosen only by position.
    messages: [{ kind: 'picked', id }],
    action: { kind: 'batch', what, ids: [id], shown, item },
  }
}

const profileKeys: Readonly<Record<string, OrderType>> = {
  d: 'DELIVERY',
  t: 'TAKEOUT',
  i: 'INDOOR',
}

export function createOrderOfProfile(press: KeyPress): KeyOutcome {
  const type = profileKeys[press.key]
  return answered({ kind: 'create', order: type === undefined ? {} : { type } })
}

/** Quits, or asks: when something is lost, and when the key before closed an overlay. */
export function quitOrConfirm(model: Model): KeyOutcome {
  if (losses(model).length === 0 && !model.pressed.isRepeated) return { action: { kind: 'quit' } }
  return outcomeOf({ kind: 'prompted', prompt: { kind: 'quit' } })
}

export function interrupt(model: Model): KeyOutcome {
  if (model.leaving) return { action: { kind: 'quit' } }
  return outcomeOf({ kind: 'leaving' }, mutedNotice('ctrl-c again quits'))
}

export function focusByNumber(press: KeyPress): KeyOutcome {
  const pane = paneIds[Number(press.key) - 1]
  return pane ? outcomeOf({ kind: 'focused', pane }) : {}
}
