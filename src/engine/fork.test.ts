import { expect, test } from 'vitest'
import { Configuration } from '../configuration/schema.ts'
import { polling } from '../channels/polling.ts'
import { settingsOf } from '../session/settings.ts'
import { plainOrder } from '../../test/support/plain-order.ts'
import { noon } from '../../test/support/transcript.ts'
import type { Command } from './command.ts'
import { createEngine, type Engine, type EngineOptions } from './engine.ts'
import { journalText } from './journal.ts'

const configuration = Configuration.parse({ subject: { role: 'software-service' } })

function engine(options: Partial<EngineOptions> = {}): Engine {
  return createEngine({
    seed: 5,
    settings: settingsOf(configuration, ['ordering-application'], []),
    // Its pauses are drawn, so what was drawn before shows in what comes after.
    reactors: [polling({ delayMs: (chance) => chance.below(1000), repeatsOneIn: 3 })],
    origin: noon,
    ...options,
  })
}

/** A life in commands; `take` takes the first item of the agenda. */
const life: readonly (Command | 'take')[] = [
  { kind: 'order.create', order: plainOrder('a') },
  'take',
  { kind: 'order.apply', orderId: 'a', trigger: 'confirm' },
  { kind: 'agenda.duplicate', id: 2 },
  { kind: 'agenda.undo' },
  'take',
  { kind: 'order.create', order: plainOrder('b') },
  { kind: 'order.apply', orderId: 'b', trigger: 'confirm' },
  'take',
  { kind: 'order.apply', orderId: 'a', trigger: 'preparing' },
  'take',
  { kind: 'order.apply', orderId: 'nobody', trigger: 'preparing' },
  'take',
]

function live(on: Engine, deeds: typeof life): void {
  for (const deed of deeds)
    if (deed === 'take') on.take()
    else on.submit(deed)
}

const textOf = ({ journal }: Engine): string =>
  journalText(journal.after(0, Number.MAX_SAFE_INTEGER))

test('a world that goes on from any turn, with the same deeds, has the same journal to the letter', () => {
  const whole = engine()
  live(whole, life)
  for (let deeds = 1; deeds < life.length; deeds++) {
    const half = engine()
    live(half, life.slice(0, deeds))
    const at = half.journal.last()
    live(half, [{ kind: 'order.create', order: plainOrder('somebody else') }, 'take', 'take'])
    const begin = half.upTo(at)
    expect(begin?.seq).toBe(at)
    const fork = engine({ begin })
    expect(textOf(fork)).toBe(textOf(half).split('\n').slice(0, at).join('\n') + '\n')
    live(fork, life.slice(deeds))
    expect(textOf(fork), `after ${deeds} deeds`).toBe(textOf(whole))
    expect(fork.world).toEqual(whole.world)
  }
})

test('what one command led to stays whole', () => {
  const told = engine()
  live(told, life.slice(0, 1))
  const last = told.journal.last()
  expect(last).toBeGreaterThan(2)
  for (let seq = 1; seq <= last; seq++) expect(told.upTo(seq)?.seq).toBe(last)
  expect(told.upTo(last + 1)).toBeUndefined()
})

test('a fork can be forked again, before and after the first one', () => {
  const told = engine()
  live(told, life)
  const middle = Math.floor(told.journal.last() / 2)
  const fork = engine({ begin: told.upTo(middle) })
  live(fork, [{ kind: 'order.create', order: plainOrder('c') }, 'take'])
  const early = fork.upTo(3)
  expect(early?.seq).toBe(told.upTo(3)?.seq)
  const again = engine({ begin: early })
  live(again, life.slice(1))
  expect(textOf(again)).toBe(textOf(told))
  const late = fork.upTo(fork.journal.last())
  expect(late?.world).toEqual(fork.world)
})

test('the first world is untouched by what the second one does', () => {
  const told = engine()
  live(told, life)
  const before = JSON.stringify([...told.world.ordering.orders])
  const fork = engine({ begin: told.upTo(6) })
  live(fork, [{ kind: 'order.apply', orderId: 'a', trigger: 'cancel' }, 'take', 'take'])
  expect(JSON.stringify([...told.world.ordering.orders])).toBe(before)
  expect(told.journal.foldTo(told.journal.last())).toEqual(told.world)
})

test('only as far back as facts are kept', () => {
  const told = engine({ journalWindow: 20 })
  for (let count = 0; count < 12_000; count++) {
    told.submit({ kind: 'order.create', order: plainOrder(`order ${count}`) })
    told.take()
  }
  const first = told.journal.first()
  expect(told.upTo(first - 1)).toBeUndefined()
  const begin = told.upTo(first + 5)
  expect(begin?.seq).toBeGreaterThanOrEqual(first + 5)
  const fork = engine({ journalWindow: 20, begin })
  expect(fork.journal.foldTo(fork.journal.first())).toBeDefined()
  expect(fork.journal.last()).toBe(begin?.seq)
  // What is kept of the turns does not grow for ever.
  expect(begin?.turns.lasts.length).toBeLessThan(11_000)
})
