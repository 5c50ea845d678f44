import { expect, test } from 'vitest'
import { createLull } from './idle-queue.ts'

/** A machine whose loop turns when it is told to, and whose clock passes with the work. */
function machine() {
  let pressing = false
  let now = 0
  const turns: (() => void)[] = []
  const done: string[] = []
  const lull = createLull({
    pressing: () => pressing,
    now: () => now,
    nextTurn: (work) => turns.push(work),
  })
  return {
    done,
    press: (is: boolean) => void (pressing = is),
    turn: () => turns.splice(0).forEach((work) => work()),
    /** A piece that takes so long. */
    piece: (name: string, ms = 0.1) =>
      lull(() => {
        done.push(name)
        now += ms
      }),
  }
}

test('where nothing presses, work is done at once', () => {
  const { piece, done } = machine()
  expect(piece('one')).toBeUndefined()
  expect(done).toEqual(['one'])
})

test('while something is due, one piece is done each turn, in order; the rest as soon as there is time', async () => {
  const { piece, done, press, turn } = machine()
  press(true)
  const all = ['one', 'two', 'three', 'four'].map((name) => piece(name))
  expect(done).toEqual([])
  turn()
  turn()
  expect(done).toEqual(['one', 'two'])
  press(false)
  // Whatever comes now waits behind what waits already.
  const last = piece('five')
  expect(done).toEqual(['one', 'two'])
  turn()
  expect(done).toEqual(['one', 'two', 'three', 'four', 'five'])
  await Promise.all([...all, last])
  expect(piece('six')).toBeUndefined()
})

test('sockets get their turn as well: a slice is over after a millisecond', () => {
  const { piece, done, press, turn } = machine()
  press(true)
  for (const name of ['one', 'two', 'three']) void piece(name, 0.6)
  press(false)
  turn()
  expect(done).toEqual(['one', 'two'])
  turn()
  expect(done).toHaveLength(3)
})

test('what goes wrong in a piece is for whoever waits for it, and no other piece suffers', async () => {
  const turns: (() => void)[] = []
  const lull = createLull({
    pressing: () => true,
    now: () => 0,
    nextTurn: (work) => turns.push(work),
  })
  const bad = lull(() => {
    throw new Error('out of paper')
  })
  const good = lull(() => undefined)
  turns.shift()?.()
  turns.shift()?.()
  await expect(bad).rejects.toThrow('out of paper')
  await good
})
