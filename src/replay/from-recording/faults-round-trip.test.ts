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
import { drivingExchanges } from './decisions.ts'
import { isCrash } from './history.ts'
import { failureScript, scenarioText } from './scenario-text.ts'

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

/** A session in which the service was ended once. */
async function recordedCrash(
  crash: Readonly<Record<string, string | number>>,
  channel: 'polling' | 'webhook' = 'webhook',
): Promise<RecordingContent> {
  using folder = openTemporaryFolder('faults')
  const { content } = await recordHarness(
    { channel, faults: [{ crash }], memory: join(folder.path, 'orders') },
    async (harness) => {
      await harness.order('TAKEOUT')
      await harness.pass(60_000)
    },
  )
  return content
}

/** What `export` writes of it. */
const faultsOfCrash = async (crash: Readonly<Record<string, string | number>>): Promise<unknown> =>
  faultsReadAgain(await recordedCrash(crash))

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

test('a crash at a webhook is one of this event alone, and one at an acknowledgment of what that is about', async () => {
  expect(
    await faultsOfCrash({ event: 'PREPARING', operation: 'receiveOrderEvent', limit: 1 }),
  ).toContainEqual({
    crash: {
      operation: 'receiveOrderEvent',
      event: 'PREPARING',
      order: 'o1',
      when: 'after-ack',
      burst: 1,
    },
  })
  const polled = await recordedCrash({ event: 'CREATED', when: 'before-ack', limit: 1 }, 'polling')
  expect(faultsReadAgain(polled)).toContainEqual({
    crash: { event: 'CREATED', order: 'o1', channel: 'polling', when: 'before-ack', limit: 1 },
  })
})

test('signal and time of a crash are those that its session says, where it says one', async () => {
  const content = await recordedCrash({ operation: 'confirmOrder', when: 'during-call', limit: 1 })
  const saying = (...texts: readonly string[]): unknown =>
    faultsReadAgain({
      ...content,
      end: {
        verdicts: [],
        orders: [],
        faults: texts.map((text) => ({ name: 'crash', text, fired: 1 })),
      },
    })
  const usual = { operation: 'confirmOrder', order: 'o1', when: 'during-call', burst: 1 }
  const asked = 'crash:operation=confirmOrder,signal=TERM,down=5000'
  expect(saying(asked)).toContainEqual({ crash: { ...usual, signal: 'TERM', down: 5000 } })
  expect(saying(asked, 'crash:operation=getOrder')).toContainEqual({ crash: usual })
  expect(saying('crash:operation=confirmOrder')).toContainEqual({ crash: usual })
})

test('a crash can be left out, also where the message at which it came is needed', async () => {
  const content = await recordedCrash({ operation: 'getOrder', when: 'after-answer', limit: 1 })
  const [crash] = content.exchanges.filter(isCrash)
  const { all, faults, spareable } = drivingExchanges(content)
  const id = crash?.recordId ?? ''
  // The document of the order comes from it.
  expect(all).toContain(id)
  expect(faults).toContainEqual(new Set([id]))
  expect(spareable).toEqual(new Set([id]))
})

test('what only who starts the service can play is no test and no script', async () => {
  const content = await recordedCrash({ operation: 'confirmOrder', when: 'during-call', limit: 1 })
  const order = content.exchanges.find(({ orderId }) => orderId)?.orderId ?? ''
  expect(scenarioText(content).needsOwnProcess).toBe(true)
  const failure = { kind: 'ending', order, state: 'CREATED' } as const
  const { _rec, ...rest } = content.header
  const cutDown = { ...content, header: { ...rest, _rec: { ..._rec, failure } } }
  expect(failureScript(cutDown, 'a crash')).toEqual({
    untold: expect.stringContaining('it does not start your service'),
  })
  // Its faults end with its last step, which waits for the crash.
  expect(scenarioText(cutDown).text).toContain(
    'await: { call: confirmOrder, order: o1, counting: tries',
  )
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
