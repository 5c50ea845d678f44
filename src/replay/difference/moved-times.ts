/**
 * Times that differ only because those of a live message were moved back before the comparison: by the distance of that
 * one exchange from the recorded one.
 */
import { shiftTimeText, type TimeShift } from '../../core/traffic/entities/shift-times.ts'
import { pointerKeys } from '../../core/traffic/json/json-pointer.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import { instantToleranceMs } from './protocol-rules.ts'
import { defaultRule } from './rule-book.ts'
import { comparableInstants } from './text-form.ts'

/** Maximum number of exchanges that are remembered; the pauses after them are as recorded. */
const maxSent = 100_000

const reason = 'It is the same instant, where the exchange that has it was moved.'

/** As it was sent, before it was moved: a `customer.createdAt` that is kept and sent again. */
function isEqualAsSent({ where, recorded, live }: Difference, shift: TimeShift): boolean {
  const key = pointerKeys(where).findLast((each) => !/^\d+$/.test(each)) ?? ''
  return shiftTimeText(key, String(recorded), { ...shift, isBack: true }) === String(live)
}

/** Where each part of a recording lies in the replay, whose pauses may be shorter. */
export class ReplayTimeline {
  readonly #sent: { readonly at: number; readonly shiftMs: number }[] = []

  /** An exchange that was sent. Of those with one distance from the recording the first and the last are kept. */
  add(at: number, shiftMs: number): void {
    const isSame = (each = { shiftMs: Number.NaN }): boolean =>
      Math.abs(each.shiftMs - shiftMs) < 1000
    if (isSame(this.#sent.at(-1)) && isSame(this.#sent.at(-2))) this.#sent.pop()
    if (this.#sent.length < maxSent) this.#sent.push({ at, shiftMs })
  }

  /** Whether a recorded instant may be this one now: between the exchanges that were sent around it. */
  fits(recorded: number, live: number): boolean {
    const next = this.#sent.findIndex(({ at }) => at > recorded)
    const around =
      next < 0 ? this.#sent.slice(-1) : this.#sent.slice(Math.max(0, next - 1), next + 1)
    const shifts = around.map(({ shiftMs }) => shiftMs)
    const distance = live - recorded
    return (
      distance >= Math.min(...shifts) - instantToleranceMs &&
      distance <= Math.max(...shifts) + instantToleranceMs
    )
  }
}

/** Whether it is an instant of an earlier moment: the `openedAt` of an account that is read after a pause. */
function isFromBefore(
  { recorded, live, rule }: Difference,
  { shiftMs }: TimeShift,
  timeline: ReplayTimeline,
): boolean {
  const instants = rule.compare.as === 'time' ? comparableInstants(recorded, live) : undefined
  return instants !== undefined && timeline.fits(instants[0], instants[1] + shiftMs)
}

/** The differences, with those accepted that come of the shift alone. */
export const acceptMovedTimes = (
  differences: readonly Difference[],
  shift: TimeShift,
  timeline = new ReplayTimeline(),
): readonly Difference[] =>
  differences.map((each) => {
    if (each.accepted || each.kind !== 'value') return each
    const isAccepted = isEqualAsSent(each, shift) || isFromBefore(each, shift, timeline)
    return isAccepted ? { ...each, accepted: true, rule: { ...defaultRule, reason } } : each
  })
