/** Evaluates one fault at one fault point: it does not match, lets the message pass, or distorts it. */
import { compact } from '../../base/compact.ts'
import type { Chance } from '../chance.ts'
import type { DecisionContext } from '../decision.ts'
import type { ActiveFault, FaultResult } from './fault.ts'
import type { FactOf } from '../fact.ts'
import { keepsTally, isSelected, matchesAnchor } from './match.ts'
import { tallyOf } from './slots.ts'
import type { FaultPoint } from './fault-point.ts'
import { distinctTallyKeys, tallyKeysOf, pointLabel } from './point-label.ts'

type Fired = FactOf<'fault.fired'>
type Passed = FactOf<'fault.passed'>

export type FaultEvaluation<Value> =
  | { readonly kind: 'nothing' }
  /** It matches such messages, but does not select this one (nth, percent, burst). */
  | { readonly kind: 'passed'; readonly fact: Passed }
  | { readonly kind: 'made'; readonly fact: Fired; readonly value: Value }

const noMatch = { kind: 'nothing' } as const

/** The fact that a fault matched a message and let it pass. */
export const faultPassedFact = ({ id, keys }: Pick<Fired, 'id' | 'keys'>): Passed => ({
  kind: 'fault.passed',
  id,
  keys,
})

/** Whether a fault distorts every try of this call; drawn once for the call, by its label. */
function isOutlastedCall(
  { outlastPercent }: ActiveFault,
  { kind, orderId }: FaultPoint,
  callName: string,
  { draw }: DecisionContext,
): boolean {
  if (outlastPercent === undefined || orderId === undefined) return false
  const isCall = kind === 'answer' || kind === 'call'
  return isCall && draw(`${callName}/outlast`).fraction() * 100 < outlastPercent
}

export function evaluateFault<Value>(
  configured: ActiveFault,
  point: FaultPoint,
  context: DecisionContext,
  distort: (chance: Chance, isOutlasted: boolean) => FaultResult<Value> | undefined,
): FaultEvaluation<Value> {
  const { world, draw } = context
  if (!configured.meets.includes(point.kind)) return noMatch
  if (!matchesAnchor(configured.anchor, point, world)) return noMatch
  const { id, name, twin } = configured
  const on = pointLabel(point, world)
  // Two faults of one name need different draws, or the second would hit only where the first does.
  const callName = `${name}${twin === undefined ? '' : ` ${twin}`}/${on}`
  const isOutlasted = isOutlastedCall(configured, point, callName, context)
  const fault: ActiveFault = isOutlasted
    ? { ...configured, burst: 'outlast', percent: 100 }
    : configured
  const tallyKeys = tallyKeysOf(id, fault, point, on)
  const nth = tallyOf(world.faults, tallyKeys.place).seen + 1
  // The draw depends on the content of the message alone, not on other traffic or draws. All tries of a call that is
  // outlasted meet the same fault.
  const drawName = `${callName}#${isOutlasted ? 'all' : nth}`
  const distortion = distort(draw(drawName), isOutlasted)
  if (!distortion) return noMatch
  const keys = distinctTallyKeys(tallyKeys)
  if (!isSelected(fault, tallyKeys, context, drawName))
    return keepsTally(fault) ? { kind: 'passed', fact: faultPassedFact({ id, keys }) } : noMatch
  const { value, as } = distortion
  const fact: Fired = {
    kind: 'fault.fired',
    id,
    name: as?.name ?? name,
    ...(as ? { text: as.text } : {}),
    on,
    keys,
    ...compact({ orderId: point.orderId }),
    legal: as?.legal ?? fault.legal,
  }
  return { kind: 'made', fact, value }
}
