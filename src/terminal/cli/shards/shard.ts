/** A part of a whole, as `--shard` writes it: 1/4. */
import { problem } from '../../../core/base/problem.ts'

/** A part of a run or campaign: `{ part: 1, of: 8 }`. */
export interface Shard {
  readonly part: number
  readonly of: number
}

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
