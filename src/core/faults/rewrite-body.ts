/**
 * A body as another implementation, or a later version, of the same partner would write it: the same values in other
 * characters, or values that no document has yet. Pure: text and draw decide.
 */
import { createChance } from '../engine/chance.ts'
import { Order } from '../protocol/orders/order.ts'
import { isUnknownRecord } from '../protocol/unknown-record.ts'

type Members = Record<string, unknown>

interface BodyForm {
  /** What the receiver meets, for help and docs. */
  readonly summary: string
  /** Whether a correct partner may write so; otherwise findings are advice. */
  readonly legal: boolean
  /** The body in this form; JSON comes in, JSON goes out. */
  readonly rewrite: (text: string, draw: number) => string
}

const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[{}[\],:]|true|false|null/g

/** Each string, number, word or sign of a JSON text, written anew. */
const byToken =
  (write: (each: string) => string) =>
  (text: string): string =>
    (text.match(token) ?? []).map(write).join('')

/** Of a document that was just parsed, and is ours to change. */
const isMembers = (value: unknown): value is Members => isUnknownRecord(value)

/** The value with every object in it changed. */
function changeObjects(value: unknown, change: (members: Members) => Members): unknown {
  if (Array.isArray(value)) return value.map((each) => changeObjects(each, change))
  if (!isMembers(value)) return value
  const entries = Object.entries(value).map(([key, each]) => [key, changeObjects(each, change)])
  return change(Object.fromEntries(entries) as Members)
}

const byObject =
  (change: (members: Members) => Members) =>
  (text: string): string =>
    JSON.stringify(changeObjects(JSON.parse(text), change))

const instant = /^"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z"$/

/** `2026-01-05T15:00:00.120Z` by turns in Brazilian time, without a fraction where that is zero, and with six digits. */
function otherInstant(each: string, nth: number): string {
  const [, seconds = '', fraction = ''] = instant.exec(each) ?? []
  if (nth % 3 === 0) {
    const local = new Date(Date.parse(`${seconds}Z`) - 3 * 3_600_000).toISOString().slice(0, 19)
    return `"${local}${fraction}-03:00"`
  }
  return /^\.?0*$/.test(fraction) && nth % 3 === 1
    ? `"${seconds}Z"`
    : `"${seconds}${(fraction || '.').padEnd(7, '0')}Z"`
}

/** `12.5` is `12.50`, and `20` is `2E+1`. */
function otherNumber(each: string): string {
  if (/^-?\d+\.\d$/.test(each)) return `${each}0`
  const [, digits, zeros] = /^(-?[1-9]\d*?)(0+)$/.exec(each) ?? []
  return digits === undefined || zeros === undefined ? each : `${digits}E+${zeros.length}`
}

const escaped = (character: string): string =>
  character === '/' ? String.raw`\/` : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

interface Place {
  readonly owner: Members
  readonly key: string
}

function* placesIn(value: unknown): Generator<Place> {
  if (Array.isArray(value)) for (const each of value) yield* placesIn(each)
  if (!isMembers(value)) return
  for (const key of Object.keys(value)) {
    yield { owner: value, key }
    yield* placesIn(value[key])
  }
}

/** Parts of an order that a service sends on, with deliveries and payments: without them it could not. */
const sentOn = /^(?:fulfillment|customer|merchant|total|payments|timing)$/

/** Changes members of an order document that fit: one by the draw, or all. */
const ofOrders =
  (
    fits: (order: Members, place: Place) => boolean,
    change: (place: Place) => void,
    which: 'one' | 'all' = 'one',
  ) =>
  (text: string, draw: number): string => {
    const order: unknown = JSON.parse(text)
    if (!isMembers(order) || !Order.safeParse(order).success) return text
    const places = Object.keys(order)
      .filter((key) => !sentOn.test(key))
      .flatMap((key) => [{ owner: order, key }, ...placesIn(order[key])])
      .filter((place) => fits(order, place))
    const first = places.length === 0 ? 0 : createChance(draw, 'member').below(places.length)
    for (const place of which === 'all' ? places : places.slice(first, first + 1))
      if (fits(order, place)) change(place)
    return JSON.stringify(order)
  }

/** Whether the order is valid without the member. */
function isOptional(order: Members, { owner, key }: Place): boolean {
  const value = owner[key]
  delete owner[key]
  const isValid = Order.safeParse(order).success
  owner[key] = value
  return isValid
}

/** Words of lists that grow: a status or a type of order that is unknown would say nothing that can be acted upon. */
const isListedWord = (_order: Members, { owner, key }: Place): boolean =>
  !/id$|^(?:status|lastEvent|orderType|orderTiming|currency)$/i.test(key) &&
  /^[A-Z][A-Z_]{2,}$/.test(typeof owner[key] === 'string' ? owner[key] : '')

const forms = {
  escapes: {
    summary: String.raw`characters beyond ASCII, and / < > & + ', as PHP, Go, C# and Java write them`,
    legal: true,
    rewrite: byToken((each) =>
      each.startsWith('"') ? each.replaceAll(/[/<>&+'\u0080-\uffff]/g, escaped) : each,
    ),
  },
  blanks: {
    summary: 'blanks behind commas and colons, as Python writes them',
    legal: true,
    rewrite: byToken((each) => (each === ',' || each === ':' ? `${each} ` : each)),
  },
  members: {
    summary: 'the members of each object in another order',
    legal: true,
    rewrite: byObject((members) => Object.fromEntries(Object.entries(members).toReversed())),
  },
  numbers: {
    summary: '12.5 as 12.50, and 20 as 2E+1',
    legal: true,
    rewrite: byToken((each) => (/^-?\d/.test(each) ? otherNumber(each) : each)),
  },
  instants: {
    summary: 'the same instants at -03:00, without milliseconds, with six digits',
    legal: true,
    rewrite(text) {
      let nth = 0
      return byToken((each) => (instant.test(each) ? otherInstant(each, nth++) : each))(text)
    },
  },
  object: {
    summary: 'an object more in every object',
    legal: true,
    rewrite: byObject((members) => ({ ...members, x_details: { since: 'v2.1', flags: [true] } })),
  },
  missing: {
    summary: 'an order without what it may do without',
    legal: true,
    rewrite: ofOrders(isOptional, ({ owner, key }) => delete owner[key], 'all'),
  },
  null: {
    summary: 'an order in which one optional member is null',
    legal: false,
    rewrite: ofOrders(isOptional, ({ owner, key }) => (owner[key] = null)),
  },
  value: {
    summary: 'an order with one word that no list has yet, such as a means of payment',
    legal: false,
    rewrite: ofOrders(isListedWord, ({ owner, key }) => (owner[key] = 'X_SINCE_2027')),
  },
} as const satisfies Record<string, BodyForm>

export type BodyFormName = keyof typeof forms
export const bodyForms: Readonly<Record<BodyFormName, BodyForm>> = forms
export const bodyFormNames = Object.keys(forms) as [BodyFormName, ...BodyFormName[]]
