import { expect, test } from 'vitest'
import { openSession } from './open-session.ts'

test('a list that is searched says how many of its rows match, however many it shows', async () => {
  await using session = await openSession({ clock: 'stepped', listen: false })
  for (let number = 0; number < 3; number++) await session.createOrder()
  const lists = ['journal', 'agenda', 'orders'] as const
  for (const list of lists) {
    const all = await session.look({ [list]: { limit: 100, contains: 'o1' } })
    const one = await session.look({ [list]: { limit: 1, contains: 'o1' } })
    expect(all[list].length).toBeGreaterThan(0)
    expect(one[list]).toHaveLength(1)
    expect(one.found).toEqual({ [list]: all[list].length })
  }
  const unsearched = await session.look({
    journal: { limit: 100 },
    agenda: { limit: 100 },
    orders: { limit: 100 },
  })
  expect(unsearched).not.toHaveProperty('found')
})

test('the journal of what concerns a service leaves out its partners among themselves, and the agenda', async () => {
  await using session = await openSession({
    clock: 'virtual',
    listen: false,
    as: 'software-service',
    handler: async () => new Response(null, { status: 204 }),
  })
  await session.createOrder({ type: 'DELIVERY' })
  await session.advance(5000)
  const { journal: all } = await session.look({ journal: { limit: 1000 } })
  const { journal: mine } = await session.look({ journal: { limit: 1000, mine: true } })
  const others = /OA > CRM|OA > DP|^planned|^taken/
  expect(all.filter(({ text }) => others.test(text)).length).toBeGreaterThan(10)
  expect(mine.filter(({ text }) => others.test(text))).toEqual([])
  expect(mine).toEqual(
    all.filter(({ subject, kind }) => subject === true && !kind.startsWith('agenda.')),
  )
  const { seq = 0 } = mine[1] ?? {}
  const behind = await session.look({ journal: { limit: 2, after: seq, mine: true } })
  expect(behind.journal).toEqual(mine.slice(2, 4))
  const found = await session.look({ journal: { limit: 9, contains: 'created', mine: true } })
  expect(found.journal.length).toBeGreaterThan(0)
  expect(found.journal.every(({ subject }) => subject)).toBe(true)
})

test('a session without a service shows the whole journal', async () => {
  await using session = await openSession({ clock: 'stepped', listen: false })
  await session.createOrder()
  const { journal } = await session.look({ journal: { limit: 1000, mine: true } })
  expect(journal).toEqual((await session.look({ journal: { limit: 1000 } })).journal)
})
