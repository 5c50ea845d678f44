/** Converts decisions to scenario steps: waits for the preconditions, the delay after them, and the action. */
import { compact } from '../../core/base/compact.ts'
import { formatDuration } from '../../core/protocol/duration.ts'
import { isForbiddenForProfile, isOrderEventType } from '../../core/protocol/orders/events.ts'
import type { OrderType } from '../../core/protocol/orders/order.ts'
import type { ScenarioInput } from '../../core/scenario/schema.ts'
import { moveOfAnswer } from '../../core/scenario/words/orders.ts'
import {
  type PartnerDecision,
  type PartnerDecisions,
  type Precondition,
  type DecidedAction,
  isOrderOver,
} from '../../core/scenario/decision.ts'
import { roundDelay } from './time-axis.ts'

export type StepInput = NonNullable<ScenarioInput['steps']>[number]

/** Recorded delays, no delays, or recorded delays divided by a factor. */
export type StepTiming = 'original' | 'asap' | number

export interface StepPace {
  readonly timing: StepTiming
  /** The longest pause before a step, in ms. */
  readonly maxGapMs?: number | undefined
}

export interface StepOptions extends StepPace {
  /** Path of the subject, with `{orderId}`, that requests a cancellation as its operator would. */
  readonly asks?: { readonly cancellation?: string } | undefined
  /** The longest wait for a precondition, in ms. */
  readonly maxWaitMs?: number | undefined
}

export interface DerivedSteps {
  readonly steps: readonly StepInput[]
  /** Exchanges that each step was derived from, by index in `steps`. */
  readonly sources: ReadonlyMap<number, readonly string[]>
}

/** Timeouts in ms: few, so that similar recordings give equal files. */
const timeouts = [30_000, 60_000, 120_000, 300_000] as const
const maxWaitMs = 600_000
/** Extra time for a slower service, in ms. */
const extraWaitMs = 20_000

const durationText = (ms: number): string => formatDuration(Math.max(0, Math.round(ms)))

const withinMsOf = (ms: number): number =>
  timeouts.find((each) => each >= extraWaitMs + 3 * ms) ?? maxWaitMs

function awaitStep(trigger: Precondition, within: string): StepInput {
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
    case 'acknowledged':
    case 'event': {
      const { kind, event, slot, times } = trigger
      return { await: { [kind]: event, order: slot, ...(times > 1 ? { times } : {}), within } }
    }
    case 'status':
      return { await: { status: trigger.status, order: trigger.slot, within } }
    default:
      return trigger satisfies never
  }
}

function actionStep(
  what: DecidedAction,
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
      return { trigger: { order: slot, move: moveOfAnswer(what.answer) } }
    case 'emit': {
      const { event, metadata } = what
      const force = type && isOrderEventType(event) && isForbiddenForProfile(event, type)
      return {
        emit: {
          order: slot,
          event,
          ...(metadata ? { metadata: metadata as never } : {}),
          ...(force ? { force } : {}),
        },
      }
    }
    case 'cancel-item': {
      const { kind: _kind, ...input } = what
      return { 'cancel-item': { order: slot, ...input } }
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

/** A precondition that holds as soon as the order exists. */
const isTrivial = (trigger: Precondition): boolean =>
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
      // Consecutive placements are merged.
      if (last?.create !== undefined && step.create !== undefined) {
        const place = steps.length - 1
        steps[place] = { create: [last.create, step.create].flat() }
        sources.set(place, [...(sources.get(place) ?? []), ...recordIds])
        return
      }
      if (recordIds.length > 0) sources.set(steps.length, recordIds)
      steps.push(step)
    },
    /** Adds a wait unless the same one was added before. */
    await(trigger: Precondition, within: string): void {
      const { at: _at, ...what } = trigger
      const key = JSON.stringify(what)
      if (awaitedSoFar.has(key) || isTrivial(trigger)) return
      awaitedSoFar.add(key)
      steps.push(awaitStep(trigger, within))
    },
  }
}

export function stepsOf(decisions: PartnerDecisions, options: StepOptions): DerivedSteps {
  const { timing, maxWaitMs: longestMs = maxWaitMs, maxGapMs = Infinity } = options
  const { resolutionMs } = decisions
  const speed = typeof timing === 'number' ? timing : 1
  const writer = createWriter()
  const types = new Map(decisions.orders.map(({ slot, type }) => [slot, type]))
  /** Time reached so far, in ms since the recording began. */
  let reachedMs = 0
  const withinOf = (at: number): string =>
    durationText(Math.min(longestMs, withinMsOf((at - reachedMs) / speed)))

  function write({ at, slot = '', what, after, recordIds }: PartnerDecision): void {
    const action = actionStep(what, slot, { type: types.get(slot), asks: options.asks })
    if (!action) return
    for (const trigger of after) {
      writer.await(trigger, withinOf(trigger.at))
      reachedMs = Math.max(reachedMs, trigger.at)
    }
    // Planned default actions are dropped at once, before they are due.
    if (what.kind !== 'omit') addDelay(at - reachedMs)
    writer.add(action, recordIds)
    if (what.kind !== 'omit') reachedMs = Math.max(reachedMs, at)
  }

  /** Shorter delays than the resolution of the recording are transmission. */
  function addDelay(ms: number): void {
    if (timing === 'asap' || ms < resolutionMs) return
    const pauseMs = Math.min(roundDelay(ms, resolutionMs) / speed, maxGapMs)
    writer.add({ advance: durationText(pauseMs) })
  }

  for (const decision of decisions.decisions) write(decision)
  for (const end of decisions.ends) {
    writer.await(end, withinOf(end.at))
    // End conditions are dated at the end of the recording.
    if (!decisions.orders.every(isOrderOver)) reachedMs = Math.max(reachedMs, end.at)
  }
  // Orders without an end keep the remaining time; otherwise the faults would end with the last action.
  if (!decisions.orders.every(isOrderOver))
    addDelay(Math.min(maxWaitMs * speed, decisions.endsAt - reachedMs))
  // With a subject, recovery waits for quiescence; without one this step does.
  if (decisions.subject === 'none') writer.add({ await: { quiet: true, within: '5m' } })
  return { steps: writer.steps, sources: writer.sources }
}
