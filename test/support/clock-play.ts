/**
 * The reference Software Service, or Sparring itself in a role that hosts, in this process while an operator holds, steps,
 * jumps and speeds up the session's clock, starts the service anew and resets the session; the wall clock is simulated, so
 * that minutes take no time.
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
import { runWall, runWallUntil, simulateWall, wallDelay } from './clock-story.ts'
import type { FetchHandler } from '../../src/core/session-api/session.ts'
import { startSessionService } from './session-service.ts'
import { prepareSession } from '../../src/core/session/session.ts'
import { type Role, roles } from '../../src/core/protocol/role.ts'
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
  /** Sparring plays this role in a second session, in place of the reference service. */
  readonly plays?: Role
  /** What each of its messages needs on the wall clock, if it sleeps by that. */
  readonly needsMs?: number
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

const relations = ['indoor', 'logistics', 'customer', 'reviews', 'loyalty'] as const

const hosts = {
  crm: { partner: 'ordering-application', has: ['customer', 'reviews', 'loyalty'] },
  'delivery-platform': { partner: 'software-service', has: ['logistics'] },
  'ordering-application': { partner: 'software-service', has: [] },
  'software-service': { partner: 'ordering-application', has: ['indoor'] },
} as const satisfies Record<Role, { partner: Role; has: readonly (typeof relations)[number][] }>

/** A session with the second one that plays the role; orders are placed where there is an Ordering Application. */
async function openHost(
  plays: Role,
  { sleeps, speed = 1, channel = 'polling', clock = 'real', faults, needsMs = 0 }: ClockPlayOptions,
): Promise<PlayedHarness> {
  const isByWall = sleeps === 'by-the-wall'
  const slowly =
    (fetch: FetchHandler): FetchHandler =>
    async (request) => {
      if (isByWall) await wallDelay(needsMs)
      return fetch(request)
    }
  const { partner, has } = hosts[plays]
  const offers = Object.fromEntries(
    relations.map((each) => [each, has.some((one) => one === each)]),
  )
  const session = await prepareSession({
    clock,
    speed,
    listen: false,
    automatic: false,
    seed: 1,
    capabilities: offers,
    subject: { role: plays, url: `http://${plays}.test` },
    handler: slowly((request) => service.fetch(request)),
    counterparts: {
      'ordering-application': { channel },
      'software-service': { deliveries: plays === 'delivery-platform' },
    },
    ...compact({ faults }),
  })
  const service = startSessionService(
    {
      plays,
      partner,
      others: roles.filter((each) => each !== plays && each !== partner),
      capabilities: offers,
      counterparts: { 'ordering-application': { channel }, crm: { mode: 'hybrid' } },
      ...(isByWall ? { speed } : {}),
    },
    { fetch: slowly(session.fetch), clock: session.clock },
  )
  await runWallUntil(Promise.all([session.begin(), session.loadFaults(), service.session]))
  return {
    session,
    async order(type) {
      const of = plays === 'ordering-application' ? await service.session : session
      await of.createOrder({ type: plays === 'software-service' ? 'INDOOR' : type })
    },
    // What it knows is in its memory alone.
    restartSubject: () => session.reset(),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await session.close()
    },
  }
}

/** What is needed of a harness. */
type PlayedHarness = AsyncDisposable &
  Pick<InProcessHarness, 'session' | 'restartSubject'> & {
    readonly order: (type: OrderType) => Promise<unknown>
  }

function openReference(options: ClockPlayOptions): Promise<PlayedHarness> {
  const { sleeps, speed = 1, channel = 'polling', clock = 'real', processing } = options
  return openHarness({
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
}

export async function playClock(options: ClockPlayOptions): Promise<ClockPlay> {
  using _wall = simulateWall()
  const { sleeps, speed = 1, moves, plays } = options
  const harness = await (plays ? openHost(plays, options) : openReference(options))
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
  { session, order, restartSubject }: PlayedHarness,
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
