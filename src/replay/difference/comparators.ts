/**
 * One comparator function for each kind of comparator. Called only for values that differ; returns whether the rule
 * accepts the difference.
 */
import { isSpelledNumber } from '../../core/traffic/json/lossless-json.ts'
import type { Comparator } from '../../core/traffic/recording/difference.ts'
import { comparableInstants, haveSameShape } from './text-form.ts'
import { isJsonObject, isList, jsonType } from '../../core/traffic/recording/json.ts'

type Kind = Comparator['as']
type ComparatorOf<As extends Kind> = Extract<Comparator, { readonly as: As }>

/** History of a place over earlier exchanges, for `monotonic`. */
export interface PlaceHistory {
  /** Records the value when it is the highest so far; returns whether it is not below that. */
  readonly isMonotonic: (value: number) => boolean
}

type Judge<As extends Kind> = (
  recorded: unknown,
  live: unknown,
  comparator: ComparatorOf<As>,
  past: PlaceHistory,
) => boolean

const numberOf = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value
  if (isSpelledNumber(value)) return Number(value.rawJSON)
  // Headers, queries and forms carry numbers as text.
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (isList(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0)

const isAbsentOrNull = (value: unknown): boolean => value === undefined || value === null

/** Tolerance for floating-point rounding in the last digit, added to every bound. */
const roundingTolerance = 1e-9

function isNear(recorded: unknown, live: unknown, within: number): boolean {
  const [left, right] = [numberOf(recorded), numberOf(live)]
  return (
    left !== undefined &&
    right !== undefined &&
    jsonType(recorded) === jsonType(live) &&
    Math.abs(left - right) <= within + roundingTolerance
  )
}

const withoutHost = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined
  const match = /^https?:\/\/[^/?#\s]*((?:[/?#].*)?)$/i.exec(value)
  return match ? (match[1] === '' ? '/' : match[1]) : undefined
}

export const comparatorFunctions: { readonly [As in Kind]: Judge<As> } = {
  // Lists and objects are compared member by member before, so what remains is a difference.
  equal: () => false,
  time(recorded, live, { within }) {
    const instants = comparableInstants(recorded, live)
    if (!instants) return false
    return within === undefined || Math.abs(instants[0] - instants[1]) <= within
  },
  shape: (recorded, live) => haveSameShape(recorded, live),
  present: (recorded, live) => !isAbsentOrNull(recorded) && !isAbsentOrNull(live),
  'absent-or-null': (recorded, live) => isAbsentOrNull(recorded) && isAbsentOrNull(live),
  empty: (recorded, live) => isEmpty(recorded) && isEmpty(live),
  number: (recorded, live, { within }) => isNear(recorded, live, within),
  // `DocumentComparison` compares lists member by member; anything else must be equal.
  set: () => false,
  keyed: () => false,
  monotonic(recorded, live, _, past) {
    if (jsonType(recorded) !== jsonType(live)) return false
    const [value, before] = [numberOf(live), numberOf(recorded)]
    if (value !== undefined && before !== undefined) return past.isMonotonic(value)
    const instants = comparableInstants(recorded, live)
    return instants !== undefined && past.isMonotonic(instants[1])
  },
  address(recorded, live) {
    const left = withoutHost(recorded)
    return left !== undefined && left === withoutHost(live)
  },
  // They hold over all exchanges, which only `acceptNoise` sees.
  identifier: () => false,
  counter: () => false,
  opaque: (recorded, live) => recorded !== undefined && jsonType(recorded) === jsonType(live),
  ignore: () => true,
}

/** Whether a comparator accepts two values that differ. */
export function comparatorAccepts(
  comparator: Comparator,
  recorded: unknown,
  live: unknown,
  past: PlaceHistory,
): boolean {
  // The table has the right function for each kind; the compiler cannot follow that.
  const judge = comparatorFunctions[comparator.as] as Judge<Kind>
  return judge(recorded, live, comparator, past)
}

/** Comparators that descend into lists and objects; the others compare a value as a whole. */
const structural: ReadonlySet<Kind> = new Set([
  'equal',
  'set',
  'keyed',
  'absent-or-null',
  'empty',
  'time',
  'number',
  'address',
  'monotonic',
  'shape',
])

/** Whether the comparator also holds for all members, until another rule overrides it. */
export const holdsForMembers = ({ as }: Comparator): boolean => as === 'shape'

export const comparesMembers = ({ as }: Comparator): boolean => structural.has(as)
