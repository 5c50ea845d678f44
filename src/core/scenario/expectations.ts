/** Checks the expectations of a scenario against the outcome of a run. */
import { compact } from '../base/compact.ts'
import {
  contractRuleId,
  groupedByCause,
  isFailedVerdict,
  isInconclusiveVerdict,
  isViolation,
  notExercisedText,
  outcomeLabel,
  type Verdict,
  verdictsByFinding,
} from '../rules/invariants/verdict.ts'
import type { OperationId } from '../protocol/catalogue.ts'
import type { Expect } from './expect.ts'
import type { Scenario } from './schema.ts'
import type { ScenarioFailure, OrderOutcome, UnexercisedClaim } from './outcome.ts'
import type { ScenarioObserver } from './observer.ts'
import { differenceFrom, type HostedKind, type Hosts } from './hosts.ts'
import {
  balanceDifference,
  countConditionText,
  countingText,
  isSameOperation,
  meetsCount,
  ofOrder,
  stateFields,
  StepFailure,
} from './shared-shapes.ts'
import { timesText } from '../protocol/count-text.ts'

export interface ExpectationContext {
  readonly expect: Expect
  readonly orders: readonly OrderOutcome[]
  readonly verdicts: readonly Verdict[]
  readonly observer: ScenarioObserver
  /** Whether the service shows how it sees an order (`subject.probe`). */
  readonly hasView: boolean
}

const expectation = (path: readonly PropertyKey[], because: string): ScenarioFailure => ({
  kind: 'expectation',
  path: ['expect', ...path],
  because,
})

const selectOrders = (slot: string, orders: readonly OrderOutcome[]): readonly OrderOutcome[] =>
  slot === 'all' ? orders : orders.filter((each) => each.slot === slot)

function wrongStatuses(
  { expect, orders }: ExpectationContext,
  part: 'statuses' | 'views',
): readonly ScenarioFailure[] {
  const who = part === 'views' ? ', as your service says,' : ''
  return Object.entries(expect[part] ?? {}).flatMap(([slot, wanted]) => {
    const all = selectOrders(slot, orders)
    if (all.length === 0)
      return [
        expectation(
          [part, slot],
          slot === 'all' ? 'no order has come' : `there is no ${slot}: it never came`,
        ),
      ]
    const list: readonly string[] = typeof wanted === 'string' ? [wanted] : wanted
    return all.flatMap((order) => {
      const is = part === 'views' ? order.view : order.statuses.at(-1)
      if (is !== undefined && list.includes(is)) return []
      const because = `${order.slot}${who} is ${is ?? 'not known'}, not ${list.join(' or ')}`
      return [expectation([part, slot], because)]
    })
  })
}

function wrongCalls({ expect, orders, observer }: ExpectationContext): readonly ScenarioFailure[] {
  return (expect.calls ?? []).flatMap((wanted, index) => {
    const { call, order, counting } = wanted
    const orderId = orders.find(({ slot }) => slot === order)?.orderId
    if (order !== undefined && orderId === undefined)
      return [expectation(['calls', index], `there is no ${order}: it never came`)]
    const observed = observer.countCalls({ call, orderId, counting })
    if (meetsCount(observed, wanted)) return []
    const what = countingText[counting ?? 'successes']
    const because = `${call}${ofOrder(order)} ${what} ${timesText(observed)}, not ${countConditionText(wanted)}`
    return [expectation(['calls', index], because)]
  })
}

/** Whether `wanted` is a subsequence of `observed`. */
function isSubsequence(observed: readonly OperationId[], wanted: readonly OperationId[]): boolean {
  let from = 0
  for (const each of wanted) {
    const at = observed.findIndex((made, index) => index >= from && isSameOperation(made, each))
    if (at === -1) return false
    from = at + 1
  }
  return true
}

const wrongSequences = ({ expect, orders }: ExpectationContext): readonly ScenarioFailure[] =>
  Object.entries(expect.sequence ?? {}).flatMap(([slot, wanted]) => {
    const observed = orders.find((each) => each.slot === slot)?.sequence ?? []
    if (isSubsequence(observed, wanted)) return []
    const because = `the calls of ${slot} came as ${observed.join(', ') || 'none'}, not as ${wanted.join(', ')}`
    return [expectation(['sequence', slot], because)]
  })

function missingAcknowledgments({
  expect,
  observer,
}: ExpectationContext): readonly ScenarioFailure[] {
  const { acknowledged } = expect
  if (acknowledged === undefined) return []
  const { events, acknowledged: acknowledgedIds, reached, slotOf } = observer.orders
  // An event that never arrived cannot be acknowledged; naming its type asserts that it arrived.
  const missing = [...events].filter(
    ([eventId, { eventType }]) =>
      !acknowledgedIds.has(eventId) &&
      (acknowledged === 'all' ? reached.has(eventId) : acknowledged.includes(eventType)),
  )
  const never =
    acknowledged === 'all'
      ? []
      : acknowledged.filter((type) => ![...events.values()].some((each) => each.eventType === type))
  return [
    ...missing.map(([, { eventType, orderId = '' }]) =>
      expectation(
        ['acknowledged'],
        `${eventType} of ${slotOf(orderId) ?? 'no order'} was never acknowledged`,
      ),
    ),
    ...never.map((type) => expectation(['acknowledged'], `there never was an event ${type}`)),
  ]
}

/** Events that were refused, or never taken. */
function untakenEvents({ expect, orders, observer }: ExpectationContext) {
  return (expect.taken ?? []).flatMap(({ event, order }, index): readonly ScenarioFailure[] => {
    const orderId = orders.find(({ slot }) => slot === order)?.orderId
    const path = ['taken', index]
    if (order !== undefined && orderId === undefined)
      return [expectation(path, `there is no ${order}: it never came`)]
    const what = `${event}${ofOrder(order)}`
    const statuses = observer.refusedHandovers({ event, orderId })
    if (statuses.length > 0)
      return [expectation(path, `${what} was not taken: it was answered ${statuses.join(', ')}`)]
    return observer.countAcknowledged({ event, orderId }) > 0
      ? []
      : [expectation(path, `${what} was never taken`)]
  })
}

const wrongAnnouncements = ({ expect, orders, observer }: ExpectationContext) =>
  (expect.announced ?? []).flatMap((wanted, index): readonly ScenarioFailure[] => {
    const { order } = wanted
    const orderId = orders.find(({ slot }) => slot === order)?.orderId
    if (order !== undefined && orderId === undefined)
      return [expectation(['announced', index], `there is no ${order}: it never came`)]
    const count = observer.countAnnounced([wanted.event].flat(), orderId)
    if (meetsCount(count, wanted)) return []
    const what = [wanted.event].flat().join(' or ')
    const because = `your service sent ${what}${ofOrder(order)} ${timesText(count)}, not ${countConditionText(wanted)}`
    return [expectation(['announced', index], because)]
  })

function wrongVerdicts({ expect, verdicts }: ExpectationContext): readonly ScenarioFailure[] {
  const { invariants: required, failed = [] } = expect
  const byId = new Map(verdicts.map((verdict) => [verdict.id, verdict]))
  const failures: ScenarioFailure[] = []
  // An invariant that is named counts even where the finding is only advice.
  const counts = (verdict: Verdict): boolean =>
    // A contract is named on the command line, and counts whatever the scenario is about.
    required === 'all' || verdict.id === contractRuleId
      ? isFailedVerdict(verdict)
      : required.includes(verdict.id) && verdict.outcome === 'failed'
  const unexpected = verdicts.filter((each) => counts(each) && !failed.includes(each.id))
  for (const verdict of groupedByCause(unexpected)) {
    const { id, sentence } = verdict
    const follows = unexpected.find((each) => each.id === verdict.follows)?.id
    const path = ['expect', 'invariants']
    for (const each of verdictsByFinding(verdict, isViolation)) {
      const because = `${id} failed: ${each.findings[0]?.because ?? sentence}`
      failures.push({ kind: 'invariant', path, because, verdict: each, ...compact({ follows }) })
    }
  }
  for (const [index, id] of failed.entries()) {
    const outcome = byId.get(id)?.outcome
    // Where it is inconclusive, whether it failed is not known.
    if (outcome !== 'failed' && outcome !== 'inconclusive')
      failures.push(
        expectation(
          ['failed', index],
          `${id} did not fail: ${outcome === undefined ? 'it does not apply to your service' : `its outcome is ${outcomeLabel(outcome)}`}`,
        ),
      )
  }
  return failures
}

/** The rules that the scenario names, and that were not exercised: that they hold was not shown. */
export function unexercisedRules({
  expect: { invariants: required, tests = [] },
  verdicts,
}: Pick<ExpectationContext, 'expect' | 'verdicts'>): readonly UnexercisedClaim[] {
  const named = { tests, invariants: required === 'all' ? [] : required }
  const unexercised = Object.entries(named).flatMap(([part, ids]) =>
    ids.flatMap((id, index) => {
      const because = notExercisedText(id, verdicts)
      const path = ['expect', part, index]
      return because === undefined ? [] : [{ id, isClaimed: part === 'tests', path, because }]
    }),
  )
  return [...new Map(unexercised.toReversed().map((each) => [each.id, each])).values()].toReversed()
}

/** A scenario expects how the service sees an order, and the service does not show it. */
export function uncheckedViews({ steps, expect }: Pick<Scenario, 'steps' | 'expect'>) {
  const because =
    'what your service itself says of the order was not looked at: subject.probe of the configuration is its path'
  const step = steps.findIndex(({ check }) => check?.view !== undefined)
  const path = expect.views ? ['expect', 'views'] : step < 0 ? undefined : ['steps', step]
  return path ? [{ id: 'views', isClaimed: true, path, because } satisfies UnexercisedClaim] : []
}

/** Verdicts that decide the run, and are inconclusive. */
export const inconclusiveVerdicts = ({
  expect: { invariants: required, failed = [] },
  verdicts,
}: Pick<ExpectationContext, 'expect' | 'verdicts'>): readonly Verdict[] =>
  verdicts.filter(
    (verdict) =>
      isInconclusiveVerdict(verdict) &&
      (required === 'all' || required.includes(verdict.id) || failed.includes(verdict.id)),
  )

export const failedExpectations = (judged: ExpectationContext): readonly ScenarioFailure[] => [
  ...wrongVerdicts(judged),
  ...wrongStatuses(judged, 'statuses'),
  ...(judged.hasView ? wrongStatuses(judged, 'views') : []),
  ...wrongCalls(judged),
  ...wrongSequences(judged),
  ...missingAcknowledgments(judged),
  ...untakenEvents(judged),
  ...wrongAnnouncements(judged),
]

/** What hosts say in the end, where it is not as expected. */
export async function wrongAtHosts(
  { accounts, deliveries, customers, payments, balances, redemptions }: Expect,
  hosts: Hosts,
): Promise<readonly ScenarioFailure[]> {
  const failures: ScenarioFailure[] = []
  async function compareAll<Wanted>(
    part: keyof Expect,
    all: Readonly<Record<string, Wanted>> | undefined,
    compare: (slot: string, wanted: Wanted) => Promise<string | undefined>,
  ): Promise<void> {
    for (const [slot, wanted] of Object.entries(all ?? {})) {
      const wrong = await compare(slot, wanted).catch((error: unknown) => {
        if (error instanceof StepFailure) return error.message
        throw error
      })
      if (wrong !== undefined)
        failures.push(expectation([part, slot], `${part} of ${slot}: ${wrong}`))
    }
  }
  const stateOf =
    (kind: HostedKind) => async (slot: string, wanted: Parameters<typeof stateFields>[0]) =>
      differenceFrom(await hosts.document(kind, slot), stateFields(wanted))
  await compareAll('accounts', accounts, stateOf('account'))
  await compareAll('deliveries', deliveries, stateOf('delivery'))
  await compareAll('customers', customers, stateOf('customer'))
  await compareAll('payments', payments, async (slot, wanted) =>
    differenceFrom(await hosts.payments(slot), wanted, 'the list'),
  )
  await compareAll('balances', balances, async (slot, wanted) =>
    balanceDifference(
      await hosts.balance(slot),
      typeof wanted === 'number' ? { points: wanted } : wanted,
      (each) => hosts.numberOf(each),
    ),
  )
  await compareAll('redemptions', redemptions, async (slot, wanted) =>
    differenceFrom(await hosts.redemptions(slot), wanted),
  )
  return failures
}

/**
 * Whether an expectation has failed for good, so that nothing is left to wait for. Not where all invariants count: they
 * may still tell more.
 */
export function hasFailedForGood(
  { invariants: required, calls = [], taken = [] }: Expect,
  { orders: { slots }, countCalls, refusedHandovers }: ScenarioObserver,
  verdicts: () => readonly Verdict[],
): boolean {
  if (required === 'all') return false
  const isAboutPlaced = ({ order }: { readonly order?: string | undefined }): boolean =>
    order === undefined || slots.has(order)
  const idOf = (order: string | undefined) => (order === undefined ? undefined : slots.get(order))
  return (
    (required.length > 0 &&
      verdicts().some(
        (verdict) =>
          verdict.kind === 'safety' && required.includes(verdict.id) && isFailedVerdict(verdict),
      )) ||
    calls
      .filter(isAboutPlaced)
      .some(
        ({ call, order, counting, times, 'at-most': most = times }) =>
          most !== undefined && countCalls({ call, orderId: idOf(order), counting }) > most,
      ) ||
    taken
      .filter(isAboutPlaced)
      .some(({ event, order }) => refusedHandovers({ event, orderId: idOf(order) }).length > 0)
  )
}
