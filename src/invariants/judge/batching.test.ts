/** Nobody can tell whether a judge heard of everything at once or of much at one sitting. */
import { expect, test } from 'vitest'
import type { DefectName } from '../../demo/defects.ts'
import { dense, type DenseOptions } from '../../../test/support/fuzz.ts'
import type { Duel } from '../../../test/support/in-process-harness.ts'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import { seat } from '../../../test/support/judge-fixture.ts'
import { noon } from '../../../test/support/transcript.ts'
import { defineInvariant } from '../invariant.ts'
import { inSittings } from './batching.ts'

/** Has the verdicts told after every single thing that happens: nothing ever waits to be judged. */
function watchClosely({ session }: Duel): void {
  session.subscribe(() => void session.look({ verdicts: true }))
}

const services: readonly (readonly [string, readonly DefectName[]])[] = [
  ['nothing wrong', []],
  ['acknowledgments that come early', ['acks-before-storing']],
  ['readings in a loop', ['reads-in-a-loop']],
  ['orders that it drops', ['drops-unread-orders', 'global-watermark']],
]

test.each(services)(
  'who looks all the time and who asks once get the same verdicts of a service with %s',
  { timeout: 60_000 },
  async (_name, defects) => {
    for (const [seed, channel] of [
      [1, 'polling'],
      [2, 'webhook'],
      [3, 'both'],
    ] as const) {
      const options: DenseOptions = { channel, delivers: true, defects }
      const once = await dense(seed, options, ({ verdicts }) => verdicts)
      const always = await dense(
        seed,
        { ...options, onOpen: watchClosely },
        ({ verdicts }) => verdicts,
      )
      expect(always).toEqual(once)
    }
  },
)

/** A judge with one rule, which notes what it is shown and stumbles over what it is told to. */
function opened(stumblesOver?: number) {
  const shown: number[] = []
  const bugs: unknown[] = []
  const noting = defineInvariant({
    id: 'XX-1',
    name: 'noting',
    sentence: 'Everything is noted.',
    kind: 'safety',
    clauses: [],
    premise: 'something happened',
    binds: ['software-service'],
    sees: { exchanges: 'all' },
    start: () => undefined,
    shown: {
      exchange(_state, { exchange: { seq } }) {
        if (seq === stumblesOver) throw new Error(`a bug at ${seq}`)
        shown.push(seq)
      },
    },
  })
  const judge = inSittings(seat({ invariants: [noting] }), (error) => bugs.push(error))
  const span = { began: noon, ended: noon }
  return {
    judge,
    shown,
    bugs,
    happen: (seq: number, body = '{}') =>
      judge.exchange(sampleExchange(seq, { reply: { status: 200, headers: [], body } }), span),
  }
}

test('whoever asks is answered when nothing waits any more', () => {
  const { judge, shown, happen } = opened()
  happen(1)
  happen(2)
  expect(shown).toEqual([])
  judge.verdicts()
  expect(shown).toEqual([1, 2])
})

test('no more than a thousand things wait', () => {
  const { shown, happen } = opened()
  for (let seq = 1; seq <= 3000; seq++) happen(seq)
  expect(shown).toHaveLength(2048)
})

test('long answers do not wait for others', () => {
  const { shown, happen } = opened()
  happen(1)
  happen(2, '"'.padEnd(1_000_000, 'x'))
  expect(shown).toEqual([1, 2])
})

test('a rule that stumbles over one thing has all others heard, and is told as a bug', () => {
  const { judge, shown, bugs, happen } = opened(2)
  for (const seq of [1, 2, 3]) happen(seq)
  judge.verdicts()
  expect(shown).toEqual([1, 3])
  expect(bugs).toEqual([new Error('a bug at 2')])
})
