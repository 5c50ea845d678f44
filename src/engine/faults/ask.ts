/** Evaluates one fault at one fault point: it does not match, lets the message pass, or distorts it. */
import { compact } from '../../compact.ts'
import type { Chance } from '../chance.ts'
import type { Context } from '../decision.ts'
import type { ActiveFault, Made } from './fault.ts'
import type { FaultFact } from './fact.ts'
import { counts, isItsTurn, isMeant, tallyOf } from './match.ts'
import type { Meeting } from './meeting.ts'
import { allKeys, keysOf, placeOf } from './place.ts'

type Fired = Extract<FaultFact, { kind: 'fault.fired' }>
type Passed = Extract<FaultFact, { kind: 'fault.passed' }>

export type Asked<Value> =
  | { readonly kind: 'nothing' }
  /** It matches such messages, but does not select this one (nth, percent, burst). */
  | { readonly kind: 'passed'; readonly fact: Passed }
  | { readonly kind: 'made'; readonly fact: Fired; readonly value: Value }

const nothing = { kind: 'nothing' } as const

/** The fact that a fault matched a message and let it pass. */
export const passed = ({ id, keys }: Pick<Fired, 'id' | 'keys'>): Passed => ({
  kind: 'fault.passed',
  id,
  keys,
})

export function ask<Value>(
  fault: ActiveFault,
  meeting: Meeting,
  context: Context,
  distort: (chance: Chance) => Made<Value> | undefined,
): Asked<Value> {
  const { world, fate } = context
  if (!fault.meets.includes(meeting.kind)) return nothing
  if (!isMeant(fault.anchor, meeting, world)) return nothing
  const { id, name, twin } = fault
  const on = placeOf(meeting, world)
  const tallyKeys = keysOf(id, fault, meeting, on)
  const nth = tallyOf(world.faults, tallyKeys.place).seen + 1
  // The draw depends on the content of the message alone, not on other traffic or draws. Two faults of one name need
  // different draws, or the second would hit only where the first does.
  const drawName = `${name}${twin === undefined ? '' : ` ${twin}`}/${on}#${nth}`
  const made = distort(fate(drawName))
  if (!made) return nothing
  const keys = allKeys(tallyKeys)
  if (!isItsTurn(fault, tallyKeys, context, drawName))
    return counts(fault) ? { kind: 'passed', fact: passed({ id, keys }) } : nothing
  const { value, as } = made
  const fact: Fired = {
    kind: 'fault.fired',
    id,
    name: as?.name ?? name,
    ...(as ? { text: as.text } : {}),
    on,
    keys,
    ...compact({ orderId: meeting.orderId }),
    legal: as?.legal ?? fault.legal,
  }
  return { kind: 'made', fact, value }
}
