/**
 * A recording that is redacted holds stand-ins where a live exchange holds what stood there: nobody can say whether
 * those are the same, so they are no difference. Which is which, redaction itself tells: a stand-in is what it leaves
 * as it is, by whatever key.
 */
import type { Exchange } from '../exchange.ts'
import { keysIn } from '../json/json-pointer.ts'
import { redactExchange } from '../redaction/exchange.ts'
import { createRedactor } from '../redaction/redactor.ts'
import type { Difference, Rule } from './difference.ts'
import { replyDocument, requestDocument, type Side } from './document.ts'
import { isList, isObject } from './json.ts'

/** Two keys that nobody has: what both make the same of a value, no key is in. */
const one = createRedactor(() => '0123456789abcdef')
const other = createRedactor(() => 'fedcba9876543210')

export const standInRule: Rule = {
  at: '$',
  compare: { as: 'opaque' },
  from: 'protocol',
  reason: 'Redaction put a stand-in here: whether it stands for the other value nobody knows.',
}

const documents = { request: requestDocument, reply: replyDocument } as const

/** What stands at a JSON Pointer. */
function valueAt(document: unknown, pointer: string): unknown {
  let value = document
  for (const key of keysIn(pointer)) {
    if (isList(value)) value = value[Number(key)]
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key]
    else return undefined
  }
  return value
}

type Reading = (side: Side, where: string) => unknown

/** Reads places of an exchange, as it is or as a redactor makes it; works only when asked, and once for each side. */
function readingOf(exchange: () => Exchange): Reading {
  const made = new Map<Side, unknown>()
  return (side, where) => {
    if (!made.has(side)) made.set(side, documents[side](exchange()))
    return valueAt(made.get(side), where)
  }
}

interface Readings {
  readonly own: Reading
  readonly redacted: Reading
  readonly otherwise: Reading
}

const readingsOf = (exchange: Exchange): Readings => ({
  own: readingOf(() => exchange),
  redacted: readingOf(() => redactExchange(exchange, one).value),
  otherwise: readingOf(() => redactExchange(exchange, other).value),
})

/** Whether `standIn` is one, and may stand for the value that the other exchange has in that place. */
function mayStandFor(standIn: unknown, its: Readings, plain: Readings, at: Place): boolean {
  const { side, where } = at
  if (its.redacted(side, where) !== standIn) return false
  const made = plain.redacted(side, where)
  if (made === plain.own(side, where)) return false
  return made === standIn || made !== plain.otherwise(side, where)
}

type Place = Pick<Difference, 'side' | 'where'>

/** The differences, with those accepted in which one side is a stand-in for what the other may be. */
export function withoutStandIns(
  differences: readonly Difference[],
  recorded: Exchange,
  live: Exchange,
): readonly Difference[] {
  if (differences.every(({ accepted }) => accepted)) return differences
  const [ofRecorded, ofLive] = [readingsOf(recorded), readingsOf(live)]
  return differences.map((each) => {
    const { side, where, accepted, kind } = each
    if (accepted || kind !== 'value') return each
    // In a list it may stand elsewhere: then nobody knows which of them it is.
    if (ofRecorded.own(side, where) !== each.recorded || ofLive.own(side, where) !== each.live)
      return each
    const mayBe =
      mayStandFor(each.recorded, ofRecorded, ofLive, each) ||
      mayStandFor(each.live, ofLive, ofRecorded, each)
    return mayBe ? { ...each, rule: standInRule, accepted: true } : each
  })
}
