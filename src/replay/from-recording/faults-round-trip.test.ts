// @module-tag slow
/** Whatever a partner did wrong, the scenario that `export` writes of it is read again by `run` and `minimise`. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compact } from '../../core/base/compact.ts'
import { checkSchema } from '../../core/runtime/files/schema-errors.ts'
import { parseYamlText } from '../../core/runtime/files/source-location.ts'
import { createChance } from '../../core/engine/chance.ts'
import { faultCatalogue } from '../../core/faults/catalogue.ts'
import { faultPort } from '../../core/faults/port.ts'
import { recordHarness } from '../../../test/support/recorded-session.ts'
import { isSoak } from '../../../test/support/soak.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import { openTemporaryFolder } from '../../terminal/cli/temporary-folder.ts'
import { readRuns } from '../../core/scenario/read.ts'
import { withoutCrash } from './answers.ts'
import { scenarioText } from './scenario-text.ts'

/** Times as a real clock measures them: with fractions of a millisecond. */
const onRealClock = (content: RecordingContent): RecordingContent => ({
  ...content,
  exchanges: content.exchanges.map((each) => ({
    ...each,
    startedAt: each.startedAt + 0.089_3,
    tookMs: each.tookMs + 1.734_1,
  })),
})

const draws = isSoak ? 60 : 5

/** The faults of the scenario that is written of a recording and read again. */
function faultsReadAgain(content: RecordingContent): readonly unknown[] {
  const { text } = scenarioText(content)
  const runs = readRuns(parseYamlText(text).value, checkSchema)
  if (!runs.ok) throw new Error(`${JSON.stringify(runs.error)} in\n${text}`)
  return runs.value.flatMap(({ scenario }) => scenario.faults ?? [])
}

/** One for each draw, so that no flood multiplies another. */
const eventTypes = ['CREATED', 'CONFIRMED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED']

test.each(faultCatalogue)('$name', async ({ name, meets, needsStart, vary }) => {
  using folder = openTemporaryFolder('faults')
  const memory = needsStart ? join(folder.path, 'orders') : undefined
  const faults = Array.from({ length: draws }, (_, draw) => ({
    [name]: {
      ...vary(createChance(draw, name)),
      limit: 2,
      ...(meets.includes('handover')
        ? { event: eventTypes[draw % eventTypes.length] ?? 'CREATED' }
        : { percent: 20 }),
    },
  }))
  const { content } = await recordHarness(
    { channel: 'both', faults, ...compact({ memory }) },
    async (harness) => {
      await harness.order('DELIVERY')
      await harness.order('TAKEOUT')
      await harness.pass(60_000)
    },
  )
  for (const recorded of [content, onRealClock(content)])
    expect(faultsReadAgain(recorded).filter((spec) => !faultPort.check(spec).ok)).toEqual([])
})

/** What `export` writes of a session in which the service was ended once. */
async function faultsOfCrash(crash: Readonly<Record<string, string | number>>): Promise<unknown> {
  using folder = openTemporaryFolder('faults')
  const { content } = await recordHarness(
    { channel: 'webhook', faults: [{ crash }], memory: join(folder.path, 'orders') },
    async (harness) => {
      await harness.order('TAKEOUT')
      await harness.pass(60_000)
    },
  )
  return faultsReadAgain(content)
}

test.each([
  ['confirmOrder', 'during-call'],
  ['confirmOrder', 'before-answer'],
  ['confirmOrder', 'after-answer'],
  ['receiveOrderEvent', 'before-ack'],
  ['receiveOrderEvent', 'after-ack'],
])('a crash at %s, %s, is one of the same moment', async (operation, when) => {
  expect(await faultsOfCrash({ operation, when, limit: 1 })).toContainEqual({
    crash: expect.objectContaining({ operation, when, order: 'o1' }),
  })
})

test.each([
  [
    { crash: { operation: 'receiveOrderEvent', order: 'o1', when: 'before-ack', burst: 1 } },
    { 'drop-response': { operation: 'receiveOrderEvent', order: 'o1', burst: 1 } },
  ],
  [
    { crash: { operation: 'acknowledgeEvents', when: 'before-ack', limit: 1 } },
    { reset: { operation: 'acknowledgeEvents', limit: 1 } },
  ],
  [
    { crash: { operation: 'confirmOrder', when: 'before-answer' } },
    { reset: { operation: 'confirmOrder', effect: 'after' } },
  ],
  [{ crash: { operation: 'confirmOrder', when: 'after-answer' } }, undefined],
  [{ drop: { event: 'CREATED' } }, { drop: { event: 'CREATED' } }],
])('where the service is not ours to end, %j is %j', (spec, instead) => {
  expect(withoutCrash(spec)).toEqual(instead)
})

test('a call that failed more often than a burst can say', async () => {
  const { content } = await recordHarness(
    { faults: [{ fail: { operation: 'getOrder', nth: 1 } }] },
    async (harness) => {
      await harness.order('TAKEOUT')
      await harness.pass(60_000)
    },
  )
  const exchanges = content.exchanges.flatMap((each) =>
    each.operation === 'getOrder' && each.reply?.status === 503
      ? Array.from({ length: 130 }, (_, n) => ({
          ...each,
          recordId: `${each.recordId}-${n}`,
          seq: each.seq + n / 1000,
        }))
      : [each],
  )
  expect(faultsReadAgain({ ...content, exchanges })).toEqual([
    { fail: { operation: 'getOrder', order: 'o1', limit: 130 } },
  ])
})
