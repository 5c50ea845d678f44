/**
 * Observes the traffic of a batch: traces and coverage of each schedule, the faults that fired, the messages that there were, and
 * the pace of the subject.
 */
import { digestOf } from '../../core/engine/digest.ts'
import { handedOverEvents } from '../../core/rules/invariants/judge/carried-events.ts'
import type { ObservedExchange } from '../../core/rules/invariants/judge/observations.ts'
import type { Finding } from '../../core/rules/invariants/verdict.ts'
import type { Role } from '../../core/protocol/role.ts'
import type { ScenarioObserver } from '../../core/scenario/observer.ts'
import type { Session } from '../../core/session-api/session.ts'
import {
  callItem,
  type CoverageCounts,
  eventItem,
  faultItem,
  outcomeClass,
} from '../schedules/coverage.ts'
import { type ObservedPoint, observeMessages } from '../schedules/observed-points.ts'
import { createPaceObserver, type PaceObserver } from './pace.ts'
import type { SubjectPace } from '../schedules/result.ts'
import { hasTrait } from '../../core/faults/catalogue.ts'
import type { ScheduledFault } from '../schedules/schedule.ts'

/** Where an order belongs. */
export interface OrderOwner {
  /** Index of the schedule in its batch. */
  readonly entry: number
  /** The slot in its workload. */
  readonly slot: string
}

export interface BatchObserverOptions {
  readonly session: Pick<Session, 'facts'>
  readonly subject: Role
  /** Observes the exchanges, and knows the statuses of the orders. */
  readonly observer: ScenarioObserver
  /** For each schedule, whether its messages are to be learned. */
  readonly learns: readonly boolean[]
  readonly ownerOf: (orderId: string) => OrderOwner | undefined
  /** The scheduled fault of a fault in force. */
  readonly faultOf: (id: number) => ScheduledFault | undefined
}

export interface BatchObserver extends Disposable {
  /** Reads the facts since the last call. */
  readonly read: () => void
  readonly hasFired: (fault: ScheduledFault) => boolean
  /**
   * The schedule that is the cause of a finding about no single order, or about an order that another one holds back: that whose
   * call was refused for its client, or whose calls alone show it.
   */
  readonly causeOf: (finding: Pick<Finding, 'orderId' | 'evidence'>) => number | undefined
  /** By slot. */
  readonly traces: (entry: number) => Readonly<Record<string, string>>
  readonly coverage: () => CoverageCounts
  readonly pace: () => SubjectPace
  readonly isReconcileKnown: PaceObserver['isReconcileKnown']
  readonly points: (entry: number) => readonly ObservedPoint[]
  readonly sharedPoints: () => readonly ObservedPoint[]
}

/** What is kept of a call. */
interface ObservedCall {
  readonly seq: number
  /** The schedule of its order. */
  readonly entry: number | undefined
  readonly status: number | undefined
  /** It was refused because of who made it, or how often. */
  readonly isClientWide: boolean
}

/** The only schedule of these calls. */
function entryOf(calls: readonly ObservedCall[]): number | undefined {
  const found = new Set(calls.flatMap(({ entry }) => entry ?? []))
  return found.size === 1 ? [...found][0] : undefined
}

/** Steps of a trace; what comes after them is of no use for telling runs apart. */
const maxTraceSteps = 400
/** The roles whose calls ask us for something about an order, which takes effect later. */
const requestingRoles: readonly Role[] = ['software-service', 'ordering-application']
/** The state of a message that is about no order. */
const noState = '-'

export const signatureOf = (traces: Readonly<Record<string, string>>): string =>
  digestOf(JSON.stringify(traces))

export function createBatchObserver(options: BatchObserverOptions): BatchObserver {
  const { session, subject, observer, ownerOf, faultOf } = options
  const fired = new Set<ScheduledFault>()
  const steps = options.learns.map(() => new Map<string, string[]>())
  const messages = options.learns.map((learns) => (learns ? observeMessages() : undefined))
  const shared = observeMessages()
  const isLearning = options.learns.includes(true)
  const coverage = new Map<string, number>()
  const pace = createPaceObserver()
  const seen = new Map<number, ObservedCall>()
  const canRequest = requestingRoles.includes(subject)
  let lastFact = 0

  const count = (item: string): void => void coverage.set(item, (coverage.get(item) ?? 0) + 1)

  const stateOf = (orderId: string | undefined): string =>
    (orderId === undefined ? undefined : observer.orders.statusesOf(orderId).at(-1)) ?? noState

  function addStep(owner: OrderOwner, step: string): void {
    const bySlot = steps[owner.entry]
    const trace = bySlot?.get(owner.slot) ?? []
    if (trace.at(-1) !== step && trace.length < maxTraceSteps) trace.push(step)
    bySlot?.set(owner.slot, trace)
  }

  function read(): void {
    observer.read()
    const facts = session.facts(lastFact)
    const first = facts[0]?.seq ?? 1
    for (const { seq, fact } of facts.slice(Math.max(0, lastFact + 1 - first))) {
      lastFact = seq
      if (fact.kind === 'fault.fired') {
        const scheduled = faultOf(fact.id)
        if (!scheduled) continue
        fired.add(scheduled)
        count(faultItem(stateOf(fact.orderId), scheduled.name, scheduled.match))
      }
      if (fact.kind === 'event.offered' || fact.kind === 'event.pushed') {
        const event = observer.orders.events.get(fact.eventId)
        const isMeant = event?.to === subject && event.orderId !== undefined
        const owner = isMeant ? ownerOf(event.orderId) : undefined
        const channel = fact.kind === 'event.offered' ? 'polling' : 'webhook'
        if (event && owner) messages[owner.entry]?.handover(owner.slot, event.eventType, channel)
      }
      if (
        canRequest &&
        fact.kind.endsWith('.requested') &&
        'orderId' in fact &&
        'trigger' in fact
      ) {
        const owner = ownerOf(fact.orderId)
        if (owner) messages[owner.entry]?.effect(owner.slot, fact.trigger)
      }
    }
  }

  function observeCall(call: ObservedExchange): void {
    const { orderId, status, caller, exchange } = call
    const { operation } = exchange
    if (operation === undefined) return
    const owner = orderId === undefined ? undefined : ownerOf(orderId)
    const observed = owner ? messages[owner.entry] : isLearning ? shared : undefined
    const [handed] = caller === 'sparring' ? handedOverEvents(call) : []
    // Not every body has the type of its event.
    const event = handed?.eventType || undefined
    if (caller === 'subject') observed?.answer(owner?.slot, operation)
    else observed?.call(owner?.slot, operation, event)
    const outcome = outcomeClass(status)
    count(callItem(stateOf(orderId), operation, outcome))
    const [fault = ''] = exchange.fault?.split(' on ') ?? []
    const isClientWide = owner !== undefined && hasTrait({ name: fault }, 'client-wide')
    seen.set(exchange.seq, { seq: exchange.seq, entry: owner?.entry, status, isClientWide })
    if (owner) addStep(owner, `${stateOf(orderId)} ${event ?? operation} ${outcome}`)
  }

  const stop = observer.onObserved((observed, span) => {
    read()
    pace.observe(observed)
    observeCall(observed)
    for (const { orderId, eventType } of handedOverEvents(observed)) {
      pace.handedOver(orderId, span.ended)
      const channel = observed.caller === 'subject' ? 'polling' : 'webhook'
      count(eventItem(stateOf(orderId), eventType, channel))
    }
  })

  return {
    read,
    hasFired: (fault) => fired.has(fault),
    causeOf({ orderId, evidence }) {
      const shown = evidence.flatMap(({ seq }) => seen.get(seq) ?? [])
      const limiting = shown.filter(({ isClientWide }) => isClientWide)
      if (limiting.length > 0 || orderId !== undefined) return entryOf(limiting)
      const [first] = shown
      const before = [...seen.values()].findLast(
        ({ seq, status, isClientWide }) =>
          isClientWide && first && seq <= first.seq && status === first.status,
      )
      return before?.entry ?? entryOf(shown)
    },
    traces: (entry) =>
      Object.fromEntries(
        [...(steps[entry] ?? [])].map(([slot, trace]) => [slot, trace.join(' > ')]),
      ),
    coverage: () => Object.fromEntries(coverage),
    pace: pace.pace,
    isReconcileKnown: pace.isReconcileKnown,
    points: (entry) => messages[entry]?.points() ?? [],
    sharedPoints: shared.points,
    [Symbol.dispose]: stop,
  }
}
