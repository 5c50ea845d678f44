/**
 * How the two values of a place are judged, one entry for each kind of comparator. They are asked only about values
 * that are not the same; the answer is whether the rule accepts that.
 */
import type { Comparator } from './difference.ts'
import { instantOf, sameShape } from './format.ts'
import { isList, isObject } from './json.ts'

type Kind = Comparator['as']
type Of<As extends Kind> = Extract<Comparator, { readonly as: As }>

/** What a comparator may know besides the values: what this place held in exchanges before. */
export interface Past {
  /** The greatest that this place held so far; sets it when it grows. Answers whether the value did not fall. */
  readonly grows: (value: number) => boolean
}

type Judge<As extends Kind> = (
  recorded: unknown,
  live: unknown,
  comparator: Of<As>,
  past: Past,
) => boolean

const numberOf = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value
  // Headers, queries and forms write their numbers as text.
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (isList(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0)

const isNothing = (value: unknown): boolean => value === undefined || value === null

/** Decimals that were computed another way differ in the last digit: that is not what a bound is for. */
const grain = 1e-9

function isNear(recorded: unknown, live: unknown, within: number): boolean {
  const [left, right] = [numberOf(recorded), numberOf(live)]
  return left !== undefined && right !== undefined && Math.abs(left - right) <= within + grain
}

const withoutHost = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined
  const match = /^https?:\/\/[^/?#\s]*((?:[/?#].*)?)$/i.exec(value)
  return match ? (match[1] === '' ? '/' : match[1]) : undefined
}

export const judges: { readonly [As in Kind]: Judge<As> } = {
  // Whole texts, and lists and objects member by member: what remains is a difference.
  equal: () => false,
  time(recorded, live, { within }) {
    const [left, right] = [instantOf(recorded), instantOf(live)]
    if (left === undefined || right === undefined) return false
    return within === undefined || Math.abs(left - right) <= within
  },
  shape: (recorded, live) => sameShape(recorded, live),
  present: (recorded, live) => !isNothing(recorded) && !isNothing(live),
  'absent-or-null': (recorded, live) => isNothing(recorded) && isNothing(live),
  empty: (recorded, live) => isEmpty(recorded) && isEmpty(live),
  number: (recorded, live, { within }) => isNear(recorded, live, within),
  // The walker takes lists apart; what is no list is compared as it stands.
  set: () => false,
  keyed: () => false,
  monotonic(recorded, live, _, past) {
    const value = numberOf(live) ?? instantOf(live)
    const before = numberOf(recorded) ?? instantOf(recorded)
    return value !== undefined && before !== undefined && past.grows(value)
  },
  address(recorded, live) {
    const left = withoutHost(recorded)
    return left !== undefined && left === withoutHost(live)
  },
  opaque: (recorded, live) => recorded !== undefined && live !== undefined,
  ignore: () => true,
}

/** Whether a comparator accepts two values that are not the same. */
export function accepts(
  comparator: Comparator,
  recorded: unknown,
  live: unknown,
  past: Past,
): boolean {
  // The table has the right judge for each kind; the compiler cannot follow that.
  const judge = judges[comparator.as] as Judge<Kind>
  return judge(recorded, live, comparator, past)
}

/** These look into lists and objects; the others judge a value whole. */
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

/** What holds for a value holds for all that is in it, until a rule says otherwise. */
export const isInherited = ({ as }: Comparator): boolean => as === 'shape'

export const looksInside = ({ as }: Comparator): boolean => structural.has(as)
