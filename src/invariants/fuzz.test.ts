/**
 * A service that does everything right goes through storm after storm, three thousand of them in a soak, and not one invariant has anything to say against
 * it. Whatever is found here is a mistake of an invariant, of the session or of the reference, and has to be found out.
 */
import { expect, test } from 'vitest'
import { dense } from '../../test/support/fuzz.ts'
import type { Verdict } from './verdict.ts'
import { orSoaked, soaking } from '../../test/support/soak.ts'

/** Storms in all, an equal share for each way of setting the service up. */
const seeds = orSoaked(60, 3000)

const ways = (['polling', 'webhook', 'both'] as const).flatMap((channel) =>
  [false, true].map((delivers) => ({ channel, delivers })),
)

/** What a storm cannot put to the test, and why. */
const beyond: Readonly<Record<string, string>> = {
  'CV-7': 'the reference reads an order once at a time: no answer overtakes another',
  'CV-11': 'it compares runs',
  'CV-12': 'it compares runs',
}

/** What so few storms meet only by luck; a soak meets all of it. */
const rare: ReadonlySet<string> = new Set(['CV-13', 'RC-3'])

/** How often what each invariant is about has happened, over all storms. */
const premises = new Map<string, number>()

const findingsIn = ({ id, outcome, findings }: Verdict): readonly string[] => {
  if (outcome === 'open') return [`${id} is open`]
  return findings.map(({ because, evidence }) =>
    [`${id} ${because}`, ...evidence.map(({ line }) => `  ${line}`)].join('\n'),
  )
}

async function storm(seed: number, way: (typeof ways)[number]): Promise<readonly string[]> {
  return dense(seed, way, ({ verdicts }) => {
    for (const { id, premises: met } of verdicts) premises.set(id, (premises.get(id) ?? 0) + met)
    return verdicts.flatMap(findingsIn).map((finding) => `seed ${seed}: ${finding}`)
  })
}

test.each(ways)(
  'nothing is found by $channel (deliveries: $delivers)',
  { timeout: 300_000 },
  async (way) => {
    const found: string[] = []
    const first = ways.indexOf(way) + 1
    for (let seed = first; seed <= seeds; seed += ways.length)
      found.push(...(await storm(seed, way)))
    expect(found).toEqual([])
  },
)

test('every invariant was put to the test by some storm', () => {
  const never = [...premises].flatMap(([id, met]) => (met === 0 ? [id] : []))
  for (const id of never) console.info(`${id} was never put to the test: ${beyond[id] ?? '?'}`)
  const unmet = never.filter((id) => beyond[id] === undefined && !(rare.has(id) && !soaking))
  expect(unmet).toEqual([])
})
