/** Decisions as the steps of a scenario: what each waited for, the time that it took after that, and the deed itself. */
import { compact } from '../../compact.ts'
import { formatDuration } from '../../protocol/duration.ts'
import { isForbidden, isOrderEventType } from '../../protocol/orders/events.ts'
import type { OrderType } from '../../protocol/orders/order.ts'
import type { ScenarioInput } from '../schema.ts'
import { isOver } from './is-over.ts'
import type { Decision, Decisions, Trigger, What } from './decision.ts'

export type StepInput = NonNullable<ScenarioInput['steps']>[number]

/** As it was, as fast as what it waits for allows, or so many times as fast. */
export type Timing = 'original' | 'asap' | number

export interface StepOptions {
  readonly timing: Timing
  /** Where a service is asked for what a person at its screen would do: a path with `{orderId}`. */
  readonly asks?: { readonly cancellation?: string } | undefined
}

export interface DerivedSteps {
  readonly steps: readonly StepInput[]
  /** The exchanges that each step was read from, by its place in `steps`. */
  readonly sources: ReadonlyMap<number, readonly string[]>
}

/** Gaps below it are how long it takes to send something. */
const leastGapMs = 10
/** A service on another machine, on another day, may take so much longer. */
const patienceMs = 30_000
const longestWaitMs = 600_000

const answers = {
  accept: 'accept-cancellation',
  deny: 'deny-cancellation',
  open: 'leave-cancellation-open',
} as const

const length = (ms: number): string => formatDuration(Math.max(0, Math.round(ms)))

/** To whole seconds, so that two recordings of one story read the same. */
const withinOf = (ms: number): string =>
  length(Math.min(longestWaitMs, Math.ceil((patienceMs + 3 * Math.max(0, ms)) / 1000) * 1000))

function awaited(trigger: Trigger, within: string): StepInput {
  switch (trigger.kind) {
    case 'call': {
      const { call, slot, times, counting } = trigger
      return {
        await: {
          call,
          ...compact({ order: slot }),
          ...(times > 1 ? { times } : {}),
          ...(counting === 'tries' ? { counting } : {}),
          within,
        },
      }
    }
    case 'acknowledged': {
      const { event, slot, times } = trigger
      return {
        await: { acknowledged: event, order: slot, ...(times > 1 ? { times } : {}), within },
      }
    }
    case 'status':
      return { await: { status: trigger.status, order: trigger.slot, within } }
    default:
      return trigger satisfies never
  }
}

function deedOf(
  what: What,
  slot: string,
  { type, asks }: { readonly type?: OrderType | undefined } & Pick<StepOptions, 'asks'>,
): StepInput | undefined {
  switch (what.kind) {
    case 'create':
      return { create: slot }
    case 'move': {
      const { kind: _kind, ...move } = what
      return { trigger: { order: slot, ...move } }
    }
    case 'answer':
      return { trigger: { order: slot, move: answers[what.answer] } }
    case 'emit': {
      const { event, metadata } = what
      const force = type && isOrderEventType(event) && isForbidden(event, type)
      return {
        emit: {
          order: slot,
          event,
          ...(metadata ? { metadata: metadata as never } : {}),
          ...(force ? { force } : {}),
        },
      }
    }
    case 'ask':
      return asks?.cancellation === undefined
        ? undefined
        : { ask: { order: slot, path: asks.cancellation, for: 'cancellation' } }
    case 'omit':
      return { drop: { trigger: what.trigger, order: slot } }
    case 'command':
      return { command: what.command }
    case 'fault':
      return { fault: what.spec as never }
    default:
      return what satisfies never
  }
}

/** What need not be waited for: it is so as soon as there is an order. */
const isGiven = (trigger: Trigger): boolean =>
  trigger.kind === 'status' && trigger.status === 'CREATED'

function createWriter() {
  const steps: StepInput[] = []
  const sources = new Map<number, readonly string[]>()
  const awaitedSoFar = new Set<string>()
  return {
    steps,
    sources,
    add(step: StepInput, recordIds: readonly string[] = []): void {
      const last = steps.at(-1)
      // Orders that came together are placed together.
      if (last?.create !== undefined && step.create !== undefined) {
        const place = steps.length - 1
        steps[place] = { create: [last.create, step.create].flat() }
        sources.set(place, [...(sources.get(place) ?? []), ...recordIds])
        return
      }
      if (recordIds.length > 0) sources.set(steps.length, recordIds)
      steps.push(step)
    },
    /** Waits for what nobody has waited for yet. */
    await(trigger: Trigger, within: string): void {
      const { at: _at, ...what } = trigger
      const key = JSON.stringify(what)
      if (awaitedSoFar.has(key) || isGiven(trigger)) return
      awaitedSoFar.add(key)
      steps.push(awaited(trigger, within))
    },
  }
}

export function stepsOf(decisions: Decisions, options: StepOptions): DerivedSteps {
  const { timing } = options
  const speed = typeof timing === 'number' ? timing : 1
  const writer = createWriter()
  const types = new Map(decisions.orders.map(({ slot, type }) => [slot, type]))
  /** How far the story has come, in the recording's time. */
  let reached = 0

  function write({ at, slot = '', what, after, recordIds }: Decision): void {
    const deed = deedOf(what, slot, { type: types.get(slot), asks: options.asks })
    if (!deed) return
    for (const trigger of after) {
      writer.await(trigger, withinOf((trigger.at - reached) / speed))
      reached = Math.max(reached, trigger.at)
    }
    const gap = (at - reached) / speed
    // What our own habits plan is taken away at once, before it happens.
    if (timing !== 'asap' && gap >= leastGapMs && what.kind !== 'omit')
      writer.add({ advance: length(gap) })
    writer.add(deed, recordIds)
    if (what.kind !== 'omit') reached = Math.max(reached, at)
  }

  for (const decision of decisions.decisions) write(decision)
  for (const end of decisions.ends) {
    writer.await(end, withinOf((end.at - reached) / speed))
    // An end is told at the end of the recording, whenever it came.
    if (!decisions.orders.every(isOver)) reached = Math.max(reached, end.at)
  }
  const left = (decisions.endsAt - reached) / speed
  // What goes wrong for good has all the time in which it went wrong; else the faults would end with the last deed.
  if (timing !== 'asap' && left >= leastGapMs && !decisions.orders.every(isOver))
    writer.add({ advance: length(Math.min(longestWaitMs, left)) })
  // Where somebody is tried, everything settles before anybody judges; here nobody is.
  if (decisions.subject === 'nobody') writer.add({ await: { quiet: true, within: '5m' } })
  return { steps: writer.steps, sources: writer.sources }
}
