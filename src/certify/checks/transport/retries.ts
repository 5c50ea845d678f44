/** Calls of the service that fail, and whether it makes them again: which call is the same one, and in which time. */
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import type { Role } from '../../../core/protocol/role.ts'
import { bodyValue, isAcceptedCall } from '../../judge/assertion.ts'
import type { ProcedureContext } from '../../judge/procedure.ts'
import type { Observed, Trace } from '../../judge/trace.ts'
import { createStimulus, mutatingCallsOf } from './activity.ts'

/** How long a service may take to make a failed call again. */
const retryMs = 60_000
/** How long one may take to make a call that has made none before. */
const firstCallMs = 10_000
/** How long further calls may take. */
const furtherMs = 15_000

/** Members of a body that say what a call is about, those of an event first. */
const subjects = ['/eventId', '/event/eventId', '/event/id', '/id', '/orderId', '/items/0/id']

/** What identifies a call: a further attempt has the same. */
export const repeatedCallKey = ({ operation, exchange, request, url }: Observed): string =>
  JSON.stringify([
    exchange.to.role,
    operation,
    url.pathname,
    subjects.map((pointer) => bodyValue(request, pointer)).find((value) => value !== undefined),
  ])

/** Attempts of one call, in their order. */
export interface Attempts {
  readonly failed: readonly Observed[]
  /** The attempt behind each failed one; undefined where there was none. */
  readonly next: Observed | undefined
  readonly all: readonly Observed[]
}

/** Calls that have failed in this way, each with its further attempts. */
export function attemptsAfter(
  calls: readonly Observed[],
  isFailure: (call: Observed) => boolean,
): readonly Attempts[] {
  const byKey = Map.groupBy(calls, repeatedCallKey)
  return [...byKey.values()].flatMap((all) => {
    const failed = all.filter(isFailure)
    const [first] = failed
    const last = failed.at(-1)
    if (!first || !last) return []
    const attempts = all.slice(all.indexOf(first))
    return [
      {
        failed,
        next: attempts.find((each) => each.exchange.seq > last.exchange.seq),
        all: attempts,
      },
    ]
  })
}

/** Calls of the service while a procedure went on, as far as its notes say so. */
export function callsDuring(trace: Trace, procedure: string): readonly Observed[] {
  const noted = (name: string): number | undefined =>
    trace.notes(name).find((note) => note.procedure === procedure)?.after
  const begin = noted('begins')
  if (begin === undefined) return []
  const end = noted('ends') ?? Infinity
  return trace.calls().filter(({ exchange: { seq } }) => seq > begin && seq <= end)
}

/** Whether the procedure waited long enough to blame the service for a call that it did not make again. */
export const hasWaited = (trace: Trace, procedure: string): boolean =>
  trace.notes('ends').some((note) => note.procedure === procedure)

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
