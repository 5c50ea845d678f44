/** The farthest place of a recording that was sent, by the fact of each send. */
import { firstPlaceWhere } from './timeline.ts'

export function createPlaybackProgress() {
  const facts: number[] = []
  const farthest: number[] = []
  return {
    sent(place: number, fact: number): void {
      facts.push(fact)
      farthest.push(Math.max(place, farthest.at(-1) ?? 0))
    },
    position: (): number => (farthest.at(-1) ?? -1) + 1,
    /** The last fact before the first exchange at or after this place was sent; undefined when none was. */
    before(place: number): number | undefined {
      const index = firstPlaceWhere(farthest.length, (each) => (farthest[each] ?? 0) >= place)
      const fact = facts[index]
      return fact === undefined ? undefined : Math.max(1, fact - 1)
    },
  }
}
