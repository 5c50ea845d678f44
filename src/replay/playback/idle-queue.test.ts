import { expect, test } from 'vitest'
import { createIdleQueue } from './idle-queue.ts'

/** Simulated event loop whose clock advances with the work. */
function machine() {
  let pressing = false
  let now = 0
  const turns: (() => void)[] = []
  const done: string[] = []
  const lull = createIdleQueue({
    isBusy: () => pressing,
    now: () => now,
    nextTurn: (work) => turns.push(work),
  })
  return {
    done,
    press: (is: boolean) => void (pressing = is),
    turn: () => turns.splice(0).forEach((work) => work()),
    /** A job of this duration, in ms. */
    piece: (name: string, ms = 0.1) =>
      lull(() => {
        done.push(name)
        now += ms
      }),
  }
}

test('a job runs at once when nothing is due', () => {
  const { piece, done } = machine()
  expect(piece('one')).toBeUndefined()
  expect(done).toEqual(['one'])
})

test('while a send is due, one job runs per turn, in order; the rest once idle', async () => {
  const { piece, done, press, turn } = machine()
  press(true)
  const all = ['one', 'two', 'three', 'four'].map((name) => piece(name))
  expect(done).toEqual([])
  turn()
  turn()
  expect(done).toEqual(['one', 'two'])
  press(false)
  // Later jobs are queued behind earlier ones.
  const last = piece('five')
  expect(done).toEqual(['one', 'two'])
  turn()
  expect(done).toEqual(['one', 'two', 'three', 'four', 'five'])
  await Promise.all([...all, last])
  expect(piece('six')).toBeUndefined()
})

test('a slice ends after 1 ms, so that sockets are served', () => {
  const { piece, done, press, turn } = machine()
  press(true)
  for (const name of ['one', 'two', 'three']) void piece(name, 0.6)
  press(false)
  turn()
  expect(done).toEqual(['one', 'two'])
  turn()
  expect(done).toHaveLength(3)
})

test('an error rejects its own job only', async () => {
  const turns: (() => void)[] = []
  const lull = createIdleQueue({
    isBusy: () => true,
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
