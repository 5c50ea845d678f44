/**
 * One story on any clock: an order whose CONFIRMED comes late, and one that the consumer cancels. Either all in this
 * process with a simulated wall clock, so that a real clock takes no time and every call a few milliseconds of it; or
 * over sockets in real time.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { vi } from 'vitest'
import { machineClock, scaledClock } from '../../src/demo/clock.ts'
import { serve } from '../../src/demo/listen.ts'
import { createSoftwareService, type SoftwareService } from '../../src/demo/software-service.ts'
import { readRecording } from '../../src/core/runtime/recording/read-recording.ts'
import type { OrderType } from '../../src/core/protocol/orders/order.ts'
import type { ClockMode } from '../../src/core/session-api/session-api.ts'
import type { Session } from '../../src/core/session-api/session.ts'
import { openSession } from '../../src/core/session/open-session.ts'
import type { SessionOptions } from '../../src/core/session/options.ts'
import type { RecordingContent } from '../../src/core/traffic/recording/content.ts'
import { openHarness } from './in-process-harness.ts'

export interface ClockStoryOptions {
  readonly file: string
  readonly clock: ClockMode
  readonly speed?: number
  readonly channel: 'polling' | 'webhook'
}

/** When every story begins: at the default origin of the virtual clock, so that all dates are the same. */
const begin = '2026-01-05T15:00:00Z'

/** Mean time of one step of an order, in ms. */
export const storyThinkMs = 6000

/** Duration of a call of the session on the wall clock, in ms. */
export const storyCallMs = 3

/** What happens while time passes by `pass`, in ms of session time. */
export type ClockStory = (session: Session, pass: (ms: number) => Promise<void>) => Promise<void>

export async function orderOf(session: Session, type: OrderType): Promise<string> {
  const made = await session.createOrder({ type })
  if (!made.ok) throw new Error(made.error.message)
  return made.value.orderId
}

/** Cancels an order some time after it was confirmed, in session time. */
function cancelAfterConfirmed(session: Session, orderId: string, afterMs: number): void {
  const command = { kind: 'order.apply', orderId, trigger: 'cancel' } as const
  const unsubscribe = session.subscribe(() => {
    const isConfirmed = session
      .facts()
      .some(
        ({ fact }) =>
          fact.kind === 'order.moved' && fact.orderId === orderId && fact.to === 'CONFIRMED',
      )
    if (!isConfirmed) return
    unsubscribe()
    queueMicrotask(() => void session.submit({ kind: 'agenda.plan', command, afterMs }))
  })
}

const clockStory: ClockStory = async (session, pass) => {
  await pass(2000)
  await orderOf(session, 'TAKEOUT')
  await pass(3000)
  cancelAfterConfirmed(session, await orderOf(session, 'DELIVERY'), 1500)
  await pass(60_000)
}

const sessionOptions = ({ file, clock, speed = 1, channel }: ClockStoryOptions) =>
  ({
    seed: 7,
    clock,
    speed,
    recording: { file, redact: false, unsafe: true },
    faults: [{ delay: { event: 'CONFIRMED', order: 'o1', by: '4s' } }],
    counterparts: { 'ordering-application': { channel, deliveries: false, concludeAfter: '5s' } },
  }) as const satisfies SessionOptions

/** Event loop turns in which everything that does not wait for time comes to its end. */
const turns = 12
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Lets the simulated wall clock run until this has settled. */
export async function runWallUntil(end: PromiseLike<unknown>): Promise<void> {
  let isOver = false
  const over = (): void => void (isOver = true)
  void end.then(over, over)
  while (!isOver) {
    for (let count = 0; count < turns; count++) await turn()
    if (!isOver) await vi.advanceTimersToNextTimerAsync()
  }
}

/** Lets the simulated wall clock run for so long, in steps of at most `stepMs` between which all that waits for no time happens. */
export async function runWall(ms: number, stepMs: number): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) {
    vi.advanceTimersByTime(Math.min(left, stepMs))
    for (let count = 0; count < turns; count++) await turn()
  }
}

export const wallDelay = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms))

/** Simulates the wall clock until it is disposed. */
export function simulateWall(): Disposable {
  const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const
  vi.useFakeTimers({ toFake: [...timers, 'Date'], now: Date.parse(begin) })
  // No spy: it would keep each of a million calls.
  performance.now = () => Date.now() - performance.timeOrigin
  return {
    [Symbol.dispose]() {
      // The method of its class stands again.
      Reflect.deleteProperty(performance, 'now')
      vi.useRealTimers()
    },
  }
}

async function contentOf(file: string): Promise<RecordingContent> {
  const read = await readRecording(file)
  if (!read.ok) throw new Error(read.error)
  return read.value
}

/** Records a story in this process, with a simulated wall clock. */
export async function recordClockStory(
  options: ClockStoryOptions,
  story: ClockStory = clockStory,
): Promise<RecordingContent> {
  const { file, clock, speed = 1, channel } = options
  {
    using _wall = simulateWall()
    let service: SoftwareService | undefined
    let mode: () => Promise<ClockMode> = () => Promise.resolve(clock)
    const harness = await openHarness({
      channel,
      pace: { thinkMs: storyThinkMs },
      session: {
        ...sessionOptions(options),
        async handler(request) {
          const response = await service?.fetch(request)
          // On the other clocks the session waits for its calls, and no time passes.
          if ((await mode()) === 'real') await wallDelay(storyCallMs)
          return response ?? new Response(null, { status: 503 })
        },
      },
    })
    const { session } = harness
    service = harness.service
    mode = async () => (await session.look({})).info.clock.mode
    await story(session, (ms) =>
      clock === 'real' ? runWallUntil(wallDelay(ms / speed)) : session.advance(ms),
    )
    const closed = harness[Symbol.asyncDispose]()
    await runWallUntil(closed)
    await closed
  }
  return contentOf(file)
}

/** Serves the service of the story for a session over sockets, so many times as fast as the wall clock. */
export async function serveStoryService(
  speed: number,
  channel: ClockStoryOptions['channel'],
  partner: () => string,
) {
  let service: SoftwareService | undefined
  const server = await serve(
    (request) => service?.fetch(request) ?? Promise.resolve(new Response(null, { status: 503 })),
    0,
  )
  const url = `http://127.0.0.1:${server.port}`
  return {
    url,
    start() {
      service = createSoftwareService({
        partner: partner(),
        base: url,
        channel,
        clock: scaledClock(machineClock, speed),
        pace: { thinkMs: storyThinkMs },
      })
      service.start()
    },
    async [Symbol.asyncDispose]() {
      await service?.stop()
      await server.close()
    },
  }
}

/** Records the story over sockets in real time, on the real clock. */
export async function recordClockStoryLive(options: ClockStoryOptions): Promise<RecordingContent> {
  const { file, speed = 1, channel } = options
  {
    let partner = ''
    await using service = await serveStoryService(speed, channel, () => partner)
    await using session = await openSession({
      ...sessionOptions(options),
      origin: begin,
      port: 0,
      as: 'software-service',
      subject: { url: service.url, webhooks: { orders: '/webhooks/orders' } },
      capabilities: {
        indoor: false,
        customer: false,
        reviews: false,
        loyalty: false,
        logistics: false,
      },
    })
    partner = session.urls.get('ordering-application') ?? ''
    service.start()
    const now = async (): Promise<number> => (await session.look({})).info.clock.now
    let reached = await now()
    await clockStory(session, async (ms) => {
      reached += ms
      for (let left = reached - (await now()); left > 0; left = reached - (await now()))
        await sleep(left / speed)
    })
  }
  return contentOf(file)
}
