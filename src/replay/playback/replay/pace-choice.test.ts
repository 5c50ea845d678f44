/** Which failure is minimised: that of the recording, and none that shows at another pace alone. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import { recordedReport } from '../../../core/traffic/recording/replay-report.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { findSmallestPart, type SmallestPartOptions } from './minimise.ts'

function webhook(seq: number, orderId: string, status: number): RecordedExchange {
  const eventId = `e-${orderId}`
  return {
    ...sampleExchange(seq, {
      from: { role: 'ordering-application', party: 'sparring' },
      to: { role: 'software-service', party: 'subject' },
      operation: 'receiveOrderEvent',
      params: {},
      orderId,
      eventIds: [eventId],
      request: {
        method: 'POST',
        url: 'http://127.0.0.1:3000/webhooks/orders',
        headers: [],
        body: JSON.stringify({ eventId, eventType: 'CREATED', orderId }),
      },
      reply: { status, headers: [] },
    }),
    recordId: `r${seq}`,
  }
}

/** A service that fails with one order at the pace of the recording, and with another when it is played fast. */
function search(
  failsSlowly: string,
  failsFast: string,
  options: Partial<SmallestPartOptions> = {},
) {
  const exchanges = [1, 2, 3].map((n) => webhook(n, `o${n}`, `o${n}` === failsSlowly ? 500 : 204))
  const header = { _rec: { t0: '2026-01-01T00:00:00.000Z', parties: [] } } as never
  return findSmallestPart({
    content: { file: 'a', header, exchanges, problems: [], closed: true },
    seed: 1,
    maxReplays: 40,
    isOver: () => false,
    drives: new Set(exchanges.map(({ recordId }) => recordId)),
    replay({ content, asap }) {
      const fails = asap ? failsFast : failsSlowly
      const report = recordedReport(content)
      const live = report.exchanges.map((each) => {
        const status = each.recorded?.orderId === fails ? 500 : 204
        return { ...each, live: { ...each.recorded!, reply: { status, headers: [] } } }
      })
      return Promise.resolve({ ...report, exchanges: live })
    },
    ...options,
  })
}

test('the failure of the recording is found at its own pace, though another shows when it is played fast', async () => {
  const found = await search('o1', 'o3')
  expect(found.failure.text).toContain('of order o1 is answered 500')
  expect(found.part.asap).toBe(false)
  expect(found.content.exchanges.map(({ orderId }) => orderId)).toEqual(['o1'])
})

test('one that shows at any pace is played without pauses, and in its order', async () => {
  const found = await search('o1', 'o1')
  expect(found.part).toMatchObject({ asap: false, maxGapMs: 100 })
})

/** The longest pauses that are tried where a service fails with o2 at some of them, each once. */
async function pausesTried(isFailing: (maxGapMs: number | undefined, asap: boolean) => boolean) {
  const tried: (number | 'asap' | 'all')[] = []
  const found = await search('o2', 'o2', {
    replay({ content, asap, maxGapMs }) {
      tried.push(asap ? 'asap' : (maxGapMs ?? 'all'))
      const report = recordedReport(content)
      const status = isFailing(maxGapMs, asap) ? 500 : 204
      const live = report.exchanges.map((each) => ({
        ...each,
        live: {
          ...each.recorded!,
          reply: { status: each.recorded?.orderId === 'o2' ? status : 204, headers: [] },
        },
      }))
      return Promise.resolve({ ...report, exchanges: live })
    },
  })
  return { tried: [...new Set(tried)], part: found.part }
}

test('its own pace without the pauses of other orders comes first', async () => {
  const { tried, part } = await pausesTried((maxGapMs = Infinity) => maxGapMs >= 1000)
  expect(tried).toEqual([1000, 100])
  expect(part).toMatchObject({ asap: false, maxGapMs: 1000 })
})

test('one that needs the pauses of others is played with them', async () => {
  const { tried, part } = await pausesTried((maxGapMs, asap) => !asap && maxGapMs === undefined)
  expect(tried).toEqual([1000, 'asap', 'all', 100])
  expect(part.asap).toBe(false)
  expect(part.maxGapMs).toBeUndefined()
})

test('a failure that shows only when it is played fast is not chosen', async () => {
  await expect(search('none', 'o3')).rejects.toMatchObject({ exit: 5 })
})

test('it is chosen where that pace is asked for', async () => {
  const found = await search('none', 'o3', { paces: ['asap'] })
  expect(found.failure.text).toContain('of order o3 is answered 500')
})

test('of one that shows, another order of search leaves it out', async () => {
  await expect(search('o1', 'o3', { seeks: 'recorded', paces: ['asap'] })).rejects.toMatchObject({
    exit: 5,
  })
})
