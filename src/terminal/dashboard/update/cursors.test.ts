/** The cursor of every pane is visible after any sequence of keys, sizes and news. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createFakeSession,
  type FakeSession,
} from '../../../../test/support/dashboard/fake-session.ts'
import { plainAppearance } from '../../../../test/support/dashboard/drive.ts'
import { visiblePanes, paneIds } from '../model/layout.ts'
import type { Message, Motion } from '../model/message.ts'
import { focusOf, initialModel, type Model } from '../model/model.ts'
import { querySession } from '../model/query.ts'
import { panesById } from '../view/panes/catalogue.ts'
import { plainText, type Row } from '../view/text/row.ts'
import { updateModel } from './update.ts'

const motion: fc.Arbitrary<Motion> = fc.oneof(
  fc.record({ kind: fc.constant('rows' as const), by: fc.integer({ min: -30, max: 30 }) }),
  fc.record({ kind: fc.constant('halves' as const), by: fc.constantFrom(1, -1) }),
  fc.record({ kind: fc.constantFrom('first' as const, 'last' as const) }),
)

const sizes = [
  [80, 24],
  [120, 40],
  [200, 60],
  [62, 17],
  [150, 22],
  [50, 12],
] as const

const message: fc.Arbitrary<Message> = fc.oneof(
  { weight: 6, arbitrary: motion.map((each): Message => ({ kind: 'moved', motion: each })) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(...paneIds).map((pane): Message => ({ kind: 'focused', pane })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...sizes)
      .map(([columns, rows]): Message => ({ kind: 'resized', columns, rows })),
  },
  fc.constantFrom<Message>(
    { kind: 'followed' },
    { kind: 'narrowed' },
    { kind: 'pinned' },
    { kind: 'pin-visited', by: 1 },
    { kind: 'marked' },
    { kind: 'peeled' },
    { kind: 'idled' },
    { kind: 'background' },
    { kind: 'jumped', seq: 3 },
  ),
)

/** What happens: keys, a new order made by one, and what the session does of its own accord. */
type Happening =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'made' }
  | { readonly kind: 'orders'; readonly count: number }
  | { readonly kind: 'passed'; readonly ms: number }

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 6, arbitrary: message.map((each): Happening => ({ kind: 'message', message: each })) },
  fc.constant<Happening>({ kind: 'made' }),
  fc.integer({ min: 1, max: 12 }).map((count): Happening => ({ kind: 'orders', count })),
  fc.integer({ min: 100, max: 9000 }).map((ms): Happening => ({ kind: 'passed', ms })),
)

const rowsOf = (model: Model): ReadonlyMap<string, readonly Row[]> =>
  new Map(
    visiblePanes(model.layout).map(({ id, rect }) => {
      const rows = panesById[id].rows({ model, rect, glyphs: plainAppearance.glyphs })
      return [id, rows.slice(0, rect.height)]
    }),
  )

async function after(session: FakeSession, model: Model, what: Happening): Promise<Model> {
  switch (what.kind) {
    case 'message':
      return updateModel(model, what.message)
    case 'made': {
      const made = await session.createOrder({})
      if (!made.ok) throw new Error(made.error.message)
      return updateModel(model, { kind: 'chosen', orderId: made.value.orderId })
    }
    case 'orders':
      for (let count = 0; count < what.count; count++) await session.createOrder({})
      return model
    case 'passed':
      session.pass(what.ms)
      return model
    default:
      return what satisfies never
  }
}

async function snapshot(session: FakeSession, model: Model): Promise<Model> {
  let next = model
  for (let round = 0; round < 2; round++)
    next = updateModel(next, { kind: 'snapshot', snapshot: await querySession(session, next) })
  return next
}

/** Whether an empty list shows only what it waits for. */
const isHint = (rows: readonly Row[]): boolean =>
  rows.slice(1).every(({ spans }) => spans.every(({ tone }) => tone === 'muted'))

/** The panes whose cursor is not visible, as they are drawn. */
function panesWithoutCursor(model: Model): readonly string[] {
  const focus = focusOf(model)
  return [...rowsOf(model)].flatMap(([id, rows]) => {
    const hasCursor = id === 'orders' || (id === focus && id !== 'order')
    if (!hasCursor || isHint(rows) || rows.some(({ chosen }) => chosen !== undefined)) return []
    return [rows.map(plainText).join('\n')]
  })
}

test('the cursor is visible in the orders, and in the list that has the focus, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 25 }), async (happenings) => {
      const session = createFakeSession()
      for (let count = 0; count < 30; count++) await session.createOrder({})
      let model = await snapshot(session, initialModel(80, 24))
      for (const what of happenings) {
        model = await snapshot(session, await after(session, model, what))
        expect(panesWithoutCursor(model)).toEqual([])
      }
    }),
    { numRuns: 40 },
  )
})

test('after N the new order has the cursor in the orders and in the agenda, and the past follows it', async () => {
  const session = createFakeSession({ mode: 'stepped' })
  for (let count = 0; count < 40; count++) await session.createOrder({})
  let model = await snapshot(session, initialModel(120, 40))
  for (const pane of ['orders', 'agenda', 'traffic'] as const)
    for (const each of [
      { kind: 'focused', pane },
      { kind: 'moved', motion: { kind: 'rows', by: 12 } },
    ] as const)
      model = await snapshot(session, updateModel(model, each))
  model = await snapshot(session, await after(session, model, { kind: 'made' }))
  expect(model.orderId).toMatch(/^00000029/)
  const panes = rowsOf(model)
  expect(plainText(panes.get('orders')!.find(({ chosen }) => chosen)!)).toMatch(/^>1041/)
  expect(
    plainText(
      rowsOf(updateModel(model, { kind: 'focused', pane: 'agenda' }))
        .get('agenda')!
        .find(({ chosen }) => chosen)!,
    ),
  ).toContain('00000029')
  expect([model.facts.follow, model.traffic.follow]).toEqual([true, true])
})

test('an order that is opened while the last row is still loading stays the chosen one', async () => {
  const session = createFakeSession({ mode: 'stepped' })
  for (let count = 0; count < 400; count++) await session.createOrder({})
  let model = await snapshot(session, initialModel(120, 40))
  const messages = [
    { kind: 'focused', pane: 'orders' },
    { kind: 'moved', motion: { kind: 'last' } },
    { kind: 'opened' },
  ] as const
  for (const each of messages) model = updateModel(model, each)
  const opened = model.orderId
  for (let snapshots = 0; snapshots < 3; snapshots++) model = await snapshot(session, model)
  expect(model.overlay).toEqual({ kind: 'detail', of: { kind: 'order', orderId: opened }, top: 0 })
  expect([model.orderId, model.snapshot?.order?.row.orderId]).toEqual([opened, opened])
})
