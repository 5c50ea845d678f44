/**
 * Test cases for one invariant in the in-process harness: passed with a correct service, failed with a defect, with the
 * expected evidence.
 */
import { compact } from '../../src/core/base/compact.ts'
import { describe, expect, test } from 'vitest'
import type { Finding, Verdict } from '../../src/core/rules/invariants/verdict.ts'
import type { DefectName } from '../../src/demo/defects.ts'
import { type InProcessHarness, type HarnessOptions, openHarness } from './in-process-harness.ts'

export interface InvariantStory extends HarnessOptions {
  readonly play: (harness: InProcessHarness) => Promise<unknown>
  /** The faults expire by themselves: the harness does not end them. */
  readonly faultsExpire?: true
}

/** Milliseconds; slightly more than the tolerance of the judge. */
const timeoutMs = 125_000

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g

/** A line of evidence without the parts that vary per run: `POST /orders/…/confirm  202`. */
const plain = (line: string): string => line.slice(23).replaceAll(uuid, '…')

export interface CaughtFinding extends Pick<Finding, 'slot' | 'because' | 'advice'> {
  readonly lines: readonly string[]
}

export interface InvariantResult {
  /** Outcomes by the lag of further judges. */
  readonly withLag: ReadonlyMap<number, Verdict['outcome'] | undefined>
  readonly outcome: Verdict['outcome']
  readonly premises: number
  readonly caught: readonly CaughtFinding[]
}

/** The verdict of one invariant about a story, after all tolerances have elapsed. */
export async function runInvariantStory(
  id: string,
  { play: tell, faultsExpire: endsByItself, ...options }: InvariantStory,
  ...defects: NonNullable<HarnessOptions['defects']>
): Promise<InvariantResult> {
  await using harness = await openHarness({ ...options, defects })
  await tell(harness)
  if (endsByItself) await harness.pass(timeoutMs)
  const verdicts = await (endsByItself ? harness.session.judge() : harness.judgeAll())
  const verdict = verdicts.find((each) => each.id === id)
  if (!verdict) throw new Error(`there is no invariant ${id}`)
  const { outcome, premises, findings } = verdict
  const withLag = new Map(
    [...(await harness.judgeWithLags())].map(([ms, all]) => [
      ms,
      all.find((each) => each.id === id)?.outcome,
    ]),
  )
  return {
    withLag,
    outcome,
    premises,
    caught: findings.map(({ slot, because, advice, evidence }) => ({
      ...compact({ slot, advice }),
      because,
      lines: evidence.map(({ line }) => plain(line)),
    })),
  }
}

/** The finding expected for a defect. */
export interface ExpectedFinding {
  /** The order concerned: the first one when absent, none when null. */
  readonly slot?: string | null
  /** The explanation, or a part of it. */
  readonly because: string | RegExp
  /** The evidence in order; the end of each line suffices. */
  readonly lines: readonly string[]
  /** The finding is only advice, because of a fault that no correct partner causes. */
  readonly advice?: true
}

export interface InvariantCase {
  readonly id: string
  readonly clauses: string
  /** The situation, as the end of a test title. */
  readonly when: string
  readonly story: InvariantStory
  readonly caught: Partial<Record<DefectName, ExpectedFinding>>
}

/**
 * Rules whose first case breaks them by what was said or left out, not by when: a lag is no excuse. Of every other rule
 * the first case in a file is inconclusive with a lag that may be the cause.
 */
const failedWithoutTime: ReadonlySet<string> = new Set([
  'AK-3',
  'AK-6',
  'CV-5',
  'EF-1',
  'EF-3',
  'SE-1',
  'SE-2',
  'SE-6',
  'SE-7',
  'SE-9',
  'SE-10',
  'SE-11',
  'SE-13',
  'SE-14',
  'WH-3',
  'WH-5',
])

/** Milliseconds: a lag that may be the cause of anything, and one that may be the cause of next to nothing. */
const lags = { enough: 1_000_000_000, tooLittle: 1 } as const

/** Test files share this module, so it names the file beside the rule. */
const judgedWithLags = new Set<string>()

/** Defines one test with a correct service and one per defect that must be caught. */
export function testInvariant({ id, clauses, when, story, caught }: InvariantCase): void {
  describe(`[${clauses}] ${id} ${when}`, () => {
    test('a service that does everything right keeps it', async () => {
      const { outcome, premises, caught: findings } = await runInvariantStory(id, story)
      expect({ outcome, findings }).toEqual({ outcome: 'passed', findings: [] })
      expect(premises).toBeGreaterThan(0)
    })

    for (const [defect, expected] of Object.entries(caught) as [DefectName, ExpectedFinding][])
      test(`${defect} is caught`, async () => {
        const place = `${expect.getState().testPath} ${id}`
        const isFirst = !judgedWithLags.has(place)
        judgedWithLags.add(place)
        const told = isFirst ? { ...story, lags: Object.values(lags) } : story
        const { outcome, withLag, caught: findings } = await runInvariantStory(id, told, defect)
        expect(outcome).toBe('failed')
        if (isFirst)
          expect(Object.fromEntries(withLag)).toEqual({
            [lags.enough]: failedWithoutTime.has(id) ? 'failed' : 'inconclusive',
            [lags.tooLittle]: 'failed',
          })
        const [first] = findings
        expect(first?.because).toMatch(expected.because)
        expect(first?.slot ?? null).toBe(expected.slot === undefined ? 'o1' : expected.slot)
        expect(first?.advice).toBe(expected.advice)
        expect(first?.lines).toEqual(expected.lines.map((line) => expect.stringContaining(line)))
      })
  })
}

/** Cancellation of an order by its originator. */
export const cancelByOriginator = (harness: InProcessHarness, orderId: string): Promise<unknown> =>
  harness.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })

/** Advances an order during its third, slow read: the reply is outdated when it arrives, seven seconds later. */
export async function overtakeSlowRead(harness: InProcessHarness): Promise<void> {
  const orderId = await harness.order('TAKEOUT')
  const { session } = harness
  await harness.pass(4000)
  await session.submit({ kind: 'order.apply', orderId, trigger: 'preparing' })
  await harness.pass(2000)
  await session.submit({ kind: 'order.apply', orderId, trigger: 'ready-for-pickup' })
  for (const ms of [2000, 4000]) {
    await harness.pass(ms)
    await session.submit({ kind: 'event.emit', orderId, eventType: 'PREPARATION_REQUESTED' })
  }
  await harness.pass(120_000)
}
