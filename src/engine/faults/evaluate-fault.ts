/** Evaluates one fault at one fault point: it does not match, lets the message pass, or distorts it. */
import { compact } from '../../compact.ts'
import type { Chance } from '../chance.ts'
import type { DecisionContext } from '../decision.ts'
import type { ActiveFault, FaultResult } from './fault.ts'
import type { FaultFact } from './fact.ts'
import { keepsTally, isSelected, matchesAnchor, tallyOf } from './match.ts'
import type { FaultPoint } from './fault-point.ts'
import { distinctTallyKeys, tallyKeysOf, pointLabel } from './point-label.ts'

type Fired = Extract<FaultFact, { kind: 'fault.fired' }>
type Passed = Extract<FaultFact, { kind: 'fault.passed' }>

export type FaultEvaluation<Value> =
  | { readonly kind: 'nothing' }
  /** It matches such messages, but does not select this one (nth, percent, burst). */
  | { readonly kind: 'passed'; readonly fact: Passed }
  | { readonly kind: 'made'; readonly fact: Fired; readonly value: Value }

const nothing = { kind: 'nothing' } as const

/** The fact that a fault matched a message and let it pass. */
export const faultPassedFact = ({ id, keys }: Pick<Fired, 'id' | 'keys'>): Passed => ({
  kind: 'fault.passed',
  id,
  keys,
})

export function evaluateFault<Value>(
  fault: ActiveFault,
  meeting: FaultPoint,
  context: DecisionContext,
  distort: (chance: Chance) => FaultResult<Value> | undefined,
): FaultEvaluation<Value> {
  const { world, fate } = context
  if (!fault.meets.includes(meeting.kind)) return nothing
  if (!matchesAnchor(fault.anchor, meeting, world)) return nothing
  const { id, name, twin } = fault
  const on = pointLabel(meeting, world)
  const tallyKeys = tallyKeysOf(id, fault, meeting, on)
  const nth = tallyOf(world.faults, tallyKeys.place).seen + 1
  // The draw depends on the content of the message alone, not on other traffic or draws. Two faults of one name need
  // different draws, or the second would hit only where the first does.
  const drawName = `${name}${twin === undefined ? '' : ` ${twin}`}/${on}#${nth}`
  const made = distort(fate(drawName))
  if (!made) return nothing
  const keys = distinctTallyKeys(tallyKeys)
  if (!isSelected(fault, tallyKeys, context, drawName))
    return keepsTally(fault) ? { kind: 'passed', fact: faultPassedFact({ id, keys }) } : nothing
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
