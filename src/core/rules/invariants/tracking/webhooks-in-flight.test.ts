/** Events that arrive late, simultaneously or in large batches: CV-3, CV-9 and CV-10. */
import { says } from '../../../../../test/support/says.ts'
import type { InProcessHarness } from '../../../../../test/support/in-process-harness.ts'
import { testInvariant, type InvariantStory } from '../../../../../test/support/invariant-cases.ts'

const poll = 'GET /events:polling  200'

const orders = async (harness: InProcessHarness, count: number): Promise<void> => {
  for (let number = 0; number < count; number++) await harness.order('TAKEOUT')
}

/** CREATED of the first order arrives after that of the second. */
const lateCreated: InvariantStory = {
  faults: [{ delay: { event: 'CREATED', order: 'o1', by: '5s' } }],
  async play(harness) {
    await orders(harness, 1)
    await harness.pass(1000)
    await orders(harness, 1)
    await harness.pass(60_000)
  },
}

const atOnce =
  (count: number) =>
  async (harness: InProcessHarness): Promise<void> => {
    await orders(harness, count)
    await harness.pass(60_000)
  }

const afterHeap = async (harness: InProcessHarness): Promise<void> => {
  await harness.pass(100)
  await orders(harness, 60)
  await harness.pass(1000)
  await orders(harness, 1)
  await harness.pass(60_000)
}

const notProcessed = (slot: string): RegExp => says(`not process CREATED of ${slot}`)
const neverRead = (slot: string): RegExp => says(`never read ${slot}:`)

testInvariant({
  id: 'CV-9',
  clauses: 'ORD-EVR-04',
  when: 'when an event comes that is older than one of another order',
  story: lateCreated,
  caught: { 'global-watermark': { because: notProcessed('o1'), lines: [poll] } },
})

testInvariant({
  id: 'CV-9',
  clauses: 'ORD-EVR-03',
  when: 'when two orders are made in the same moment',
  story: { play: atOnce(2) },
  caught: {
    'equal-times-are-duplicates': { slot: 'o2', because: notProcessed('o2'), lines: [poll] },
  },
})

testInvariant({
  id: 'CV-10',
  clauses: 'ORD-OPS-01',
  when: 'when thirty orders wait to be polled',
  story: { play: atOnce(30) },
  caught: { 'handles-first-twenty': { slot: 'o21', because: notProcessed('o21'), lines: [poll] } },
})

testInvariant({
  id: 'CV-10',
  clauses: 'ORD-OPS-01',
  when: 'when an order comes right after sixty others',
  story: { play: afterHeap },
  caught: {
    'skips-page-after-full-page': { slot: 'o61', because: notProcessed('o61'), lines: [poll] },
  },
})

testInvariant({
  id: 'CV-2',
  clauses: 'ORD-FLO-03, ORD-EVR-04',
  when: 'when an event comes that is older than one of another order',
  story: lateCreated,
  caught: { 'global-watermark': { because: neverRead('o1'), lines: [poll] } },
})

testInvariant({
  id: 'CV-2',
  clauses: 'ORD-FLO-03, ORD-EVR-03',
  when: 'when orders are made in the same moment',
  story: { play: atOnce(30) },
  caught: {
    'equal-times-are-duplicates': { slot: 'o2', because: neverRead('o2'), lines: [poll] },
    'handles-first-twenty': { slot: 'o21', because: neverRead('o21'), lines: [poll] },
  },
})

testInvariant({
  id: 'CV-2',
  clauses: 'ORD-FLO-03, ORD-OPS-01',
  when: 'when an order comes right after sixty others',
  story: { play: afterHeap },
  caught: {
    'skips-page-after-full-page': { slot: 'o61', because: neverRead('o61'), lines: [poll] },
  },
})
