/** Ids that the subject makes up in its requests and that are not bound yet: the `eventId` of its next webhook. */
import type { IdentifierBinding } from '../../core/traffic/recording/binding.ts'
import type { Correlation, IdentifierOccurrence } from '../../core/traffic/recording/correlation.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'

interface KnownIds {
  readonly binding: Pick<IdentifierBinding, 'newName' | 'oldName'>
  readonly correlation: Pick<Correlation, 'in'>
}

/** Those in a recorded request. A request id occurs only in its own reply, which the host echoes. */
export const newIdsIn = (
  recordId: string,
  { binding, correlation }: KnownIds,
): readonly IdentifierOccurrence[] =>
  correlation
    .in(recordId, 'request')
    .filter(
      ({ identifier: { kind, value, origin } }) =>
        origin === 'theirs' && kind !== 'request' && binding.newName(kind, value) === undefined,
    )

/** The differences, with those accepted where a new id stands for a new id. */
export function acceptNewIds(
  differences: readonly Difference[],
  recordId: string,
  known: KnownIds,
): readonly Difference[] {
  if (differences.every(({ accepted }) => accepted)) return differences
  const ids = newIdsIn(recordId, known)
  return differences.map((each) => {
    const { where, recorded, live } = each
    const isNew = ids.some(
      ({ identifier: { kind, value }, site }) =>
        site.at === where &&
        value === recorded &&
        typeof live === 'string' &&
        known.binding.oldName(kind, live) === undefined,
    )
    return isNew ? { ...each, accepted: true } : each
  })
}
