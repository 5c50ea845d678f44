/**
 * The reference Software Service in this process while an operator holds, steps, jumps and speeds up the session's clock,
 * starts the service anew and resets the session; the wall clock is simulated, so that minutes take no time.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compact } from '../../src/core/base/compact.ts'
import { machineClock, scaledClock } from '../../src/demo/clock.ts'
import type { DefectName } from '../../src/demo/defects.ts'
import { isFailedVerdict, type Verdict } from '../../src/core/rules/invariants/verdict.ts'
import type { OrderType } from '../../src/core/protocol/orders/order.ts'
import type { ClockMode } from '../../src/core/session-api/session-api.ts'
import { runWall, runWallUntil, simulateWall } from './clock-story.ts'
import { type HarnessOptions, type InProcessHarness, openHarness } from './in-process-harness.ts'

/** One thing that an operator does; times are those of the service. */
export type ClockMove =
  | { readonly kind: 'hold' | 'run' | 'virtual'; readonly ms: number }
  | { readonly kind: 'jump'; readonly ms: number }
  | { readonly kind: 'step'; readonly times: number }
  | { readonly kind: 'order'; readonly type: OrderType }
  | { readonly kind: 'restart' | 'reset' }

export interface ClockPlayOptions {
  /** The clock by which the service sleeps. */
  readonly sleeps: 'by-the-session' | 'by-the-wall'
  /** How fast the session and a service with a clock of its own go. */
  readonly speed?: number
  readonly channel?: 'polling' | 'webhook' | 'both'
  /** How the session begins. */
  readonly clock?: ClockMode
  readonly defects?: readonly DefectName[]
  readonly pace?: HarnessOptions['pace']
  readonly faults?: NonNullable<HarnessOptions['faults']>
  readonly processing?: string
  readonly moves: readonly ClockMove[]
}

export interface ClockPlay {
  /** What is red after which move, counted from 1, with its sentence; the last is the end. */
  readonly red: readonly string[]
  readonly verdicts: readonly Verdict[]
}

/** Between two keys of an operator. */
const betweenKeysMs = 300
const endMs = 150_000
const stepMs = 100
/** Hours pass in longer steps. */
const mostSteps = 5000
const modes = { hold: 'stepped', run: 'real', virtual: 'virtual' } as const

function redIn(verdicts: readonly Verdict[], after: number): readonly string[] {
  return verdicts
    .filter(isFailedVerdict)
    .map(({ id, findings }) => `after ${after}: ${id} ${findings[0]?.because}`)
}

export async function playClock(options: ClockPlayOptions): Promise<ClockPlay> {
  using _wall = simulateWall()
  const { sleeps, speed = 1, channel = 'polling', moves, clock = 'real', processing } = options
  const harness = await openHarness({
    ...compact({ channel, defects: options.defects, pace: options.pace, faults: options.faults }),
    memory: join(mkdtempSync(join(tmpdir(), 'sparring-clock-')), 'memory.ndjson'),
    ...(sleeps === 'by-the-wall' ? { serviceClock: scaledClock(machineClock, speed) } : {}),
    session: {
      clock,
      speed,
      counterparts: {
        'ordering-application': { channel, deliveries: false, ...compact({ processing }) },
      },
    },
  })
  const { session } = harness
  const pass = (ms: number) => runWall(ms / speed, Math.max(stepMs, ms / mostSteps) / speed)
  async function verdictsNow(): Promise<readonly Verdict[]> {
    const judged = session.judge()
    await runWallUntil(judged)
    return judged
  }
  const red: string[] = []
  for (const [index, move] of moves.entries()) {
    const { mode } = (await session.look({})).info.clock
    // A service that sleeps by the wall may be late on the virtual clock: an operator would not have it jump.
    if (sleeps === 'by-the-wall' && mode === 'virtual') await session.setClock({ mode: 'stepped' })
    await perform(move, harness, pass)
    red.push(...redIn(await verdictsNow(), index + 1))
  }
  await session.submit({ kind: 'fault.end' })
  await session.setClock({ mode: 'real' })
  await pass(endMs)
  const verdicts = await verdictsNow()
  red.push(...redIn(verdicts, moves.length + 1))
  const closed = harness[Symbol.asyncDispose]()
  await runWallUntil(closed)
  return { red, verdicts }
}

async function perform(
  move: ClockMove,
  { session, order, restartSubject }: InProcessHarness,
  pass: (ms: number) => Promise<void>,
): Promise<void> {
  switch (move.kind) {
    case 'hold':
    case 'run':
    case 'virtual':
      await session.setClock({ mode: modes[move.kind] })
      return pass(move.ms)
    case 'jump':
      await runWallUntil(session.advance(move.ms))
      return pass(betweenKeysMs)
    case 'step':
      for (let taken = 0; taken < move.times; taken++) {
        await runWallUntil(session.step())
        await pass(betweenKeysMs)
      }
      return
    case 'order':
      await order(move.type)
      return
    case 'restart':
      await runWallUntil(restartSubject())
      return pass(betweenKeysMs)
    case 'reset':
      await runWallUntil(session.reset())
      return pass(betweenKeysMs)
    default:
      return move satisfies never
  }
}
