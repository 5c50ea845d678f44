import { expect, test } from 'vitest'
import type { View } from '../../../core/session-api/session-api.ts'
import { sessionQueryOf } from './query.ts'
import { initialModel, listHeight, type Model } from './model.ts'
import { driveDashboard } from '../../../../test/support/dashboard/drive.ts'

const limits = (view: View): readonly number[] =>
  [view.journal, view.traffic, view.agenda, view.orders].flatMap((part) =>
    part ? [part.limit] : [],
  )

test('only visible panes are queried, for a few screenfuls at most', () => {
  const small = initialModel(80, 24)
  const { main, behind } = sessionQueryOf(small)
  expect(main.journal).toBeUndefined()
  expect(main.traffic).toEqual({ limit: 20, filter: '!idle' })
  expect(listHeight(small, 'traffic')).toBeLessThanOrEqual(20)
  expect(behind).toBeUndefined()
  const large = sessionQueryOf(initialModel(200, 60)).main
  expect(large.journal).toBeDefined()
  expect(Math.max(...limits(large))).toBeLessThanOrEqual(3 * 60)
})

test('terminals that differ by some rows ask for the same, so that their viewers share an answer', () => {
  const [first, ...others] = [41, 44, 47].map(
    (rows) => sessionQueryOf(initialModel(160, rows)).main,
  )
  for (const other of others) expect(other).toEqual(first)
})

test('a list that does not follow is queried on both sides of its cursor', () => {
  const model: Model = {
    ...initialModel(80, 24),
    traffic: { follow: false, chosen: 500, top: 495, since: 600, toFirst: false },
  }
  const { main, behind } = sessionQueryOf(model)
  const limit = 20
  expect(main.traffic).toEqual({ limit, before: 501, filter: '!idle' })
  expect(behind).toEqual({ traffic: { limit, after: 500, filter: '!idle' } })
})

test('the query stays bounded at any scroll position', async () => {
  const screen = await driveDashboard({ columns: 200, rows: 60 })
  for (let count = 0; count < 300; count++) await screen.session.createOrder({})
  await screen.refresh()
  await screen.press('3', 'G')
  const { main } = sessionQueryOf(screen.model())
  expect(main.orders?.offset).toBeGreaterThan(200)
  expect(Math.max(...limits(main))).toBeLessThanOrEqual(3 * 60)
})

test('time travel, narrowing, filter and open exchange are part of the query', () => {
  const model: Model = {
    ...initialModel(150, 45),
    at: 12,
    orderId: 'order-1',
    only: true,
    filter: { draft: 'status>=', valid: '503', problem: 'status>= needs a number', idle: false },
    overlay: { kind: 'detail', of: { kind: 'exchange', seq: 7 }, top: 0 },
  }
  expect(sessionQueryOf(model).main).toMatchObject({
    at: 12,
    orderId: 'order-1',
    exchange: 7,
    journal: { orderId: 'order-1' },
    traffic: { orderId: 'order-1', filter: '!idle 503' },
    agenda: { orderId: 'order-1' },
  })
})

test('idle polls are left out, unless switched on or mentioned in the filter', () => {
  const filterOf = (draft: string, idle = false): string | undefined =>
    sessionQueryOf({
      ...initialModel(80, 24),
      filter: { draft, valid: '', problem: undefined, idle },
    }).main.traffic?.filter
  expect(filterOf('')).toBe('!idle')
  expect(filterOf('confirm')).toBe('!idle confirm')
  expect(filterOf('', true)).toBeUndefined()
  expect(filterOf('confirm', true)).toBe('confirm')
  expect(filterOf('events:polling')).toBe('events:polling')
  expect(filterOf('idle ms>5')).toBe('idle ms>5')
})

test('tiny screens query few rows, and a single line queries no list', () => {
  expect(limits(sessionQueryOf({ ...initialModel(20, 4), orderId: 'order-1' }).main)).toEqual([])
})
