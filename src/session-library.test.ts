/** The library as its users import it: the example of the interface as it stands there, and what may go wrong with it. */
import { expect, test } from 'vitest'
import { openSession, Problem, type Verdict } from './index.ts'
import { openDuel } from './testing/duel.ts'

/** The smallest service: it takes whatever it is sent. */
const app = {
  fetch: (request: Request): Promise<Response> =>
    Promise.resolve(new Response(null, { status: request.method === 'POST' ? 204 : 404 })),
}

test('the example of the interface', async () => {
  await using session = await openSession({
    as: 'software-service',
    subject: app.fetch,
    seed: 42,
    clock: 'virtual',
  })
  const order = await session.createOrder({ type: 'DELIVERY' })
  session.faults.add({ drop: { event: 'CONFIRMED' } })
  await session.settle()
  expect(session.verdicts()).toEqual([])

  expect(order.ok).toBe(true)
  const { orders } = await session.look({ orders: { limit: 1 } })
  expect(orders).toMatchObject([{ profile: 'DELIVERY', status: 'CREATED' }])
})

test('faults are in force as soon as they are added, and are listed, removed and ended', async () => {
  await using duel = await openDuel({ channel: 'webhook' })
  const { faults } = duel.session
  expect(faults.list()).toEqual([])
  const [drop] = faults.add({ drop: { event: 'CONFIRMED', limit: 1 } })
  expect(drop).toMatchObject({ id: 1, name: 'drop', legal: true, fired: 0, limit: 1 })
  const [twice] = faults.add('duplicate:event=PREPARING')
  await duel.order('TAKEOUT')
  await duel.pass(60_000)
  expect(faults.list()).toMatchObject([
    { id: 2, name: 'duplicate', fired: 1 },
    { id: 1, name: 'drop', fired: 1, over: 'spent' },
  ])
  faults.remove(twice?.id ?? 0)
  faults.add({ drop: { event: 'DELIVERED' } })
  faults.end()
  expect(faults.list().map(({ id, over }) => [id, over])).toEqual([
    [1, 'spent'],
    [2, 'removed'],
    [3, 'ended'],
  ])
  // What was done by hand is written down, so that a scenario can be made of it.
  const { deeds } = await duel.session.look({ deeds: true })
  const kinds = deeds.flatMap(({ what }) => (what.kind === 'command' ? [what.command.kind] : []))
  expect(kinds).toEqual(['fault.add', 'fault.add', 'fault.remove', 'fault.add', 'fault.end'])
})

test('a fault that cannot be is a problem that says what would do, and changes nothing', async () => {
  await using session = await openSession({ clock: 'virtual', listen: false })
  const problemOf = (act: () => unknown): string => {
    try {
      act()
    } catch (error) {
      expect(error).toBeInstanceOf(Problem)
      return (error as Problem).message
    }
    throw new Error('it went through')
  }
  expect(problemOf(() => session.faults.add({ dropp: {} }))).toMatch(
    /^adding a fault: .*dropp.*drop/,
  )
  expect(problemOf(() => session.faults.add({ drop: { evnt: 'CONFIRMED' } }))).toMatch(/evnt/)
  expect(problemOf(() => session.faults.remove(7))).toBe(
    'removing fault 7: no fault 7 is in force. See faults.list().',
  )
  expect(session.faults.list()).toEqual([])
})

test('verdicts have the same shape from the session, from a look and from the judge', async () => {
  await using duel = await openDuel({})
  await duel.order('TAKEOUT')
  await duel.pass(60_000)
  const all: readonly Verdict[] = await duel.session.judge()
  const { verdicts } = await duel.session.look({ verdicts: true })
  expect(verdicts.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
  expect(duel.session.verdicts()).toEqual(all.filter(({ outcome }) => outcome === 'broken'))
  expect((await duel.session.look({})).verdicts).toEqual([])
  await using alone = await openSession({ clock: 'virtual', listen: false })
  expect(await alone.judge()).toEqual([])
})
