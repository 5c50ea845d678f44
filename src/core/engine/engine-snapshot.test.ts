import { expect, test } from 'vitest'
import { Configuration } from '../session-api/configuration/schema.ts'
import { pollingReactor } from './channels/polling.ts'
import { engineSettings } from '../session/settings.ts'
import { plainOrder } from '../../../test/support/plain-order.ts'
import { noon } from '../../../test/support/transcript.ts'
import type { Command } from './command.ts'
import { SessionEngine, type Engine, type EngineOptions } from './engine.ts'
import { journalText } from './journal.ts'

const configuration = Configuration.parse({ subject: { role: 'software-service' } })

function engine(options: Partial<EngineOptions> = {}): Engine {
  return new SessionEngine({
    seed: 5,
    settings: engineSettings(configuration, ['ordering-application'], []),
    // The pauses are random, so earlier draws show in later facts.
    reactors: [pollingReactor({ delayMs: (chance) => chance.below(1000), repeatsOneIn: 3 })],
    origin: noon,
    ...options,
  })
}

/** An order's commands from creation to the end; `take` takes the first item of the agenda. */
const exampleCommands: readonly (Command | 'take')[] = [
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

function submitAll(on: Engine, commands: typeof exampleCommands): void {
  for (const command of commands)
    if (command === 'take') on.take()
    else on.submit(command)
}

const textOf = ({ journal }: Engine): string =>
  journalText(journal.after(0, Number.MAX_SAFE_INTEGER))

test('an engine continued from a snapshot of any turn with the same commands has the same journal', () => {
  const whole = engine()
  submitAll(whole, exampleCommands)
  for (let steps = 1; steps < exampleCommands.length; steps++) {
    const half = engine()
    submitAll(half, exampleCommands.slice(0, steps))
    const at = half.journal.last()
    submitAll(half, [{ kind: 'order.create', order: plainOrder('somebody else') }, 'take', 'take'])
    const beginning = half.snapshotAt(at)
    expect(beginning?.seq).toBe(at)
    const continued = engine({ resumeFrom: beginning })
    expect(textOf(continued)).toBe(textOf(half).split('\n').slice(0, at).join('\n') + '\n')
    submitAll(continued, exampleCommands.slice(steps))
    expect(textOf(continued), `after ${steps} commands`).toBe(textOf(whole))
    expect(continued.world).toEqual(whole.world)
  }
})

test('a snapshot includes all facts of a turn', () => {
  const original = engine()
  submitAll(original, exampleCommands.slice(0, 1))
  const last = original.journal.last()
  expect(last).toBeGreaterThan(2)
  for (let seq = 1; seq <= last; seq++) expect(original.snapshotAt(seq)?.seq).toBe(last)
  expect(original.snapshotAt(last + 1)).toBeUndefined()
})

test('a continued engine can be snapshotted again, before and after its start', () => {
  const original = engine()
  submitAll(original, exampleCommands)
  const middle = Math.floor(original.journal.last() / 2)
  const continued = engine({ resumeFrom: original.snapshotAt(middle) })
  submitAll(continued, [{ kind: 'order.create', order: plainOrder('c') }, 'take'])
  const early = continued.snapshotAt(3)
  expect(early?.seq).toBe(original.snapshotAt(3)?.seq)
  const again = engine({ resumeFrom: early })
  submitAll(again, exampleCommands.slice(1))
  expect(textOf(again)).toBe(textOf(original))
  const late = continued.snapshotAt(continued.journal.last())
  expect(late?.world).toEqual(continued.world)
})

test('the continued engine does not change the original one', () => {
  const original = engine()
  submitAll(original, exampleCommands)
  const before = JSON.stringify([...original.world.ordering.orders])
  const continued = engine({ resumeFrom: original.snapshotAt(6) })
  submitAll(continued, [{ kind: 'order.apply', orderId: 'a', trigger: 'cancel' }, 'take', 'take'])
  expect(JSON.stringify([...original.world.ordering.orders])).toBe(before)
  expect(original.journal.foldTo(original.journal.last())).toEqual(original.world)
})

test('a snapshot exists only for facts in the journal window', () => {
  const original = engine({ journalWindow: 20 })
  for (let count = 0; count < 12_000; count++) {
    original.submit({ kind: 'order.create', order: plainOrder(`order ${count}`) })
    original.take()
  }
  const first = original.journal.first()
  expect(original.snapshotAt(first - 1)).toBeUndefined()
  const beginning = original.snapshotAt(first + 5)
  expect(beginning?.seq).toBeGreaterThanOrEqual(first + 5)
  const continued = engine({ journalWindow: 20, resumeFrom: beginning })
  expect(continued.journal.foldTo(continued.journal.first())).toBeDefined()
  expect(continued.journal.last()).toBe(beginning?.seq)
  // The stored turns are bounded.
  expect(beginning?.turns.lasts.length).toBeLessThan(11_000)
})
