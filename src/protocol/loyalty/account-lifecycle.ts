/**
 * The life of a loyalty account, and what each status permits, as the protocol prints them (document 1, States and
 * transitions; LOY-ACC-01 to 04, LOY-PRM-01 to 04). What stands in no row is refused.
 */
import type { LoyaltyAccountStatus } from './account.ts'
import type { LoyaltyEventType } from './events.ts'

export const accountTriggers = [
  'enrollment',
  'first-transaction',
  'suspension',
  'reactivation',
] as const
export type AccountTrigger = (typeof accountTriggers)[number]

/** The triggers that the protocol leaves to the host; the others follow from what happens. */
export const accountControls = [
  'suspension',
  'reactivation',
] as const satisfies readonly AccountTrigger[]
export type AccountControl = (typeof accountControls)[number]

export interface AccountTransition {
  /** Absent where there is no account yet. */
  readonly from?: LoyaltyAccountStatus
  readonly trigger: AccountTrigger
  readonly to: LoyaltyAccountStatus
  readonly emits?: LoyaltyEventType
  readonly clause: string
}

export const accountLifecycle: readonly AccountTransition[] = [
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

/** The row of a trigger from here; undefined where the table has none. */
export const accountStep = (
  status: LoyaltyAccountStatus | undefined,
  trigger: AccountTrigger,
): AccountTransition | undefined =>
  accountLifecycle.find((row) => row.from === status && row.trigger === trigger)

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

/** What a host makes of the table's MAY. */
export type EnrolledMay = Readonly<Record<Exclude<AccountOperation, 'read-balance'>, boolean>>

/** Whether an account of this status may do that, where `may` says what the host permits of its own choice. */
export function permits(
  status: LoyaltyAccountStatus,
  operation: AccountOperation,
  may: EnrolledMay,
): boolean {
  const permission = accountPermissions[operation][status]
  return permission === 'MAY'
    ? operation === 'read-balance' || may[operation]
    : permission === 'allowed'
}
