/** Manual actions are saved as a scenario, which reproduces the journal fact for fact, without idle time at its end. */
import { expect, test } from 'vitest'
import { parseYamlText } from '../runtime/files/source-location.ts'
import { checkSchema } from '../runtime/files/schema-errors.ts'
import { itemIdsOf } from '../session-api/order-lines.ts'
import type { AgendaRow } from '../session-api/session-api.ts'
import { configurationOf } from './options.ts'
import { playRun } from './play.ts'
import { readRuns } from './read.ts'
import { savedScenarioText } from './save.ts'
import type { Session } from '../session-api/session.ts'
import type { SessionOptions } from '../session/options.ts'
import { openSession } from '../session/open-session.ts'

const rows = async (session: Session): Promise<readonly AgendaRow[]> =>
  (await session.look({ agenda: { limit: 100 } })).agenda

/** The item with this text; throws when there is none. */
async function item(session: Session, text: string, nth = 1): Promise<number> {
  const found = (await rows(session)).filter((row) => row.text === text)[nth - 1]
  if (!found)
    throw new Error(`no ${text} among ${(await rows(session)).map((row) => row.text).join(', ')}`)
  return found.id
}

async function steps(session: Session, until: string): Promise<void> {
  for (let taken = 0; taken < 300; taken++) {
    if ((await rows(session)).some((row) => row.text === until)) return
    await session.step()
  }
  throw new Error(`${until} never came`)
}

async function ok(done: Promise<{ readonly ok: boolean }>): Promise<void> {
  expect(await done).toMatchObject({ ok: true })
}

const facts = (session: Session): string =>
  session
    .facts()
    .map((each) => JSON.stringify(each))
    .join('\n')

/** Plays a scenario as `sparring run` does without a subject; returns the journal. */
async function replayed(text: string): Promise<{ journal: string; because: readonly string[] }> {
  const { value } = parseYamlText(text)
  const runs = readRuns(value, checkSchema)
  if (!runs.ok) throw new Error(JSON.stringify(runs.error))
  const [run] = runs.value
  if (!run) throw new Error('there is no run')
  const { subject: _nobody, ...options } = configurationOf(run, {})
  await using session = await openSession({ ...options, clock: 'stepped', listen: false })
  const outcome = await playRun(run, session, { sleep: () => Promise.resolve() })
  return { journal: facts(session), because: outcome.failures.map(({ because }) => because) }
}

async function sameAgain(
  options: SessionOptions,
  doings: (session: Session) => Promise<void>,
): Promise<string> {
  await using session = await openSession({ listen: false, ...options })
  await doings(session)
  const text = await savedScenarioText(session)
  const { journal, because } = await replayed(text)
  expect(because).toEqual([])
  const all = facts(session)
  expect(all.slice(0, journal.length)).toBe(journal)
  // What it leaves out at the end is idle time: loops that find nothing.
  const rest = all.slice(journal.length).split('\n').filter(Boolean)
  for (const line of rest)
    expect(line).toMatch(
      /"fact":{"kind":"(agenda\.|call\.|ticket\.polled|customer\.pulled|partner\.)/,
    )
  return text
}

test('holding, arranging, dropping, duplicating and undoing edits of events reproduce the journal', async () => {
  const text = await sameAgain({ clock: 'stepped', seed: 11 }, async (session) => {
    for (const type of ['DELIVERY', 'TAKEOUT', 'DELIVERY'] as const)
      await ok(session.createOrder({ type }))
    const held: number[] = []
    for (const nth of [1, 2, 3]) held.push(await item(session, 'CREATED to polls', nth))
    for (const id of held) await ok(session.submit({ kind: 'agenda.hold', id }))
    for (const id of held) await ok(session.submit({ kind: 'agenda.release', id }))
    await ok(session.submit({ kind: 'agenda.arrange', order: held.toReversed() }))
    await ok(session.submit({ kind: 'agenda.duplicate', id: held[0]! }))
    await ok(session.submit({ kind: 'agenda.drop', id: held[1]! }))
    await ok(session.submit({ kind: 'agenda.undo' }))
    for (let taken = 0; taken < 60; taken++) await session.step()
  })
  expect(text).toContain('- hold: { event: CREATED, channel: polling, order: o1 }')
  expect(text).toContain('undo: true')
  expect(text).not.toMatch(/"?\bid"?: \d/)
})

test('an item of no order, released when time had passed after everything, is due at that time', async () => {
  const text = await sameAgain({ clock: 'stepped', seed: 42 }, async (session) => {
    await ok(session.createOrder({ type: 'TAKEOUT' }))
    const id = await item(session, 'SS > OA getManifest')
    await ok(session.submit({ kind: 'agenda.hold', id }))
    await session.advance(10_000)
    await ok(session.submit({ kind: 'agenda.release', id }))
    await session.step()
  })
  expect(text).toMatch(/- advance: [\d.]+s\n {2}- release: \{ text: "SS > OA getManifest" \}/)
})

test('actions on orders and events are saved as steps of their own kind and reproduce the journal', async () => {
  const text = await sameAgain({ clock: 'stepped', seed: 12 }, async (session) => {
    const made = await session.createOrder({ type: 'DELIVERY', items: 2 })
    if (!made.ok) throw new Error(made.error.message)
    const { orderId } = made.value
    await ok(session.submit({ kind: 'fault.add', spec: { duplicate: { event: 'CONFIRMED' } } }))
    await steps(session, 'confirm takes effect')
    const id = await item(session, 'confirm takes effect')
    await ok(session.submit({ kind: 'agenda.delay', id, byMs: 4000 }))
    await session.advance(5000)
    await ok(session.submit({ kind: 'event.invent', orderId, eventType: 'X_HINT' }))
    const eventId = (await session.look({ orderId })).order!.events[0]!.eventId
    await ok(session.submit({ kind: 'event.alter', eventId, change: { note: 'by hand' } }))
    await ok(session.submit({ kind: 'fault.end' }))
    const itemId = (await itemIdsOf(session, orderId))[1] ?? ''
    await ok(session.submit({ kind: 'item.cancel', orderId, itemId, cancellation: {} }))
    await ok(session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' }))
    await session.advance(60_000)
  })
  expect(text).toContain('- delay: { trigger: confirm, order: o1, by: 4s }')
  expect(text).toContain('- emit: { order: o1, event: X_HINT }')
  expect(text).toContain('- alter: { order: o1, event: CREATED, change: { note: by hand } }')
  expect(text).toContain('- cancel-item: { order: o1, line: 2 }')
  expect(text).toContain('- trigger: { order: o1, move: cancel }')
  expect(text).toContain('- fault: { duplicate: { event: CONFIRMED } }')
})

test('whole orders, non-default settings and batched edits reproduce the journal', async () => {
  const counterparts = {
    'ordering-application': { channel: 'webhook', behaviour: 'slow' },
  } as const
  const text = await sameAgain({ clock: 'stepped', seed: 13, counterparts }, async (session) => {
    const made = await session.createOrder({ type: 'TAKEOUT' })
    if (!made.ok) throw new Error(made.error.message)
    const { document } = (await session.look({ orderId: made.value.orderId })).order!
    await ok(session.createOrder({ order: { ...(document as object), id: 'by-hand-1' } }))
    const edits = [
      { kind: 'agenda.delay', id: await item(session, 'CREATED by webhook', 1), byMs: 3000 },
      { kind: 'agenda.drop', id: await item(session, 'CREATED by webhook', 2) },
    ] as const
    await ok(session.submit({ kind: 'agenda.batch', edits }))
    await session.advance(20_000)
  })
  expect(text).toMatch(/behaviour: slow/)
  expect(text).toContain('id: by-hand-1')
  expect(text).toContain('together:')
})

test('a poll that a step took last is saved where it hands an event over', async () => {
  const text = await sameAgain({ clock: 'stepped', seed: 14 }, async (session) => {
    await ok(session.createOrder({ type: 'TAKEOUT' }))
    const id = await item(session, 'CREATED to polls')
    await ok(session.submit({ kind: 'agenda.duplicate', id }))
    for (let taken = 0; taken < 40; taken++) {
      if (session.facts().some(({ fact }) => fact.kind === 'ticket.announced')) break
      await session.step()
    }
  })
  expect(text).toMatch(/- take: .*\n {2}- step: \d+\n/)
})

test('loops that a step took before a later edit are saved before it', async () => {
  const text = await sameAgain({ clock: 'stepped', seed: 14 }, async (session) => {
    const made = await session.createOrder({ type: 'TAKEOUT' })
    if (!made.ok) throw new Error(made.error.message)
    for (let taken = 0; taken < 40; taken++) {
      if (session.facts().some(({ fact }) => fact.kind === 'ticket.announced')) break
      await session.step()
    }
    const { orderId } = made.value
    await ok(session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' }))
    for (let taken = 0; taken < 10; taken++) await session.step()
  })
  expect(text).toMatch(
    /- take: .*\n {2}- step: \d+\n(?: {2}- advance: .*\n)? {2}- trigger: .*cancel/,
  )
})

test.each([
  [
    'software-service',
    [
      'capabilities: { indoor: true, logistics: true, customer: true, reviews: true, loyalty: true }',
      'deliveries: true',
    ],
  ],
  // A scenario about a CRM has Customer and Loyalty of itself.
  ['crm', ['capabilities: { indoor: true, logistics: true }', 'deliveries: true']],
] as const)(
  'with a service that is %s, the file says what a scenario has not of itself',
  async (role, parts) => {
    await using session = await openSession({ as: role, listen: false, clock: 'stepped' })
    await ok(session.createOrder({ type: 'TAKEOUT' }))
    const text = await savedScenarioText(session)
    for (const part of [`subject: ${role}`, ...parts]) expect(text).toContain(part)
    const runs = readRuns(parseYamlText(text).value, checkSchema)
    const [run] = runs.ok ? runs.value : []
    const { capabilities } = run ? configurationOf(run, {}) : {}
    const features = ['indoor', 'logistics', 'customer', 'reviews', 'loyalty'] as const
    expect(features.map((each) => capabilities?.[each])).toEqual(features.map(() => true))
  },
)
