/** Plays a group, and where the service crashes its halves, until what makes it crash has been played alone. */
import type { BatchResult } from '../schedules/result.ts'
import { crashIn } from './crash.ts'

export interface PlayedPart<Member> {
  readonly part: readonly Member[]
  readonly batch: BatchResult
}

/** The parts in the order of the group. One with a crash has a single member. */
export async function* playInParts<Member>(
  group: readonly Member[],
  play: (part: readonly Member[]) => Promise<BatchResult>,
): AsyncGenerator<PlayedPart<Member>> {
  const parts = [group]
  for (let part = parts.shift(); part; part = parts.shift()) {
    const batch = await play(part)
    const half = Math.ceil(part.length / 2)
    if (part.length > 1 && crashIn(batch)) parts.unshift(part.slice(0, half), part.slice(half))
    else yield { part, batch }
  }
}
