/**
 * Lifecycle of a loyalty account and permissions of each status, as printed in the protocol (document 1, States and
 * transitions; LOY-ACC-01 to 04, LOY-PRM-01 to 04). A transition without a row is refused.
 */
import { transitionOf } from '../lifecycle.ts'
import type { LoyaltyAccountStatus } from './account.ts'
import type { LoyaltyEventType } from './events.ts'

export const loyaltyAccountTriggers = [
  'enrollment',
  'first-transaction',
  'suspension',
  'reactivation',
] as const
export type LoyaltyAccountTrigger = (typeof loyaltyAccountTriggers)[number]

/** The triggers that the host decides; the others follow from other operations. */
export const accountControls = [
  'suspension',
  'reactivation',
] as const satisfies readonly LoyaltyAccountTrigger[]
export type AccountControl = (typeof accountControls)[number]

export interface LoyaltyAccountTransition {
  /** Absent if there is no account yet. */
  readonly from?: LoyaltyAccountStatus
  readonly trigger: LoyaltyAccountTrigger
  readonly to: LoyaltyAccountStatus
  readonly emits?: LoyaltyEventType
  readonly clause: string
}

export const loyaltyAccountLifecycle: readonly LoyaltyAccountTransition[] = [
  {
    trigger: 'enrollment',
    to: 'ENROLLED',
    emits: 'loyalty.account_linked',
    clause: 'LOY-ACC-01',
  },
  { from: 'ENROLLED', trigger: 'first-transaction', to: 'ACTIVE', clause: 'LOY-ACC-02' },
  { from: 'ACTIVE', trigger: 'suspension', to: 'SUSPENDED', clause: 'LOY-ACC-03' },
  { from: 'SUSPENDED', trigger: 'reactivation', to: 'ACTIVE', clause: 'LOY-ACC-04' },
]

/** The transition of a trigger from this status; undefined if the table has none. */
export const loyaltyAccountStep = (
  status: LoyaltyAccountStatus | undefined,
  trigger: LoyaltyAccountTrigger,
): LoyaltyAccountTransition | undefined => transitionOf(loyaltyAccountLifecycle, status, trigger)

export const accountOperations = ['read-balance', 'earn', 'redeem', 'use-coupon'] as const
export type AccountOperation = (typeof accountOperations)[number]

type Permission = 'allowed' | 'MAY' | 'MUST NOT'

const movement = { ENROLLED: 'MAY', ACTIVE: 'allowed', SUSPENDED: 'MUST NOT' } as const

export const accountPermissions: Readonly<
  Record<AccountOperation, Readonly<Record<LoyaltyAccountStatus, Permission>>>
> = {
  'read-balance': { ENROLLED: 'allowed', ACTIVE: 'allowed', SUSPENDED: 'allowed' },
  earn: movement,
  redeem: movement,
  'use-coupon': movement,
}

/** The host's choice for each MAY in the table. */
export type EnrolledMay = Readonly<Record<Exclude<AccountOperation, 'read-balance'>, boolean>>

/** Whether an account in this status may do the operation; `may` decides for each MAY in the table. */
export function isPermitted(
  status: LoyaltyAccountStatus,
  operation: AccountOperation,
  may: EnrolledMay,
): boolean {
  const permission = accountPermissions[operation][status]
  return permission === 'MAY'
    ? operation === 'read-balance' || may[operation]
    : permission === 'allowed'
}
