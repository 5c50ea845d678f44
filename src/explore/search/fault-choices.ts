/**
 * The faults that can distort a message, with every size of their options: from the catalogue, so that a new fault is searched
 * with as soon as it is there. Only what a correct partner or network may do.
 */
import { compact } from '../../core/base/compact.ts'
import { setBounded } from '../../core/engine/bounded.ts'
import { createChance } from '../../core/engine/chance.ts'
import type { AnswerPoint, FaultPoint } from '../../core/engine/faults/fault-point.ts'
import { revealingEvents } from '../../core/engine/faults/distort-plan.ts'
import { faultCatalogue } from '../../core/faults/catalogue.ts'
import { type FaultDefinition, isLegalFault } from '../../core/faults/fault.ts'
import { operation as rowOf, type OperationId } from '../../core/protocol/catalogue.ts'
import { orderActOf } from '../../core/protocol/operation.ts'
import { orderLifecycle } from '../../core/protocol/orders/lifecycle.ts'
import { isOrderEventType } from '../../core/protocol/orders/events.ts'
import type { Role } from '../../core/protocol/role.ts'
import { type ObservedPoint, pointText } from '../schedules/observed-points.ts'
import { createSchedule, type ScheduledFault } from '../schedules/schedule.ts'

/** Draws of options by which every size of them is found. */
const optionDraws = 48
/** Choices of one fault at one message. */
const maxSizes = 10

const drawn = faultCatalogue.filter(({ replacements }) => replacements === undefined)
/**
 * What ends the service ends it for all schedules of a session: it is drawn for all of them. Another app of the store, and
 * another way to write, are searched where they are named.
 */
const membersWith = (named: readonly string[]) =>
  drawn.filter(
    ({ name, needsStart, changesOrders, isNamedOnly }) =>
      !needsStart && ((!changesOrders && !isNamedOnly) || named.includes(name)),
  )
/** The faults that are searched where they are asked for. */
export const namedFaultsOf = ({
  ghosts,
  evolution,
}: {
  readonly ghosts?: boolean | undefined
  readonly evolution?: boolean | undefined
}): readonly string[] => [...(ghosts ? ['ghost'] : []), ...(evolution ? ['evolve'] : [])]

const ofProcess = drawn.filter(({ needsStart }) => needsStart)

const event = { eventType: 'CONFIRMED', eventId: 'event', orderId: 'order' } as const

function wirePoint(operation: OperationId, match: ObservedPoint['match']) {
  const { method, callers, hosts } = rowOf(operation)
  const carries = match.order === undefined
  const role: Role = 'software-service'
  return {
    operation,
    method,
    from: callers[0] ?? role,
    to: hosts[0] ?? role,
    // A poll that brings several events and one that brings none are distorted by different faults: both are tried.
    events: carries ? [event, { ...event, eventId: 'another' }] : [],
    ...compact({ orderId: match.order, eventType: match.event }),
  }
}

/** Whether a call takes a step of an order that has an event of its own. */
const movesOrder = (operation: OperationId): boolean =>
  orderLifecycle.some(({ trigger }) => trigger === orderActOf(rowOf(operation)))

/** Messages such as a point stands for, to ask a fault whether it acts on them. */
function examplesOf({ kind, match }: ObservedPoint, channels: readonly string[]): FaultPoint[] {
  const { operation, channel = 'polling', order: orderId = 'order' } = match
  switch (kind) {
    case 'handover': {
      const other = channel === 'polling' ? 'webhook' : 'polling'
      const isOfOrders = isOrderEventType(match.event ?? '')
      const handover: FaultPoint = {
        kind,
        channel,
        eventId: 'event',
        eventType: match.event ?? '',
        orderId,
        from: 'ordering-application',
        reveals: revealingEvents.has(match.event ?? ''),
        closes: false,
        ...(isOfOrders ? { previousAt: '2026-01-01T00:00:00.000Z' } : {}),
        ...(isOfOrders && channels.includes(other) ? { alsoBy: other } : {}),
      }
      return [handover]
    }
    case 'effect':
      return [{ kind, trigger: match.trigger ?? '', orderId }]
    case 'answer': {
      if (operation === undefined) return []
      const answer: AnswerPoint = { kind, ...wirePoint(operation, match), clientId: 'client' }
      const repeats = { eventId: 'event', eventType: 'CONFIRMED', channels: ['polling'] } as const
      const repeated = movesOrder(operation) ? [{ ...answer, repeats }] : []
      return [answer, { ...answer, events: [] }, ...repeated]
    }
    case 'call': {
      if (operation === undefined) return []
      return [{ kind, ...wirePoint(operation, match), attempt: match.nth ?? 1 }]
    }
    // No search observes orders that are made up: its workloads name their samples.
    case 'arrival':
      return []
    default:
      return kind satisfies never
  }
}

function doesAct(
  fault: FaultDefinition,
  options: Readonly<Record<string, unknown>>,
  examples: readonly FaultPoint[],
): boolean {
  const chance = createChance(1, 'example')
  const planned = { command: { kind: 'session.open' }, afterMs: 0 } as const
  return examples.some((point) =>
    'operation' in point
      ? fault.message?.(options, point, chance) !== undefined
      : fault.plan?.(options, planned, point, chance) !== undefined,
  )
}

/** Every size of the options of a fault that a correct partner may choose. */
function sizesOf(fault: FaultDefinition): readonly Readonly<Record<string, unknown>>[] {
  const sizes = new Map<string, Readonly<Record<string, unknown>>>()
  for (let draw = 0; draw < optionDraws; draw++) {
    const options = fault.vary(createChance(draw, `options of ${fault.name}`))
    if (isLegalFault(fault, options)) sizes.set(JSON.stringify(options), options)
  }
  return [...(fault.alsoSearched ?? []), ...sizes.values()].slice(0, maxSizes)
}

const sizes = new Map(drawn.map((fault) => [fault, sizesOf(fault)]))

export const optionSizes = (fault: FaultDefinition): ReturnType<typeof sizesOf> =>
  sizes.get(fault) ?? []

/** Results of `faultChoices` by its arguments: most messages are in every workload. */
const known = new Map<string, readonly ScheduledFault[]>()

/** All faults that act on a message. What is retried fails once, or until the caller stops: its own attempts and one more. */
export function faultChoices(
  point: ObservedPoint,
  channels: readonly string[],
  named: readonly string[] = [],
): readonly ScheduledFault[] {
  const key = [pointText(point), ...channels, ...named].join(' ')
  const found = known.get(key)
  if (found) return found
  const examples = examplesOf(point, channels)
  const choices = membersWith(named).flatMap((fault) => {
    if (!fault.meets.includes(point.kind)) return []
    return optionSizes(fault)
      .filter((options) => doesAct(fault, options, examples))
      .flatMap((options): ScheduledFault[] => {
        const single: ScheduledFault = { name: fault.name, match: point.match, options }
        if (!fault.isRetried || point.match.nth !== 1) return [single]
        const { nth: _first, ...all } = point.match
        return [single, { ...single, match: all, burst: 'outlast' }]
      })
  })
  const { faults } = createSchedule('', choices)
  setBounded(known, key, faults, 2000)
  return faults
}

/** The faults that end the service, once, at the first message of a kind, whatever order it is about. */
export function processFaults(
  points: readonly ObservedPoint[],
  channels: readonly string[],
): readonly ScheduledFault[] {
  const faults = points.flatMap((point) => {
    const { order: _order, nth: _nth, ...match } = point.match
    return ofProcess
      .filter(({ meets }) => meets.includes(point.kind))
      .flatMap((fault) =>
        optionSizes(fault)
          .filter((options) => doesAct(fault, options, examplesOf(point, channels)))
          .map((options) => ({ name: fault.name, match, options: { ...options, limit: 1 } })),
      )
  })
  return createSchedule('', faults).faults
}
