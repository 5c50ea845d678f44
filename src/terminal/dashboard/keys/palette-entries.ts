/**
 * Actions of the palette that have no key of their own: transitions, faults, profiles, views, filters, clock, orders.
 */
import { faultCatalogue } from '../../../core/faults/catalogue.ts'
import { faultProfiles } from '../../../core/faults/profiles.ts'
import { orderTypes } from '../../../core/protocol/orders/order.ts'
import { shortRoleName } from '../../../core/protocol/role.ts'
import {
  inThePast,
  movesOf,
  noClockSpeed,
  noNewOrder,
  notChangeable,
  outcomeOf,
} from '../model/key-outcomes.ts'
import { compact } from '../../../core/base/compact.ts'
import { newFaultForm } from '../model/open-fault-form.ts'
import { openFaultForm } from './fault-form.ts'
import { readOnlyReason } from '../model/changes.ts'
import type { KeyOutcome } from '../model/message.ts'
import { type Model, tabNames, tabs } from '../model/model.ts'
import type { PaletteRow } from '../model/overlay.ts'
import { playbackOf } from '../model/recording.ts'

export interface PaletteEntry extends PaletteRow {
  readonly run: () => KeyOutcome
}

const entry = (
  row: Omit<PaletteRow, 'reason'>,
  reason: string | undefined,
  run: () => KeyOutcome,
): PaletteEntry => ({ ...row, ...compact({ reason }), run })

const newOrderEntries = (model: Model): readonly PaletteEntry[] =>
  orderTypes.map((type) => {
    const name = type.toLowerCase()
    const row = { id: `new ${name}`, title: `new order: ${name}`, keys: `N ${name[0] ?? ''}` }
    return entry(row, noNewOrder(model), () => ({ action: { kind: 'create', order: { type } } }))
  })

/** Digits choose the first nine only; the palette has all. */
const keyOfMove = (sign: string, index: number): string => (index < 9 ? `${sign} ${index + 1}` : '')

const moveEntries = (model: Model): readonly PaletteEntry[] =>
  (['move', 'force'] as const).flatMap((kind) =>
    movesOf(model, kind).map(({ trigger, to, by, command }, index) => {
      const word = kind === 'move' ? 'transition' : 'force'
      const title = `${word}: ${trigger} by ${shortRoleName[by]}, to ${to}`
      const keys = keyOfMove(kind === 'move' ? '>' : '!', index)
      const notice = kind === 'move' ? trigger : `${trigger}, forced`
      return entry({ id: `${kind} ${trigger}`, title, keys }, inThePast(model), () => ({
        action: { kind: 'submit', command, notice },
      }))
    }),
  )

const faultEntries = (model: Model): readonly PaletteEntry[] => {
  const reason = notChangeable(model)
  const active = (model.snapshot?.faults ?? []).filter(({ over }) => over === undefined)
  return [
    ...active.map(({ id, text }) =>
      entry({ id: `disable ${id}`, title: `fault: disable ${text}`, keys: 'f x' }, reason, () => ({
        action: {
          kind: 'submit',
          command: { kind: 'fault.remove', id },
          notice: `disabled: ${text}`,
        },
      })),
    ),
    ...faultCatalogue.map(({ name, summary }) =>
      entry({ id: `add ${name}`, title: `fault: add ${name}: ${summary}`, keys: 'f' }, reason, () =>
        openFaultForm(newFaultForm(model, name)),
      ),
    ),
    ...Object.entries(faultProfiles).map(([name, { summary }]) =>
      entry(
        { id: `profile ${name}`, title: `fault profile: add ${name}: ${summary}`, keys: 'f' },
        reason,
        () => ({ action: { kind: 'fault', spec: name } }),
      ),
    ),
  ]
}

const viewEntries: readonly PaletteEntry[] = tabs.map((tab) =>
  entry(
    { id: `view ${tab}`, title: `view: ${tabNames[tab][0].toLowerCase()} in pane 3`, keys: 'h l' },
    undefined,
    () => outcomeOf({ kind: 'tab-chosen', tab }),
  ),
)

const filters: readonly (readonly [text: string, title: string])[] = [
  ['failed', 'failed exchanges only'],
  ['status>=500', 'errors of a server only'],
  ['ms>500', 'slow exchanges only'],
  ['webhook', 'webhooks only'],
  ['', 'none: all exchanges'],
]

const filterEntries: readonly PaletteEntry[] = filters.map(([text, title]) =>
  entry(
    { id: `filter ${text}`, title: `filter: ${title}`, keys: text === '' ? 'esc' : `/ ${text}` },
    undefined,
    () => outcomeOf({ kind: 'filtered', text }),
  ),
)

const speeds = [0.25, 0.5, 1, 2, 4, 8, 16, 64] as const
const modes = {
  real: 'as time passes',
  stepped: 'n takes one item at a time',
  virtual: 'jumps to what is due next',
} as const

const clockEntries = (model: Model): readonly PaletteEntry[] => [
  ...speeds.map((speed) =>
    entry(
      { id: `speed ${speed}`, title: `set speed: x${speed}`, keys: '+ -' },
      noClockSpeed(model),
      () => ({ action: { kind: 'clock', speed } }),
    ),
  ),
  ...(['real', 'stepped', 'virtual'] as const).map((mode) =>
    entry(
      { id: `clock ${mode}`, title: `set clock: ${mode}, ${modes[mode]}`, keys: '' },
      playbackOf(model) ? 'a replay has its own clock: space plays and pauses' : inThePast(model),
      () => ({ action: { kind: 'clock', mode } }),
    ),
  ),
]

/** The orders that are loaded; the list has the others. */
const orderEntries = ({ snapshot }: Model): readonly PaletteEntry[] =>
  (snapshot?.orders ?? []).map(({ orderId, displayId, status, merchant }) =>
    entry(
      {
        id: `order ${orderId}`,
        title: `go to order ${displayId} ${orderId.slice(0, 8)}, ${status}, ${merchant}`,
        keys: '3',
      },
      undefined,
      () => outcomeOf({ kind: 'focused', pane: 'orders' }, { kind: 'chosen', orderId }),
    ),
  )

const messagesEntry = entry(
  { id: 'messages', title: 'messages: read the last ones in full', keys: '' },
  undefined,
  () => outcomeOf({ kind: 'notices-shown' }),
)

/** Entries that change the session; none of them can be done where it is only looked at. */
const changingEntries = (
  model: Model,
  entries: readonly PaletteEntry[],
): readonly PaletteEntry[] => {
  const reason = readOnlyReason(model)
  return reason === undefined ? entries : entries.map((each) => ({ ...each, reason }))
}

export const entriesWithoutKeys = (model: Model): readonly PaletteEntry[] => [
  ...changingEntries(model, [...newOrderEntries(model), ...moveEntries(model)]),
  messagesEntry,
  ...filterEntries,
  ...viewEntries,
  ...changingEntries(model, [...clockEntries(model), ...faultEntries(model)]),
  ...orderEntries(model),
]
