/** The drawing functions: views of orders, places, rows and arrows, from committed recordings and made-up traffic. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sampleExchange, sampleT0 } from '../../../../test/support/sample-exchange.ts'
import { wellFormedElements } from '../../../../test/support/well-formed-xml.ts'
import { readRecording } from '../../../core/runtime/recording/read-recording.ts'
import { foldPolls, idlePollsText } from './fold-polls.ts'
import { orderViewsOf, type OrderViewPair } from './order-views.ts'
import type { ReportedExchange, SessionReport } from './report-content.ts'
import { selectExchanges } from './select-exchanges.ts'
import { sequenceDiagram, sequenceRows } from './sequence-diagram.ts'
import { placesOfInstants, timelineDiagram } from './order-sections.ts'

async function recorded(name: string): Promise<readonly ReportedExchange[]> {
  const file = fileURLToPath(new URL(`../../../../recordings/${name}.rec.ndjson`, import.meta.url))
  const read = await readRecording(file)
  if (!read.ok) throw new Error(read.error)
  return read.value.exchanges
}

const viewsOf = (exchanges: readonly ReportedExchange[], index = 0): OrderViewPair => {
  const views = [...orderViewsOf(exchanges).values()][index]
  if (!views) throw new Error('there is no order')
  return views
}

const statuses = (steps: OrderViewPair['host']): readonly string[] =>
  steps.map(({ status }) => status)

const svgOf = (html: string): string => /<svg[^]*<\/svg>/.exec(html)?.[0] ?? ''

const polled = (seq: number, change: Partial<ReportedExchange> = {}): ReportedExchange =>
  sampleExchange(seq, {
    operation: 'pollingEvents',
    reply: { status: 204, headers: [] },
    request: { method: 'GET', url: 'http://127.0.0.1:7101/v2/events:polling', headers: [] },
    ...change,
  })

const single = (exchanges: readonly ReportedExchange[]) => foldPolls(exchanges, () => false)

test('an event that another one overtook is late, and its status was known by a read before', async () => {
  const { events, host, known } = viewsOf(await recorded('out-of-order'))
  expect(events.filter(({ isLate }) => isLate).map(({ eventType }) => eventType)).toEqual([
    'CONFIRMED',
  ])
  const late = events.find(({ isLate }) => isLate)
  expect(late?.createdAt).toBeLessThan(late?.at ?? 0)
  expect(statuses(host)).toEqual(['CREATED', 'CONFIRMED', 'PREPARING', 'READY', 'DELIVERED'])
  expect(statuses(known)).toEqual(statuses(host))
  for (const [index, { at }] of known.entries()) expect(at).toBeGreaterThan(host[index]?.at ?? 0)
})

test('a status without an event is drawn as one that no event announced', async () => {
  const views = viewsOf(await recorded('lost-cancelled'))
  expect(statuses(views.host)).toContain('CANCELLED')
  expect(views.events.map(({ status }) => status)).not.toContain('CANCELLED')
  const drawn = timelineDiagram(views, { host: 'A', other: 'B' }, () => undefined)
  expect(drawn).toContain('CANCELLED, no event came')
  expect(drawn).not.toContain('CONCLUDED, no event came')
  const call = views.calls.find(({ isFailed }) => isFailed)
  expect(call).toMatchObject({ name: 'setOrderReadyForPickup', end: '409' })
})

test('an event that comes again is counted, and drawn where it came again', async () => {
  const exchanges = await recorded('duplicate-created')
  const again = [...orderViewsOf(exchanges).values()]
    .flatMap(({ events }) => events)
    .filter(({ time }) => time > 1)
  expect(again).toMatchObject([{ eventType: 'CREATED', time: 2 }])
})

test('a webhook that did not arrive is lost', () => {
  const lost = sampleExchange(1, {
    from: { role: 'ordering-application', party: 'sparring' },
    to: { role: 'software-service', party: 'subject' },
    operation: 'receiveOrderEvent',
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:3000/events',
      headers: [],
      body: JSON.stringify({ eventId: 'e-1', eventType: 'CREATED', orderId: 'order-1' }),
    },
    failure: { code: 'ECONNREFUSED', message: 'nothing listens' },
  })
  const { reply: _reply, ...unanswered } = lost
  const views = viewsOf([unanswered])
  expect(views.events).toMatchObject([{ eventType: 'CREATED', isLost: true, exchange: 1 }])
  expect(views.host).toEqual([])
  expect(timelineDiagram(views, { host: 'A', other: 'B' }, () => 'x1')).toContain('(lost)')
})

test('places grow with time: later is lower, a longer gap is wider, and none is wider than the limit', () => {
  const places = placesOfInstants([0, 10, 20, 5020, 90_005_020, 20])
  const ys = [...places.values()]
  const gaps = ys.slice(1).map((y, index) => y - (ys[index] ?? 0))
  expect(ys).toHaveLength(5)
  expect(gaps).toEqual(gaps.toSorted((one, other) => one - other))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(14)
  expect(Math.max(...gaps)).toBeLessThanOrEqual(64)
})

test('both diagrams are well-formed, with a link for each exchange that is on the page', async () => {
  const exchanges = await recorded('out-of-order')
  const hrefOf = (seq: number): string | undefined => (seq % 2 === 0 ? `x${seq}` : undefined)
  const timeline = timelineDiagram(viewsOf(exchanges), { host: 'A & B', other: '<C>' }, hrefOf)
  const sequence = sequenceDiagram(single(exchanges), { hrefOf, about: 'a "sequence"' })
  for (const html of [timeline, sequence]) {
    // The checker knows tags and attributes in lower case only, and no numbers in them.
    const svg = svgOf(html).replaceAll(
      / (?:viewBox|aria-label|text-anchor|marker-end|data-of|x1|x2|y1|y2)="[^"<]*"/g,
      '',
    )
    expect(wellFormedElements(svg)).toContain('line')
    const links = [...html.matchAll(/href="#x(\d+)"/g)].map(([, seq]) => Number(seq))
    expect(links.length).toBeGreaterThan(3)
    expect(links.filter((seq) => seq % 2 === 1)).toEqual([])
  }
  expect(timeline).toContain('&lt;C&gt;')
})

test('a reply has a row of its own where something else happens before it', () => {
  const slow = sampleExchange(1, { startedAt: sampleT0, tookMs: 5000 })
  const quick = sampleExchange(2, { startedAt: sampleT0 + 100, tookMs: 10 })
  const rows = sequenceRows(single([slow, quick]))
  expect(rows.map(({ folded, part }) => [folded.exchange.seq, part])).toEqual([
    [1, 'call'],
    [2, 'whole'],
    [1, 'reply'],
  ])
  const drawn = sequenceDiagram(single([slow, quick]), { hrefOf: () => undefined, about: '' })
  expect(drawn).toContain('>#1 200, 5.0 s<')
  expect(drawn).toContain('class="arrow odd"')
})

test('idle polls are folded, but for one that a fault spoilt, and one that is named', () => {
  const polls = [1, 2, 3, 4, 5, 6].map((seq) =>
    polled(seq, seq === 3 ? { fault: 'late on poll' } : {}),
  )
  const rows = foldPolls(polls, ({ seq }) => seq === 6)
  expect(rows.map(({ exchange, times }) => [exchange.seq, times])).toEqual([
    [1, 2],
    [3, 1],
    [4, 2],
    [6, 1],
  ])
  expect(rows[0] && idlePollsText(rows[0])).toBe('#1–#2 pollingEvents, 2 idle polls')
  const repeated = { ...polled(1), repeated: { times: 40 } }
  const [row] = foldPolls([repeated, polled(2)], () => false)
  expect(row).toMatchObject({ times: 41, last: { seq: 2 } })
})

const bareReport = (exchanges: readonly ReportedExchange[]): SessionReport => ({
  facts: [],
  exchanges,
  orders: [],
  faults: [],
  verdicts: undefined,
  failures: [{ text: 'named', count: 1, exchanges: [90] }],
  amount: { all: exchanges.length, chosen: exchanges.length, remedies: [] },
})

test('of too many exchanges those stay that are named or failed, then those of the same order', () => {
  const exchanges = Array.from({ length: 100 }, (_, index) => {
    const seq = index + 1
    const orderId = `order-${seq % 10}`
    return sampleExchange(seq, {
      orderId,
      ...(seq === 55 ? { reply: { status: 503, headers: [] } } : {}),
    })
  })
  const report = bareReport(exchanges)
  const { rows, leftOut } = selectExchanges(report, orderViewsOf(exchanges), 14)
  const seqs = rows.map(({ exchange }) => exchange.seq)
  expect(leftOut).toBe(86)
  expect(seqs).toEqual(seqs.toSorted((one, other) => one - other))
  expect(seqs).toEqual(expect.arrayContaining([55, 90]))
  expect(new Set(seqs.map((seq) => seq % 10))).toEqual(new Set([0, 5]))
  expect(selectExchanges(report, orderViewsOf(exchanges), 100).leftOut).toBe(0)
})
