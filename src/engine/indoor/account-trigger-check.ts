/** Checks a trigger against the account's status; the refusal lists the statuses that would allow it. */
import {
  type DiningAccountStep,
  diningAccountStep,
  type DiningAccountTrigger,
  statesAllowing,
} from '../../protocol/indoor/lifecycle.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { DecisionContext } from '../decision.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { findDiningAccount } from './account-find.ts'
import { type DiningAccountRecord, diningPlace } from './world.ts'

/** The account in message texts. */
export const accountLabel = ({
  accountId,
  operationMode,
  identifier,
}: DiningAccountRecord): string =>
  `the account ${accountId} at ${diningPlace(operationMode, identifier)}`

export function invalidAccountState(
  account: DiningAccountRecord,
  trigger: DiningAccountTrigger,
  { settings }: Pick<DecisionContext, 'settings'>,
): Result<never, Refusal> {
  const needed = statesAllowing(trigger).join(' or ')
  return refuse(
    'INVALID_ACCOUNT_STATE',
    `${accountLabel(account)} is ${account.status}: ${trigger} needs ${needed}`,
    settings.conduct.invalidTransition.indoor,
  )
}

export interface CheckedTrigger {
  readonly account: DiningAccountRecord
  readonly step: Exclude<DiningAccountStep, { kind: 'refused' }>
}

/** Looks the account up and runs the trigger through the lifecycle; refused when either fails. */
export function checkAccountTrigger(
  accountId: string,
  trigger: DiningAccountTrigger,
  context: DecisionContext,
): Result<CheckedTrigger, Refusal> {
  const found = findDiningAccount(accountId, context.world)
  if (!found.ok) return err(found.error)
  const step = diningAccountStep(found.value.status, trigger)
  return step.kind === 'refused'
    ? invalidAccountState(found.value, trigger, context)
    : ok({ account: found.value, step })
}
