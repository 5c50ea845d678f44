/** A part of a whole, as `--shard` writes it: 1/4. */
import type { Shard } from '../../exploration/campaign/drawn-schedules.ts'
import { problem } from '../../problem.ts'

/** Undefined for the whole. */
export function parseShard(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined
  const [, k, n] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const [part, of] = [Number(k), Number(n)]
  if (k !== undefined && part >= 1 && part <= of) return { part, of }
  throw problem(
    'reading --shard',
    `"${text}" is no part of a whole`,
    'Write it as 1/4, 2/4 …, or as auto.',
  )
}
