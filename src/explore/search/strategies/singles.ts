/**
 * One fault in a schedule, stratified: the kinds of faults take turns, and within a kind workload, message and size are drawn.
 * It shows that every fault was tried at every kind of message; the first kinds differ in their fault and their message both.
 */
import { candidatesByClass } from './candidates.ts'
import type { Strategy } from './strategy.ts'

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
