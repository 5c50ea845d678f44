/** Checks a trigger against the account's status; the refusal lists the statuses that would allow it. */
import {
  diningAccountStep,
  type DiningAccountTrigger,
  statesAllowing,
} from '../../protocol/indoor/lifecycle.ts'
import type { Result } from '../../protocol/result.ts'
import { type Decision, type DecisionContext, decisionsOn } from '../decision.ts'
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

/** The account, where its status allows the trigger. */
export function checkAccountTrigger(
  accountId: string,
  trigger: DiningAccountTrigger,
  context: DecisionContext,
): Result<DiningAccountRecord, Refusal> {
  const found = findDiningAccount(accountId, context.world)
  const isRefused = found.ok && diningAccountStep(found.value.status, trigger).kind === 'refused'
  return isRefused ? invalidAccountState(found.value, trigger, context) : found
}

interface OfAccount {
  readonly accountId: string
}

/** Decisions on an account in whatever status. */
export const onAccount = decisionsOn(({ accountId }: OfAccount, { world }: DecisionContext) =>
  findDiningAccount(accountId, world),
)

/** Decides on an account where its status allows the trigger. */
export const onAccountAllowing = <Command extends OfAccount>(
  trigger: DiningAccountTrigger,
  decide: (account: DiningAccountRecord, command: Command, context: DecisionContext) => Decision,
) =>
  decisionsOn(({ accountId }: OfAccount, context) =>
    checkAccountTrigger(accountId, trigger, context),
  )(decide)
