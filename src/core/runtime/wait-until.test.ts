/** When a wait looks at a session, and when it ends: on virtual timers, with a condition that the test decides. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { untilConverged, type WaitLook, type WaitLimits, waitUntil } from './wait-until.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => vi.useRealTimers())

const missing: WaitLook = { because: ['it has not happened yet'] }

function waiting(limits: WaitLimits, { lookEveryMs }: { readonly lookEveryMs?: number } = {}) {
  const listeners = new Set<() => void>()
  const state = { looks: 0, found: missing, lookTakesMs: 0 }
  const ended = waitUntil(
    {
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    {
      ...(lookEveryMs === undefined ? {} : { lookEveryMs }),
      async look() {
        state.looks++
        if (state.lookTakesMs > 0)
          await new Promise((resolve) => setTimeout(resolve, state.lookTakesMs))
        return state.found
      },
    },
    limits,
  )
  return {
    state,
    ended,
    change: () => listeners.forEach((each) => each()),
    listeners: () => listeners.size,
  }
}

test('a session in which nothing changes is looked at twice: at the start, and when time is over', async () => {
  const wait = waiting({ timeoutMs: 300_000 })
  await vi.advanceTimersByTimeAsync(299_999)
  expect(wait.state.looks).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await wait.ended).toEqual({ end: 'timeout', observed: missing, waitedMs: 300_000 })
  expect(wait.state.looks).toBe(2)
  expect(wait.listeners()).toBe(0)
})

test('a change ends it, also one that comes during a look', async () => {
  const wait = waiting({ timeoutMs: 300_000 })
  await vi.advanceTimersByTimeAsync(100)
  wait.state.lookTakesMs = 5
  wait.change()
  await vi.advanceTimersByTimeAsync(1)
  expect(wait.state.looks).toBe(2)
  // The look that goes on has not observed it, and nothing else changes.
  wait.change()
  await vi.advanceTimersByTimeAsync(4)
  wait.state.found = { because: [] }
  await vi.advanceTimersByTimeAsync(30)
  expect(await wait.ended).toMatchObject({ end: 'met', waitedMs: 130 })
})

test('a busy session is looked at fifty times a second at most, a large one for a fifth of the time', async () => {
  const busy = waiting({ timeoutMs: 10_000 })
  const large = waiting({ timeoutMs: 10_000 })
  large.state.lookTakesMs = 100
  for (let ms = 0; ms < 10_000; ms += 5) {
    busy.change()
    large.change()
    await vi.advanceTimersByTimeAsync(5)
  }
  expect(busy.state.looks).toBeGreaterThan(300)
  expect(busy.state.looks).toBeLessThanOrEqual(501)
  expect(large.state.looks).toBeGreaterThan(15)
  expect(large.state.looks).toBeLessThanOrEqual(22)
  await vi.advanceTimersByTimeAsync(1000)
  expect((await busy.ended).end).toBe('timeout')
  expect((await large.ended).end).toBe('timeout')
})

test('what may come without a change is looked for at its interval', async () => {
  const wait = waiting({ timeoutMs: 10_000 }, { lookEveryMs: 250 })
  await vi.advanceTimersByTimeAsync(600)
  expect(wait.state.looks).toBe(3)
  wait.state.found = { because: [] }
  await vi.advanceTimersByTimeAsync(250)
  expect(await wait.ended).toMatchObject({ end: 'met' })
})

test('it ends at once when its client is gone, and when it cannot be met any more', async () => {
  const gone = new AbortController()
  const wait = waiting({ timeoutMs: 10_000, signal: gone.signal })
  await vi.advanceTimersByTimeAsync(100)
  gone.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect(await wait.ended).toMatchObject({ end: 'aborted', waitedMs: 100 })
  expect(wait.listeners()).toBe(0)
  const over = waiting({ timeoutMs: 10_000 })
  await vi.advanceTimersByTimeAsync(100)
  over.state.found = { ...missing, isOver: true }
  over.change()
  await vi.advanceTimersByTimeAsync(0)
  expect(await over.ended).toMatchObject({ end: 'over', waitedMs: 100 })
  const late = waiting({ timeoutMs: 10_000, signal: gone.signal })
  expect((await late.ended).end).toBe('aborted')
})

test('a store does not wait for the review that a customer is to write, and a CRM does', async () => {
  const becauseFor = async (role: string) => {
    const review = { kind: 'relation.review', orderId: 'o-1', text: 'a review of 3 at OA' }
    const agenda = [{ ...review, ...(role === 'crm' ? {} : { aside: true }) }]
    const orders = [{ orderId: 'o-1', status: 'CONCLUDED', since: 0 }]
    const info = { subject: { role }, protocol: { version: 'v1' } }
    const look = () => Promise.resolve({ agenda, orders, info, verdicts: [] } as never)
    return (await untilConverged({ look }).look()).because
  }
  expect(await becauseFor('software-service')).toEqual([])
  expect(await becauseFor('crm')).toEqual(['1 on the agenda: a review of 3 at OA first'])
})
