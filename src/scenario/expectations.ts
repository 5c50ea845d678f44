/** Checks the expectations of a scenario against the outcome of a run. */
import type { Verdict } from '../invariants/verdict.ts'
import type { OperationId } from '../protocol/catalogue.ts'
import type { Expect } from './expect.ts'
import { type Failure, isBroken, type OrderOutcome } from './outcome.ts'
import type { Witness } from './observer.ts'
import { howOftenText, isCall, isSoOften, timesText } from './shared-shapes.ts'

export interface Judged {
  readonly expect: Expect
  readonly orders: readonly OrderOutcome[]
  readonly verdicts: readonly Verdict[]
  readonly witness: Witness
}

const expectation = (path: readonly PropertyKey[], because: string): Failure => ({
  kind: 'expectation',
  path: ['expect', ...path],
  because,
})

const selectOrders = (slot: string, orders: readonly OrderOutcome[]): readonly OrderOutcome[] =>
  slot === 'all' ? orders : orders.filter((each) => each.slot === slot)

function wrongStatuses({ expect, orders }: Judged, part: 'statuses' | 'views'): readonly Failure[] {
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

function wrongCalls({ expect, orders, witness: observer }: Judged): readonly Failure[] {
  return (expect.calls ?? []).flatMap((wanted, index) => {
    const { call, order, counting } = wanted
    const orderId = orders.find(({ slot }) => slot === order)?.orderId
    if (order !== undefined && orderId === undefined)
      return [expectation(['calls', index], `there is no ${order}: it never came`)]
    const seen = observer.calls({ call, orderId, counting })
    if (isSoOften(seen, wanted)) return []
    const about = order === undefined ? '' : ` of ${order}`
    const what = counting === 'tries' ? 'was tried' : 'succeeded'
    const because = `${call}${about} ${what} ${timesText(seen)}, not ${howOftenText(wanted)}`
    return [expectation(['calls', index], because)]
  })
}

/** Whether `wanted` is a subsequence of `seen`. */
function isSubsequence(seen: readonly OperationId[], wanted: readonly OperationId[]): boolean {
  let from = 0
  for (const each of wanted) {
    const at = seen.findIndex((made, index) => index >= from && isCall(made, each))
    if (at === -1) return false
    from = at + 1
  }
  return true
}

const wrongSequences = ({ expect, orders }: Judged): readonly Failure[] =>
  Object.entries(expect.sequence ?? {}).flatMap(([slot, wanted]) => {
    const seen = orders.find((each) => each.slot === slot)?.sequence ?? []
    if (isSubsequence(seen, wanted)) return []
    const because = `the calls of ${slot} came as ${seen.join(', ') || 'none'}, not as ${wanted.join(', ')}`
    return [expectation(['sequence', slot], because)]
  })

function missingAcknowledgments({ expect, witness: observer }: Judged): readonly Failure[] {
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

function wrongVerdicts({ expect, verdicts }: Judged): readonly Failure[] {
  const { invariants: held, broken = [], tests = [] } = expect
  const byId = new Map(verdicts.map((verdict) => [verdict.id, verdict]))
  const failures: Failure[] = []
  for (const verdict of verdicts) {
    const { id, sentence, findings } = verdict
    // An invariant that is named counts even where the finding is only advice.
    const counts =
      held === 'all' ? isBroken(verdict) : held.includes(id) && verdict.outcome === 'broken'
    if (!counts || broken.includes(id)) continue
    const because = `${id} is broken: ${findings[0]?.because ?? sentence}`
    failures.push({ kind: 'invariant', path: ['expect', 'invariants'], because, verdict })
  }
  for (const [index, id] of broken.entries()) {
    const outcome = byId.get(id)?.outcome
    if (outcome !== 'broken')
      failures.push(
        expectation(
          ['broken', index],
          `${id} is not broken: it is ${outcome ?? 'not bound to your service'}`,
        ),
      )
  }
  for (const [index, id] of tests.entries()) {
    const verdict = byId.get(id)
    if (verdict && (verdict.premises > 0 || verdict.outcome === 'broken')) continue
    const why = verdict ? `it takes that ${verdict.premise}` : 'it does not bind your service'
    failures.push(expectation(['tests', index], `${id} was never put to the test: ${why}`))
  }
  return failures
}

export const failedExpectations = (judged: Judged): readonly Failure[] => [
  ...wrongVerdicts(judged),
  ...wrongStatuses(judged, 'statuses'),
  ...wrongStatuses(judged, 'views'),
  ...wrongCalls(judged),
  ...wrongSequences(judged),
  ...missingAcknowledgments(judged),
]
