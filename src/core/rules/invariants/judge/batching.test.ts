// @module-tag slow
/** A batching judge gives the same verdicts as one that processes each observation at once. */
import { expect, test } from 'vitest'
import type { DefectName } from '../../../../demo/defects.ts'
import { runFuzz, type FuzzOptions } from '../../../../../test/support/fuzz.ts'
import type { InProcessHarness } from '../../../../../test/support/in-process-harness.ts'
import { isSoak } from '../../../../../test/support/soak.ts'
import { sampleExchange } from '../../../../../test/support/sample-exchange.ts'
import { createTestJudge } from '../../../../../test/support/judge-fixture.ts'
import { noon } from '../../../../../test/support/transcript.ts'
import { defineInvariant } from '../invariant.ts'
import { createBatchingJudge } from './batching.ts'

/** Requests verdicts after every observation, so that nothing is ever queued. */
function watchClosely({ session }: InProcessHarness): void {
  session.subscribe(() => void session.look({ verdicts: true }))
}

const channels = ['polling', 'webhook', 'both'] as const

/** Each with the channel that `npm test` tries; the soak tries all. */
const services: readonly (readonly [string, (typeof channels)[number], readonly DefectName[]])[] = [
  ['nothing wrong', 'both', []],
  ['acknowledgments that come early', 'polling', ['acks-before-storing']],
  ['readings in a loop', 'webhook', ['reads-in-a-loop']],
  ['orders that it drops', 'both', ['drops-unread-orders', 'global-watermark']],
]

test.each(services)(
  'frequent and single requests give the same verdicts of a service with %s',
  { timeout: 60_000 },
  async (_name, usual, defects) => {
    for (const channel of isSoak ? channels : [usual]) {
      const seed = channels.indexOf(channel) + 1
      const options: FuzzOptions = { channel, delivers: true, defects }
      const once = await runFuzz(seed, options, ({ verdicts }) => verdicts)
      const always = await runFuzz(
        seed,
        { ...options, onOpen: watchClosely },
        ({ verdicts }) => verdicts,
      )
      expect(always).toEqual(once)
    }
  },
)

/** A judge with one rule that records its observations and throws at a given one. */
function opened(stumblesOver?: number) {
  const shown: number[] = []
  const bugs: unknown[] = []
  const noting = defineInvariant({
    id: 'XX-1',
    name: 'noting',
    sentence: 'Must be noted.',
    remedy: 'Note it.',
    kind: 'safety',
    clauses: [],
    premise: 'something happened',
    binds: ['software-service'],
    calls: 'all',
    call(_state, { exchange: { seq } }) {
      if (seq === stumblesOver) throw new Error(`a bug at ${seq}`)
      shown.push(seq)
    },
  })
  const judge = createBatchingJudge(createTestJudge({ invariants: [noting] }), (error) =>
    bugs.push(error),
  )
  const span = { began: noon, ended: noon }
  return {
    judge,
    shown,
    bugs,
    happen: (seq: number, body = '{}') =>
      judge.exchange(sampleExchange(seq, { reply: { status: 200, headers: [], body } }), span),
  }
}

test('a query flushes the queue first', () => {
  const { judge, shown, happen } = opened()
  happen(1)
  happen(2)
  expect(shown).toEqual([])
  judge.verdicts()
  expect(shown).toEqual([1, 2])
})

test('the queue holds at most 1,024 observations', () => {
  const { shown, happen } = opened()
  for (let seq = 1; seq <= 3000; seq++) happen(seq)
  expect(shown).toHaveLength(2048)
})

test('long bodies flush the queue early', () => {
  const { shown, happen } = opened()
  happen(1)
  happen(2, '"'.padEnd(1_000_000, 'x'))
  expect(shown).toEqual([1, 2])
})

test('an exception of a rule is reported as a bug, and the other observations are processed', () => {
  const { judge, shown, bugs, happen } = opened(2)
  for (const seq of [1, 2, 3]) happen(seq)
  judge.verdicts()
  expect(shown).toEqual([1, 3])
  expect(bugs).toEqual([new Error('a bug at 2')])
})
