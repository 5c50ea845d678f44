/**
 * The lifecycle of a dining account, as the protocol prints it (document 2, Indoor account status; IND-TRA-01 to 04,
 * IND-PRM-01 to 07). A trigger without a row for the current status is refused.
 */
import { compact } from '../../base/compact.ts'
import { lifecycle, type Transition } from '../lifecycle.ts'
import type { AccountEventType } from './events.ts'
import type { AccountStatus } from './status.ts'

export const diningAccountTriggers = [
  'open',
  'add-items',
  'cancel-item',
  'transfer',
  'pay',
  'adjust-payment',
  'discount',
  'courtesy',
  'pre-close',
  'unlock',
  'close',
  'request-fiscal',
  'conclude-fiscal',
] as const
export type DiningAccountTrigger = (typeof diningAccountTriggers)[number]

/** `NONE` before the account exists. */
export type DiningAccountState = AccountStatus | 'NONE'
export const diningAccountStates = ['NONE', 'IN_USE', 'IN_PAYMENT', 'CLOSED'] as const

export interface DiningAccountTransition extends Transition<
  DiningAccountTrigger,
  AccountStatus,
  DiningAccountState
> {
  /** A further condition. */
  readonly condition?: 'covered' | 'target-in-use' | 'issued-at-closing'
  readonly emits?: AccountEventType
  readonly clause: string
}

type AccountRow = readonly [
  from: readonly DiningAccountState[],
  trigger: DiningAccountTrigger,
  /** The same status when absent. */
  to: AccountStatus | undefined,
  clause: string,
  emits?: AccountEventType | undefined,
  condition?: DiningAccountTransition['condition'],
]

const open = ['IN_USE', 'IN_PAYMENT'] as const
const same = undefined

const rows: readonly AccountRow[] = [
  [['NONE'], 'open', 'IN_USE', 'IND-TRA-01', 'ACCOUNT_OPENED'],
  [['IN_USE'], 'pre-close', 'IN_PAYMENT', 'IND-TRA-02', 'ACCOUNT_PRE_CLOSED'],
  [['IN_PAYMENT'], 'unlock', 'IN_USE', 'IND-TRA-03', 'ACCOUNT_UNLOCKED'],
  [['IN_PAYMENT'], 'close', 'CLOSED', 'IND-TRA-04', 'ACCOUNT_CLOSED', 'covered'],
  [['IN_USE'], 'add-items', same, 'IND-PRM-01', 'ACCOUNT_ITEM_ADDED'],
  [['IN_USE'], 'cancel-item', same, 'IND-PRM-02', 'ACCOUNT_ITEM_CANCELLED'],
  [['IN_USE'], 'transfer', same, 'IND-PRM-03', 'ACCOUNT_ITEM_REMOVED', 'target-in-use'],
  [open, 'pay', same, 'IND-PRM-04', 'PAYMENT_CREATED'],
  [open, 'adjust-payment', same, 'IND-EVT-06', 'PAYMENT_UPDATED'],
  [open, 'discount', same, 'IND-TRA-04'],
  [open, 'courtesy', same, 'IND-TRA-04'],
  [open, 'request-fiscal', same, 'IND-OPS-10'],
  [['CLOSED'], 'request-fiscal', same, 'IND-TEN-03', undefined, 'issued-at-closing'],
  // A pending issuance ends in any status of the account (IND-RUL-07).
  [[...open, 'CLOSED'], 'conclude-fiscal', same, 'IND-RUL-06'],
]

export const diningAccountLifecycle = rows.flatMap(
  ([states, trigger, target, clause, emits, condition]) =>
    states.map((from): DiningAccountTransition => {
      const to = target ?? (from as AccountStatus)
      return { from, trigger, to, clause, ...compact({ emits, condition }) }
    }),
)

/** The triggers that change the status, with their targets; the others leave it unchanged. */
export const diningAccountTargets = {
  'pre-close': 'IN_PAYMENT',
  unlock: 'IN_USE',
  close: 'CLOSED',
} as const satisfies Partial<Record<DiningAccountTrigger, AccountStatus>>
export type DiningAccountMove = keyof typeof diningAccountTargets
export const diningAccountMoves = [
  'pre-close',
  'unlock',
  'close',
] as const satisfies DiningAccountMove[]

/**
 * The result of a trigger in this status, provided that the row's condition holds. Applied: 202 without effect
 * (IND-RUL-04, IND-PRM-06). Refused: IND-UND-06.
 */
export const diningAccountStep = lifecycle(diningAccountLifecycle, {
  targets: diningAccountTargets,
}).step

/** The event that a trigger emits, in any status. */
export const accountEventOfTrigger = (
  trigger: DiningAccountTrigger,
): AccountEventType | undefined =>
  diningAccountLifecycle.find((row) => row.trigger === trigger)?.emits

/** The status that an event of a status change announces; undefined for every other event. */
export const statusAfterAccountEvent = (eventType: string): AccountStatus | undefined =>
  diningAccountLifecycle.find(({ emits, from, to }) => emits === eventType && from !== to)?.to

/** The statuses that allow a trigger, for refusal messages. */
export const statesAllowing = (trigger: DiningAccountTrigger): readonly DiningAccountState[] =>
  diningAccountLifecycle.filter((row) => row.trigger === trigger).map(({ from }) => from)
