/**
 * One fault in a schedule, stratified: the kinds of faults take turns, and within a kind workload, message and size are drawn.
 * It shows that every fault was tried at every kind of message; the first kinds differ in their fault and their message both.
 */
import { changesOrders } from '../../schedules/fault-traits.ts'
import { faultClass } from '../../schedules/schedule.ts'
import { type Candidate, candidatesByClass, candidatesIn } from './candidates.ts'
import { interleave, oncePerSpace, type Strategy } from './strategy.ts'

export const singles: Strategy = {
  name: 'singles',
  about: 'one fault; every kind of fault at every kind of message takes its turn',
  draw(space, turn, chance) {
    const classes = [...candidatesByClass(space).values()]
    const candidates = classes[turn % Math.max(1, classes.length)]
    if (!candidates) return undefined
    const outlasting = candidates.filter(({ fault }) => fault.burst !== undefined)
    const isOutlasting = outlasting.length > 0 && chance.oneIn(2)
    const { workload, fault } = chance.pick(isOutlasting ? outlasting : candidates)
    return { workload, faults: [fault] }
  },
}

/**
 * What another app does at a kind of message: when the service first hears of an order, when it asks for something, and at any
 * other event, by turns; what does most first.
 */
const actsInTurn = oncePerSpace((space): readonly (readonly Candidate[])[] => {
  const sizeOf = ({ fault }: Candidate): number => [fault.options['does']].flat().length
  const nthOf = ({ fault }: Candidate): number => fault.match.nth ?? 1
  const acts = candidatesIn(space)
    .filter(({ fault }) => changesOrders(fault))
    .sort((one, other) => sizeOf(other) - sizeOf(one) || nthOf(one) - nthOf(other))
  const placeOf = ({ fault: { match } }: Candidate): number =>
    match.event === 'CREATED' ? 0 : match.operation === undefined ? 2 : 1
  const kindOf = (each: Candidate): string =>
    `${nthOf(each)} ${faultClass(each.fault)} ${JSON.stringify(each.fault.options)}`
  const places = [...Map.groupBy(acts, placeOf)].sort(([one], [other]) => one - other)
  return interleave(places.map(([, ofPlace]) => [...Map.groupBy(ofPlace, kindOf).values()]))
})

export const otherApps: Strategy = {
  name: 'other-apps',
  about: 'another app of the store acts on an order first, each kind of act in turn',
  draw(space, turn, chance) {
    const acts = actsInTurn(space)
    const candidates = acts[turn % Math.max(1, acts.length)]
    if (!candidates) return undefined
    const { workload, fault } = chance.pick(candidates)
    return { workload, faults: [fault] }
  },
}
