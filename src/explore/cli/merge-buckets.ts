/**
 * The buckets of all parts of a campaign as one campaign would have them: what was found first explains what was found later,
 * of one rule only so many causes are distinguished, and what is not certain gives way to what is.
 */
import { type Bucket, isBetter } from '../investigation/bucket.ts'
import { maxBucketsOfRule } from '../campaign/failures.ts'
import { triggersOf } from '../schedules/trigger.ts'

/** The kinds of faults of the first are among those of the second. */
function explainsBucket(one: Bucket, other: Bucket): boolean {
  const triggers = new Set(triggersOf(other.schedule))
  return triggersOf(one.schedule).every((each) => triggers.has(each))
}

const isCertain = ({ status }: Bucket): boolean => status === 'confirmed'

/** Certain ones first, then in the order in which one campaign would have found them. */
const byDiscovery = (one: Bucket, other: Bucket): number =>
  Number(isCertain(other)) - Number(isCertain(one)) ||
  (one.foundAt ?? -1) - (other.foundAt ?? -1) ||
  (one.id < other.id ? -1 : 1)

/** The better reproducer of two of one cause, with the failures of both. */
const joined = (one: Bucket, other: Bucket): Bucket => ({
  ...(one.id === other.id && isBetter(other, one) ? other : one),
  hits: one.hits + other.hits,
})

export function mergeBuckets(found: readonly Bucket[]): readonly Bucket[] {
  const merged = new Map<string, Bucket>()
  for (const bucket of found.toSorted(byDiscovery)) {
    const ofRule = [...merged.values()].filter(({ rule }) => rule === bucket.rule)
    const cause =
      merged.get(bucket.id) ??
      ofRule.find((each) => explainsBucket(each, bucket)) ??
      (ofRule.length >= maxBucketsOfRule || !isCertain(bucket) ? ofRule[0] : undefined)
    merged.set(cause?.id ?? bucket.id, cause ? joined(cause, bucket) : bucket)
  }
  return [...merged.values()]
}
