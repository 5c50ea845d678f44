/** Whether an account is in a status for what is asked of it; the refusal says which status it would need. */
import {
  type AccountStep,
  accountStep,
  type AccountTrigger,
  statesFor,
} from '../../protocol/indoor/lifecycle.ts'
import { no, ok, type Result } from '../../protocol/result.ts'
import type { Context } from '../decision.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { findAccount } from './account-find.ts'
import { type AccountRecord, placeOf } from './world.ts'

/** What a person calls the account. */
export const nameOf = ({ accountId, operationMode, identifier }: AccountRecord): string =>
  `the account ${accountId} at ${placeOf(operationMode, identifier)}`

export function wrongState(
  account: AccountRecord,
  trigger: AccountTrigger,
  { settings }: Pick<Context, 'settings'>,
): Result<never, Refusal> {
  const needed = statesFor(trigger).join(' or ')
  return refuse(
    'INVALID_ACCOUNT_STATE',
    `${nameOf(account)} is ${account.status}: ${trigger} needs ${needed}`,
    settings.conduct.invalidTransition.indoor,
  )
}

export interface Allowed {
  readonly account: AccountRecord
  readonly step: Exclude<AccountStep, { kind: 'refused' }>
}

/** The account and what a trigger does to it, or why it does nothing. */
export function allowed(
  accountId: string,
  trigger: AccountTrigger,
  context: Context,
): Result<Allowed, Refusal> {
  const found = findAccount(accountId, context.world)
  if (!found.ok) return no(found.error)
  const step = accountStep(found.value.status, trigger)
  return step.kind === 'refused'
    ? wrongState(found.value, trigger, context)
    : ok({ account: found.value, step })
}
