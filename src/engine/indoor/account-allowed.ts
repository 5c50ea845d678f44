/** Checks a trigger against the account's status; the refusal lists the statuses that would allow it. */
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

/** The account in message texts. */
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

/** Looks the account up and runs the trigger through the lifecycle; refused when either fails. */
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
