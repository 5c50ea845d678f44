/** How far a recording was played, and when. */
import { firstPlace } from './timeline.ts'

/** When each exchange went out: by the numbers of facts and by places, the farthest so far. */
export function createTrack() {
  const facts: number[] = []
  const farthest: number[] = []
  return {
    sent(place: number, fact: number): void {
      facts.push(fact)
      farthest.push(Math.max(place, farthest.at(-1) ?? 0))
    },
    position: (): number => (farthest.at(-1) ?? -1) + 1,
    /** The last fact before the first exchange from this place on went out; undefined where none has. */
    before(place: number): number | undefined {
      const index = firstPlace(farthest.length, (each) => (farthest[each] ?? 0) >= place)
      const fact = facts[index]
      return fact === undefined ? undefined : Math.max(1, fact - 1)
    },
  }
}
