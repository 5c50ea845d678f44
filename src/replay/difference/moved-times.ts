/**
 * Times that differ only because those of a live message were moved back before the comparison: by the distance of that
 * one exchange from the recorded one.
 */
import { shiftTimeText, type TimeShift } from '../../core/traffic/entities/shift-times.ts'
import { pointerKeys } from '../../core/traffic/json/json-pointer.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import { defaultRule } from './rule-book.ts'

/** As it was sent, before it was moved: a `customer.createdAt` that is kept and sent again. */
function isEqualAsSent({ where, recorded, live }: Difference, shift: TimeShift): boolean {
  const key = pointerKeys(where).findLast((each) => !/^\d+$/.test(each)) ?? ''
  return shiftTimeText(key, String(recorded), { ...shift, isBack: true }) === String(live)
}

/** The differences, with those accepted that are none of the times as they were sent. */
export const acceptMovedTimes = (
  differences: readonly Difference[],
  shift: TimeShift,
): readonly Difference[] =>
  differences.map((each) => {
    const isMoved = !each.accepted && each.kind === 'value' && isEqualAsSent(each, shift)
    const reason = 'It is the same time as it was sent.'
    return isMoved ? { ...each, accepted: true, rule: { ...defaultRule, reason } } : each
  })
