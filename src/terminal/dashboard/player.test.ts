/** A recording on the screen: every pane shows the exchange that is looked at, and idle polls are hidden. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { driveDashboardOn } from '../../../test/support/dashboard/drive.ts'
import { openPlayer, recordingContentOf } from '../../../test/support/dashboard/recording.ts'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import { timelineOfContent } from '../../replay/playback/player/timeline.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'

const poll = (events: readonly unknown[], empty = 204): Partial<Exchange> => ({
  operation: 'pollingEvents',
  reply:
    events.length === 0
      ? { status: empty, headers: [], body: empty === 200 ? '[]' : '' }
      : { status: 200, headers: [], body: JSON.stringify(events) },
})

const event = (orderId: string, eventType: string): unknown => ({
  eventId: `${orderId}-${eventType}`,
  eventType,
  orderId,
})

const confirm = (orderId: string, status = 202): Partial<Exchange> => ({
  operation: 'confirmOrder',
  orderId,
  params: { orderId },
  reply: { status, headers: [], body: '' },
})

/** Two orders among idle polls; the second one is confirmed in vain. */
const stories: readonly Partial<Exchange>[] = [
  poll([]),
  poll([event('order-a', 'CREATED')]),
  { orderId: 'order-a', params: { orderId: 'order-a' } },
  poll([], 200),
  confirm('order-a'),
  poll([event('order-a', 'CONFIRMED'), event('order-b', 'CREATED')]),
  poll([]),
  poll([]),
  { orderId: 'order-b', params: { orderId: 'order-b' } },
  confirm('order-b', 409),
  poll([]),
  poll([event('order-b', 'CANCELLED')]),
  poll([]),
]

const content = {
  ...recordingContentOf(0),
  exchanges: stories.map((change, index) => {
    const { orderId: _orderId, params: _params, ...base } = sampleExchange(index + 1)
    return { ...base, ...change, recordId: `record-${index + 1}` }
  }),
}

async function browse(columns: number, rows: number, target?: string) {
  const opened = await openPlayer(timelineOfContent(content), target)
  const screen = await driveDashboardOn(opened.face, { columns, rows })
  return { screen, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}

describe.each([
  [80, 24],
  [120, 40],
  [200, 60],
])('at %i x %i', (columns, rows) => {
  test('} moves every pane to the next failure: position, order, its exchanges and what is next', async () => {
    await using opened = await browse(columns, rows)
    const { screen } = opened
    await screen.press('}')
    expect(screen.lines()[1]).toMatch(/^ 9\/13/)
    expect(screen.line('▸')).toContain('#10')
    expect(screen.line('4 Order')).toContain('order-b')
    expect(screen.text()).not.toMatch(/No order|no exchange/i)
    expect(screen.line('5 Agenda')).toContain('4 pending')
    await screen.press('3')
    expect(screen.line('>order-b')).toContain('CREATED')
    expect(screen.line(' order-a')).toContain('CONFIRMED')
  })

  test('idle polls are hidden; b shows them, and , and . step over hidden ones', async () => {
    await using opened = await browse(columns, rows)
    const { screen } = opened
    const shown = (): readonly number[] =>
      (screen.model().snapshot?.playback?.rows ?? []).map(({ seq }) => seq)
    expect(shown()).toEqual([2, 3, 5, 6, 9, 10, 12])
    expect(screen.line('2 Recording')).toContain('no idle polls')
    await screen.press('.', '.')
    expect(screen.line('▸')).toContain('#5')
    await screen.press('b')
    expect(shown()).toEqual(stories.map((_, index) => index + 1))
    await screen.press(',')
    expect(screen.line('▸')).toContain('#4')
  })
})

test('the status of an order is the one at the exchange that is looked at', async () => {
  await using opened = await browse(120, 40)
  const { screen } = opened
  const statusOf = (orderId: string): string | undefined =>
    screen.model().snapshot?.playback?.orders.find((each) => each.orderId === orderId)?.status
  await screen.press('j', 'j')
  expect([statusOf('order-a'), statusOf('order-b')]).toEqual(['CREATED', undefined])
  await screen.press('G')
  expect([statusOf('order-a'), statusOf('order-b')]).toEqual(['CONFIRMED', 'CANCELLED'])
})

test('} stops at what the verdicts of the session have found, and a bookmark says what that is', async () => {
  const finding = { because: 'Confirmed unread.', evidence: [5] }
  const verdict = (outcome: string, ...findings: readonly object[]) => ({
    id: 'SE-7',
    outcome,
    findings,
  })
  const opened = await openPlayer(
    timelineOfContent({
      ...content,
      end: {
        faults: [],
        orders: [],
        verdicts: [
          verdict('failed', finding, { because: 'Advised.', evidence: [2], advice: true }),
          { ...verdict('passed', { because: 'Kept.', evidence: [3] }), id: 'SE-1' },
        ],
      } as never,
    }),
  )
  onTestFinished(() => opened[Symbol.asyncDispose]())
  const screen = await driveDashboardOn(opened.face, { columns: 120, rows: 40 })
  await screen.press('}')
  expect(screen.line('▸')).toMatch(/▸\*.*#5/)
  expect(screen.model().snapshot?.playback?.marks).toEqual([
    { place: 4, text: 'SE-7: Confirmed unread.' },
  ])
  await screen.press('}')
  expect(screen.line('▸')).toContain('#10')
})

test('keys act on the row that has the cursor, where the filter hides the place that is looked at', async () => {
  await using opened = await browse(120, 40)
  const { screen } = opened
  await screen.press('/')
  await screen.type('confirmOrder')
  await screen.press('enter')
  expect(screen.line('>▸')).toContain('#5')
  await screen.press('enter')
  expect(screen.text()).toContain('#5')
  expect(screen.text()).not.toContain('#1 ')
  await screen.press('esc', 'G', 'enter')
  expect(screen.text()).toContain('#10')
})

test('an order that was chosen in pane 3 stays, until another exchange is looked at', async () => {
  await using opened = await browse(120, 40)
  const { screen } = opened
  await screen.press('}', '3', 'j')
  expect(screen.line('4 Order')).toContain('order-a')
  await screen.refresh()
  expect(screen.line('4 Order')).toContain('order-a')
  await screen.press('2', 'k')
  expect(screen.line('4 Order')).toContain('order-b')
})

test('with a target a key moves only the view: what is looked at has its order in panes 3 and 4', async () => {
  await using opened = await browse(120, 40, 'http://127.0.0.1:3000')
  const { screen } = opened
  await screen.press('G')
  expect(screen.lines()[0]).toContain('PAUSED')
  expect(screen.lines()[1]).toMatch(/^ 0\/13/)
  await screen.press('k', 'k')
  expect(screen.line('4 Order')).toContain('order-b')
  expect(screen.line('>order-b')).not.toBe('')
})
