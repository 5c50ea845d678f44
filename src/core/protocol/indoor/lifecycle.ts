/**
 * The lifecycle of a dining account, as the protocol prints it (document 2, Indoor account status; IND-TRA-01 to 04,
 * IND-PRM-01 to 07). A trigger without a row for the current status is refused.
 */
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

const unchangedRows = (
  statuses: readonly AccountStatus[],
  row: Omit<DiningAccountTransition, 'from' | 'to'>,
): readonly DiningAccountTransition[] =>
  statuses.map((status) => ({ ...row, from: status, to: status }))

export const diningAccountLifecycle: readonly DiningAccountTransition[] = [
  {
    from: 'NONE',
    trigger: 'open',
    to: 'IN_USE',
    emits: 'ACCOUNT_OPENED',
    clause: 'IND-TRA-01',
  },
  {
    from: 'IN_USE',
    trigger: 'pre-close',
    to: 'IN_PAYMENT',
    emits: 'ACCOUNT_PRE_CLOSED',
    clause: 'IND-TRA-02',
  },
  {
    from: 'IN_PAYMENT',
    trigger: 'unlock',
    to: 'IN_USE',
    emits: 'ACCOUNT_UNLOCKED',
    clause: 'IND-TRA-03',
  },
  {
    from: 'IN_PAYMENT',
    trigger: 'close',
    condition: 'covered',
    to: 'CLOSED',
    emits: 'ACCOUNT_CLOSED',
    clause: 'IND-TRA-04',
  },
  ...unchangedRows(['IN_USE'], {
    trigger: 'add-items',
    emits: 'ACCOUNT_ITEM_ADDED',
    clause: 'IND-PRM-01',
  }),
  ...unchangedRows(['IN_USE'], {
    trigger: 'cancel-item',
    emits: 'ACCOUNT_ITEM_CANCELLED',
    clause: 'IND-PRM-02',
  }),
  ...unchangedRows(['IN_USE'], {
    trigger: 'transfer',
    condition: 'target-in-use',
    emits: 'ACCOUNT_ITEM_REMOVED',
    clause: 'IND-PRM-03',
  }),
  ...unchangedRows(['IN_USE', 'IN_PAYMENT'], {
    trigger: 'pay',
    emits: 'PAYMENT_CREATED',
    clause: 'IND-PRM-04',
  }),
  ...unchangedRows(['IN_USE', 'IN_PAYMENT'], {
    trigger: 'adjust-payment',
    emits: 'PAYMENT_UPDATED',
    clause: 'IND-EVT-06',
  }),
  ...unchangedRows(['IN_USE', 'IN_PAYMENT'], { trigger: 'discount', clause: 'IND-TRA-04' }),
  ...unchangedRows(['IN_USE', 'IN_PAYMENT'], { trigger: 'courtesy', clause: 'IND-TRA-04' }),
  ...unchangedRows(['IN_USE', 'IN_PAYMENT'], { trigger: 'request-fiscal', clause: 'IND-OPS-10' }),
  ...unchangedRows(['CLOSED'], {
    trigger: 'request-fiscal',
    condition: 'issued-at-closing',
    clause: 'IND-TEN-03',
  }),
  // A pending issuance ends in any status of the account (IND-RUL-07).
  ...unchangedRows(['IN_USE', 'IN_PAYMENT', 'CLOSED'], {
    trigger: 'conclude-fiscal',
    clause: 'IND-RUL-06',
  }),
]

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

/** The statuses that allow a trigger, for refusal messages. */
export const statesAllowing = (trigger: DiningAccountTrigger): readonly DiningAccountState[] =>
  diningAccountLifecycle.filter((row) => row.trigger === trigger).map(({ from }) => from)
