/** Calls of the service that fail, and whether it makes them again: which call is the same one, and in which time. */
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import type { Role } from '../../../core/protocol/role.ts'
import { isAcceptedCall } from '../../../core/rules/checks/assertion.ts'
import type { ProcedureContext } from '../../judge/procedure.ts'
import type { Observed } from '../../../core/rules/checks/trace.ts'
import { createStimulus, mutatingCallsOf } from './activity.ts'
import { attemptsAfter } from '../../../core/rules/checks/transport/client-retries.ts'

/** How long a service may take to make a failed call again. */
const retryMs = 60_000
/** How long one may take to make a call that has made none before. */
const firstCallMs = 10_000
/** How long further calls may take. */
const furtherMs = 15_000

/** Lets calls of the service fail, and waits until one of them has been made again with success. */
export async function untilRetried(
  context: ProcedureContext,
  /** How they fail. */
  status: number,
  /** How many calls; for those after the first one it waits no longer than for a next call. */
  count = 1,
): Promise<void> {
  context.note('begins', 'calls fail from here on')
  const stimulate = createStimulus(context)
  await stimulate()
  if (context.role === 'ordering-application') await stimulate()
  const isDone =
    (wanted = 1) =>
    (): boolean => {
      const calls = context.observed().filter(({ isCall }) => isCall)
      const repeated = attemptsAfter(calls, (call) => call.status === status).filter(
        ({ all, next }) => next && all.slice(all.indexOf(next)).some(isAcceptedCall),
      )
      return repeated.length >= wanted
    }
  const calls = mutatingCallsOf(context.role)
  const hasCalled = (observed: readonly Observed[]): boolean =>
    observed.some(({ isCall, operation }) => isCall && calls.some((each) => each === operation))
  const isCaller =
    hasCalled(context.earlier()) ||
    (await context.until(() => hasCalled(context.observed()), { within: firstCallMs }))
  const what = `a call to be made again after ${status === 401 ? '401' : 'it failed'}`
  if (isCaller && (await context.until(isDone(), { within: retryMs, what })) && count > 1)
    await context.until(isDone(count), { within: furtherMs })
  context.note('ends', 'no call fails any more')
}

/** The operations whose calls a fault lets fail: not the one that is needless once the courier has the food. */
export const failingCallsOf = (role: Role): OperationId[] =>
  mutatingCallsOf(role).filter((each) => each !== 'setDeliveryReadyForPickup')
