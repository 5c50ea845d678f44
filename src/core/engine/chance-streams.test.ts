/** The random streams of a world that continues from an earlier fact: it repeats the draws that followed. */
import { expect, test } from 'vitest'
import { createChance } from './chance.ts'
import { createChanceStreams, type ChanceStreamsState } from './chance-streams.ts'

const streams = (from?: ChanceStreamsState) =>
  createChanceStreams({
    make: (name, state) => createChance(7, name, state),
    first: () => 1,
    from,
  })

/** Draws from a stream in one turn, with the given last fact. */
function draw(all: ReturnType<typeof streams>, name: string, seq: number): number {
  all.begin()
  const drawn = all.chance(name).below(1_000_000)
  all.end(seq)
  return drawn
}

/** Facts 1 to 4, then whatever follows from one of them on. */
function continuedAfter(seq: number, ...more: readonly [string, number][]) {
  const all = streams()
  const drawn = [draw(all, 'a', 1), draw(all, 'b', 2), draw(all, 'a', 3), draw(all, 'b', 4)]
  const after = all.after(seq)
  const forked = streams(after)
  return {
    drawn,
    later: more.map(([name, at]) => draw(all, name, at)),
    forked: (name: string, at: number) => draw(forked, name, at),
  }
}

test('from an earlier fact each stream repeats what it drew later', () => {
  const { drawn, forked } = continuedAfter(2)
  expect([forked('a', 3), forked('b', 4)]).toEqual([drawn[2], drawn[3]])
})

test('from the newest fact each stream goes on where it is', () => {
  const { later, forked } = continuedAfter(4, ['a', 5], ['b', 6], ['c', 7])
  expect([forked('a', 5), forked('b', 6), forked('c', 7)]).toEqual(later)
})

test('a world that continues can be continued from an earlier fact again', () => {
  const all = streams()
  const drawn = [draw(all, 'a', 1), draw(all, 'a', 2), draw(all, 'a', 3)]
  const once = streams(all.after(2))
  const twice = streams(once.after(1))
  expect([draw(twice, 'a', 2), draw(twice, 'a', 3)]).toEqual([drawn[1], drawn[2]])
})

test('draws of a turn without facts belong to no fact before it', () => {
  const all = streams()
  draw(all, 'a', 1)
  const idle = draw(all, 'a', 1)
  const forked = streams(all.after(1))
  expect(draw(forked, 'a', 2)).toBe(idle)
})
