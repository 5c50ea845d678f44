import { expect, test } from 'vitest'
import type { View } from '../../session-api/session-api.ts'
import { lookOf } from './query.ts'
import { initialModel, listHeight, type Model } from './model.ts'
import { drive } from '../../../test/support/dashboard/drive.ts'

const limits = (view: View): readonly number[] =>
  [view.journal, view.traffic, view.agenda, view.orders].flatMap((part) =>
    part ? [part.limit] : [],
  )

test('only panes on the screen are looked at, and no more of them than a few screenfuls', () => {
  const small = initialModel(80, 24)
  const { main, behind } = lookOf(small)
  expect(main.journal).toBeUndefined()
  expect(main.traffic).toEqual({ limit: listHeight(small, 'traffic'), filter: '!idle' })
  expect(behind).toBeUndefined()
  const large = lookOf(initialModel(200, 60)).main
  expect(large.journal).toBeDefined()
  expect(Math.max(...limits(large))).toBeLessThanOrEqual(3 * 60)
})

test('a list that stands still is looked at on both sides of its cursor', () => {
  const model: Model = {
    ...initialModel(80, 24),
    traffic: { follow: false, chosen: 500, top: 495, since: 600, toFirst: false },
  }
  const { main, behind } = lookOf(model)
  const limit = listHeight(model, 'traffic')
  expect(main.traffic).toEqual({ limit, before: 501, filter: '!idle' })
  expect(behind).toEqual({ traffic: { limit, after: 500, filter: '!idle' } })
})

test('however far one scrolls, a look stays bounded', async () => {
  const screen = await drive({ columns: 200, rows: 60 })
  for (let count = 0; count < 300; count++) await screen.face.createOrder({})
  await screen.look()
  await screen.press('3', 'G')
  const { main } = lookOf(screen.model())
  expect(main.orders?.offset).toBeGreaterThan(200)
  expect(Math.max(...limits(main))).toBeLessThanOrEqual(3 * 60)
})

test('the past, one order, a filter and an open exchange are asked for by name', () => {
  const model: Model = {
    ...initialModel(150, 45),
    at: 12,
    orderId: 'order-1',
    only: true,
    filter: { draft: 'status>=', valid: '503', problem: 'status>= needs a number', idle: false },
    overlay: { kind: 'detail', of: { kind: 'exchange', seq: 7 }, top: 0 },
  }
  expect(lookOf(model).main).toMatchObject({
    at: 12,
    orderId: 'order-1',
    exchange: 7,
    journal: { orderId: 'order-1' },
    traffic: { orderId: 'order-1', filter: '!idle 503' },
    agenda: { orderId: 'order-1' },
  })
})

test('idle polls are left out, unless somebody wants them or a filter speaks of polls', () => {
  const asked = (draft: string, idle = false): string | undefined =>
    lookOf({
      ...initialModel(80, 24),
      filter: { draft, valid: '', problem: undefined, idle },
    }).main.traffic?.filter
  expect(asked('')).toBe('!idle')
  expect(asked('confirm')).toBe('!idle confirm')
  expect(asked('', true)).toBeUndefined()
  expect(asked('confirm', true)).toBe('confirm')
  expect(asked('events:polling')).toBe('events:polling')
  expect(asked('idle ms>5')).toBe('idle ms>5')
})

test('tiny screens ask for little, and a single line for no list at all', () => {
  expect(limits(lookOf({ ...initialModel(20, 4), orderId: 'order-1' }).main)).toEqual([])
})
