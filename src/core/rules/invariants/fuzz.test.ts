// @module-tag slow
/**
 * A correct service under random faults: no invariant may report a finding, over 30 seeds (3,000 in a soak). A finding
 * is a bug of an invariant, the session or the reference service.
 */
import { expect, test } from 'vitest'
import { runFuzz } from '../../../../test/support/fuzz.ts'
import type { Verdict } from './verdict.ts'
import { runsFor, isSoak } from '../../../../test/support/soak.ts'

/** Total number of seeds, divided equally among the setups. */
const seeds = runsFor(30, 3000)

const setups = (['polling', 'webhook', 'both'] as const).flatMap((channel) =>
  [false, true].map((delivers) => ({ channel, delivers })),
)

/** Invariants that random faults cannot test, and why. */
const unexercised: Readonly<Record<string, string>> = {
  'CV-7': 'the reference reads an order once at a time: no answer overtakes another',
  'CV-11': 'it compares runs',
  'CV-12': 'it compares runs',
}

/** Invariants that so few seeds test only by chance; a soak tests all. */
const rarelyTested: ReadonlySet<string> = new Set(['CV-13', 'RC-3'])

/** Premises per invariant over all seeds. */
const premises = new Map<string, number>()

const findingsIn = ({ id, outcome, findings }: Verdict): readonly string[] => {
  if (outcome === 'open') return [`${id} is open`]
  return findings.map(({ because, evidence }) =>
    [`${id} ${because}`, ...evidence.map(({ line }) => `  ${line}`)].join('\n'),
  )
}

async function storm(seed: number, setup: (typeof setups)[number]): Promise<readonly string[]> {
  const session = { conduct: { confirmWithin: '3m' } }
  return runFuzz(seed, { ...setup, session }, ({ verdicts }) => {
    for (const { id, premises: met } of verdicts) premises.set(id, (premises.get(id) ?? 0) + met)
    return verdicts.flatMap(findingsIn).map((finding) => `seed ${seed}: ${finding}`)
  })
}

test.each(setups)(
  'a correct service has no findings by $channel (deliveries: $delivers)',
  { timeout: 300_000 },
  async (setup) => {
    const found: string[] = []
    const first = setups.indexOf(setup) + 1
    for (let seed = first; seed <= seeds; seed += setups.length)
      found.push(...(await storm(seed, setup)))
    expect(found).toEqual([])
  },
)

test('every invariant was tested by some seed', () => {
  const never = [...premises].flatMap(([id, met]) => (met === 0 ? [id] : []))
  for (const id of never) console.info(`${id} was not exercised: ${unexercised[id] ?? '?'}`)
  const unmet = never.filter(
    (id) => unexercised[id] === undefined && !(rarelyTested.has(id) && !isSoak),
  )
  expect(unmet).toEqual([])
})
