/** The failure that is meant: `--failure` and `--at`, chosen among those that a replay shows. */
import { problem } from '../../../core/base/problem.ts'
import {
  failureAtPlaces,
  type FailurePlace,
  type ListedFailure,
  worstFailure,
} from '../../minimise/failure-list.ts'
import type { FailureChoiceFlags } from './flags.ts'

const exchangeNumber = (text: string): number => {
  const [, digits] = /^#?(\d+)$/.exec(text.trim()) ?? []
  if (digits !== undefined) return Number(digits)
  throw problem('reading --at', `${text} is no number of an exchange`, "Give one, such as '#147'.")
}

/** The failure that shows at this place; it is looked for there, not at its first place. */
function failureAt(
  failures: readonly ListedFailure[],
  isThere: (place: FailurePlace) => boolean,
): ListedFailure | undefined {
  const found = failures.find(({ places }) => places.some(isThere))
  return found && failureAtPlaces(found, found.places.filter(isThere))
}

/** The choice by the flags; the worst failure without flags. */
export function failureChoice({
  failure,
  at,
  preferred,
}: FailureChoiceFlags): (failures: readonly ListedFailure[]) => ListedFailure | undefined {
  if (failure !== undefined && at !== undefined)
    throw problem('reading --at', 'there is --failure as well', 'Give one of them.')
  if (at !== undefined) {
    const number = exchangeNumber(at)
    return (failures) => failureAt(failures, (place) => place.number === number)
  }
  if (failure === undefined)
    return (failures) =>
      failureAt(failures, ({ recordId }) => recordId === preferred) ?? worstFailure(failures)
  const number = /^\d+$/.test(failure) ? Number(failure) : undefined
  if (number !== undefined)
    return (failures) => failures[number - 1] ?? failures.find(isAnswered(number))
  const wanted = failure.toLowerCase()
  return (failures) => failures.find(({ text }) => text.toLowerCase().includes(wanted))
}

/** A number that is none in the list may be a status; the digits of an id are not meant. */
const isAnswered =
  (status: number) =>
  ({ signature }: ListedFailure): boolean =>
    signature.kind === 'answer' && signature.status === status

const maxLines = 12

const timesText = ({ count, recorded }: ListedFailure): string => {
  const now = count === 1 ? 'once' : `${count} times`
  if (recorded === undefined) return now
  return recorded === count ? `${now}, as recorded` : `${now}, recorded ${recorded} times`
}

function placesText({ places }: ListedFailure): string {
  const [first] = places
  const last = places.at(-1)
  if (!first || !last) return 'not in the recording'
  return first === last ? `#${first.number}` : `#${first.number} to #${last.number}`
}

/**
 * One line for each failure: `1. receiveOrderEvent CONFIRMED … is answered 500 · 6 times, as recorded · #141 to #171`.
 */
export const failureLines = (failures: readonly ListedFailure[]): readonly string[] => [
  ...failures
    .slice(0, maxLines)
    .map((each, index) => `${index + 1}. ${each.text} · ${timesText(each)} · ${placesText(each)}`),
  ...(failures.length > maxLines
    ? [`and ${failures.length - maxLines} more, which --failure finds by their text or by --at`]
    : []),
]
