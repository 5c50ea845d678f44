// @module-tag slow
/** Whatever a partner did wrong, the scenario that `export` writes of it is read again by `run` and `minimise`. */
import { expect, test } from 'vitest'
import { checkSchema } from '../../core/runtime/files/schema-errors.ts'
import { parseYamlText } from '../../core/runtime/files/source-location.ts'
import { createChance } from '../../core/engine/chance.ts'
import { faultCatalogue } from '../../core/faults/catalogue.ts'
import { faultPort } from '../../core/faults/port.ts'
import { recordHarness } from '../../../test/support/recorded-session.ts'
import { isSoak } from '../../../test/support/soak.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import { readRuns } from '../../core/scenario/read.ts'
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

test.each(faultCatalogue)('$name', async ({ name, meets, vary }) => {
  const faults = Array.from({ length: draws }, (_, draw) => ({
    [name]: {
      ...vary(createChance(draw, name)),
      limit: 2,
      ...(meets.includes('handover')
        ? { event: eventTypes[draw % eventTypes.length] ?? 'CREATED' }
        : { percent: 20 }),
    },
  }))
  const { content } = await recordHarness({ channel: 'both', faults }, async (harness) => {
    await harness.order('DELIVERY')
    await harness.order('TAKEOUT')
    await harness.pass(60_000)
  })
  for (const recorded of [content, onRealClock(content)])
    expect(faultsReadAgain(recorded).filter((spec) => !faultPort.check(spec).ok)).toEqual([])
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
