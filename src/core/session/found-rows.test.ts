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
